/** Tests of pipelines that ask for more than their project: check, plan, refusal, a yes that is kept. */
import assert from "node:assert/strict";
import { type CommandLine, withProject } from "./command_line.ts";

const kind = (permissions: string, run = "") =>
  `import { defineStage, z } from "sluice";
export default defineStage({
  kind: "fetch",
  version: 1,
  description: "Reads what it can.",
  params: z.strictObject({}),
  permissions: ${permissions},
  inputs: {},
  outputs: {},
  async run() {
    ${run}
    return await Promise.resolve({});
  },
});
`;

const pipeline = `format = 1
[stages.fetch]
kind = "./fetch.ts"
`;

const flag = "fetch=read:/etc,net:*,env:*";
const reads = `await Deno.readTextFile("/etc/hostname");
    Deno.listen({ port: 0, hostname: "127.0.0.1" }).close();
    Deno.env.toObject();`;

/** A project with a stranger's stage, and a user whose own folder is in PROJECT/home. */
async function withStranger(
  permissions: string,
  test: (
    sluice: (...args: string[]) => ReturnType<CommandLine["sluice"]>,
    project: CommandLine,
  ) => Promise<void>,
): Promise<void> {
  await withProject([], async (project) => {
    project.write("fetch.ts", kind(permissions, reads));
    project.write("p.toml", pipeline);
    const env = { XDG_CONFIG_HOME: project.path("home"), HOME: "/nonexistent" };
    await test((...args) => project.sluiceWith(env, ...args), project);
  });
}

const everything = '{ read: ["/etc"], net: ["*"], env: ["*"] }';

Deno.test("check says what a stage asks for, and what its first run needs", async () => {
  await withStranger(everything, async (sluice) => {
    const { code, err } = await sluice("check", "p.toml");
    assert.equal(code, 0);
    assert.match(err, /stage "fetch" \(\.\/fetch\.ts\) asks for read \/etc, net \*, env \*\n/);
    assert.ok(err.includes(`--allow-stage '${flag}'`));
  });
});

Deno.test("a run is refused until the user says yes once; it holds until the code changes", async () => {
  await withStranger(everything, async (sluice, project) => {
    const refused = await sluice("run", "p.toml");
    assert.equal(refused.code, 2);
    assert.match(
      refused.err,
      /Cannot run stage "fetch": its kind \.\/fetch\.ts \(code [0-9a-f]{12}\) asks/,
    );
    assert.ok(refused.err.includes(`--allow-stage '${flag}'`));
    assert.ok(!project.list().includes("runs") && !project.list().includes("p.lock.json"));

    const half = await sluice("run", "p.toml", "--allow-stage", "fetch=read:/etc,net:*");
    assert.equal(half.code, 2, "one of three is missing");

    const allowed = await sluice("run", "p.toml", "--allow-stage", flag);
    assert.equal(allowed.code, 0, allowed.err);
    assert.match(allowed.err, /may touch read \/etc, net \*, env \*/);
    assert.doesNotMatch(allowed.err, /did not use it/);
    assert.ok(project.list("home/sluice").includes("consent.json"));
    assert.ok(project.list().includes("p.lock.json"));
    const sql = "select bool_and(declared) as all_declared, count(*) as n from access";
    const { out } = await sluice("query", "--run", "last", "--format", "json", sql);
    assert.equal(JSON.parse(out)[0].all_declared, true, out);

    assert.equal((await sluice("run", "p.toml")).code, 0, "the yes was kept");
    project.write("fetch.ts", kind(everything, `${reads}\n    console.log("new");`));
    assert.equal((await sluice("run", "p.toml")).code, 2, "other code is asked about again");
  });
});

Deno.test("a lock file that a repository brings grants nothing", async () => {
  await withStranger(everything, async (sluice, project) => {
    const stages = { fetch: { read: ["/etc"], net: ["*"], env: ["*"] } };
    project.write("p.lock.json", JSON.stringify({ format: 1, stages }));
    project.write(".config/sluice/consent.json", JSON.stringify({ format: 1, allowed: [] }));
    assert.equal((await sluice("run", "p.toml")).code, 2);
  });
});

Deno.test("a yes that cannot be kept holds for this run, and says so", async () => {
  await withStranger(everything, async (_, project) => {
    const env = { XDG_CONFIG_HOME: "/nonexistent", HOME: "/nonexistent" };
    const run = (...more: string[]) => project.sluiceWith(env, "run", "p.toml", ...more);
    const { code, err } = await run("--allow-stage", flag);
    assert.equal(code, 0, err);
    assert.match(err, /allowed for this run only: /);
    assert.equal((await run()).code, 2);
  });
});

for (const asked of ['{ ffi: ["/usr/lib"] }', '{ read: ["../"] }', '{ env: ["TOKEN"] }']) {
  Deno.test(`a kind that asks for ${asked} is refused in a script`, async () => {
    await withStranger(
      asked,
      async (sluice) => assert.equal((await sluice("run", "p.toml")).code, 2),
    );
  });
}

Deno.test("what lies in the project needs no yes", async () => {
  await withStranger('{ read: ["data"] }', async (sluice, project) => {
    project.write("fetch.ts", kind('{ read: ["data"] }', 'await Deno.readTextFile("data/x.txt");'));
    project.write("data/x.txt", "x");
    const { code, err } = await sluice("run", "p.toml");
    assert.equal(code, 0, err);
  });
});

Deno.test("a file elsewhere that a stage imports as text is asked for", async () => {
  await withStranger("{}", async (sluice, project) => {
    const text = `import secret from "/etc/hostname" with { type: "text" };\n${
      kind("{}", "void secret;")
    }`;
    project.write("fetch.ts", text);
    const { code, err } = await sluice("run", "p.toml");
    assert.equal(code, 2, err);
    assert.match(err, /asks for read \/etc\/hostname, outside the project/);
  });
});

Deno.test("a flag that names no permission is refused with how to write it", async () => {
  await withStranger("{}", async (sluice) => {
    for (const wrong of ["fetch", "fetch=everything", "=read:/etc"]) {
      const { code, err } = await sluice("run", "p.toml", "--allow-stage", wrong);
      assert.equal(code, 2);
      assert.match(err, /write --allow-stage NAME=read:\/path,net:host,env:NAME/);
    }
  });
});

Deno.test("an image is started after a yes to its digest, and another one asks again", async () => {
  const files = ["container.toml", "spline.py", "curve.py"].map((name) => `docs/examples/${name}`);
  await withProject([...files, "data/dugongs.csv"], async (project) => {
    const run = ["run", files[0]];
    const [asked] = /sha256:[0-9a-f]{64}/.exec(project.read(files[0]))!;
    const first = await project.sluice(...run);
    assert.equal(first.code, 2);
    assert.match(first.err, new RegExp(`asks for image ${asked}, outside the project`));
    const flag = `target=image:${asked}`;
    assert.ok(first.err.includes(`--allow-stage ${flag}`), first.err);
    const allowed = await project.sluice(...run, "--allow-stage", flag);
    assert.equal(allowed.code, 3, "no engine of this machine has that image");
    assert.equal((await project.sluice(...run)).code, 3, "the yes is kept");
    const other = `stages.target.executor.image=sha256:${"0".repeat(64)}`;
    assert.equal((await project.sluice(...run, "--set", other)).code, 2);
  });
});
