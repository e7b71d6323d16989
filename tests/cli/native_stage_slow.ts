/** Tests of stages that load native code: where Deno's permissions end, the kernel confines them. */
import assert from "node:assert/strict";
import { linkedFiles } from "../../src/sandbox/deno_program.ts";
import { sandboxTest } from "../sandbox/needs.ts";
import { type CommandLine, withProject } from "./command_line.ts";

const libc = linkedFiles().find(({ path }) => path.endsWith("/libc.so.6"))?.path ??
  "/lib/libc.so.6";

const kind = (work: string) =>
  `import { defineStage, z } from "sluice";
const number = { parameters: ["buffer", "i32", "i32"], result: "i32" } as const;
const c = (text: string) => new TextEncoder().encode(text + "\\0");
export default defineStage({
  kind: "native",
  version: 1,
  description: "Calls the C library.",
  params: z.strictObject({}),
  permissions: { ffi: [${JSON.stringify(libc)}], read: ["data"] },
  inputs: {},
  outputs: {},
  async run(context) {
    const { symbols } = Deno.dlopen(${JSON.stringify(libc)}, {
      open: number,
      system: { parameters: ["buffer"], result: "i32" },
      socket: { parameters: ["i32", "i32", "i32"], result: "i32" },
      abort: { parameters: [], result: "void" },
    });
    ${work}
    return await Promise.resolve({});
  },
});
`;

async function run(project: CommandLine, work: string) {
  project.write("native.ts", kind(work));
  project.write("p.toml", 'format = 1\n[stages.native]\nkind = "./native.ts"\n');
  project.write("data/x.txt", "in the project");
  const env = { XDG_CONFIG_HOME: project.path("home"), HOME: Deno.env.get("HOME") ?? "/" };
  return await project.sluiceWith(env, "run", "p.toml", "--allow-stage", `native=ffi:${libc}`);
}

const logs = (project: CommandLine) => {
  const [id] = project.list("runs");
  const [log] = project.list(`runs/${id}/logs`).filter((name) => name.endsWith(".log"));
  return project.read(`runs/${id}/logs/${log}`);
};

sandboxTest("native code of a stage executes nothing, writes nothing, reaches nobody", async () => {
  await withProject([], async (project) => {
    const secret = await Deno.makeTempFile();
    const { code, err } = await run(
      project,
      `const tried = {
        system: symbols.system(c("touch made")) === 0,
        write: symbols.open(c("made"), 0o102, 0o600) >= 0,
        secret: symbols.open(c(${JSON.stringify(secret)}), 0, 0) >= 0,
        socket: symbols.socket(2, 1, 0) >= 0,
        own: symbols.open(c("data/x.txt"), 0, 0) >= 0,
        deno: Deno.readTextFileSync("data/x.txt"),
      };
      context.log(JSON.stringify(tried));`,
    );
    await Deno.remove(secret);
    assert.equal(code, 0, err);
    const denied = { system: false, write: false, secret: false, socket: false };
    const wanted = { ...denied, own: true, deno: "in the project" };
    assert.ok(logs(project).includes(JSON.stringify(wanted)), logs(project));
    assert.ok(!project.list().includes("made"));
    const { out } = await project.sluice("query", "--run", "last", "select permission from access");
    assert.match(out, /ffi/);
  });
});

sandboxTest(
  "a stage whose native code crashes has failed, with the signal that ended it",
  async () => {
    await withProject([], async (project) => {
      const { code, err } = await run(project, "symbols.abort();");
      assert.equal(code, 1);
      assert.match(err, /Stage native failed: it was killed by SIGABRT/);
    });
  },
);

sandboxTest(
  "a stage that throws says so as any other does, and its last words are text",
  async () => {
    await withProject([], async (project) => {
      const { code, err } = await run(project, 'console.log("mind"); throw new Error("no");');
      assert.equal(code, 1);
      assert.match(err, /Stage native failed: no/);
      assert.match(logs(project), /mind/);
      assert.doesNotMatch(logs(project), /[^\x20-\x7e\n…✓]/);
    });
  },
);
