/** Declarations of users' kinds: read without running anything that touches the machine. */
import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { pathToFileURL as toFileUrl } from "node:url";
import { InputError } from "../../../src/base/diagnostic.ts";
import { describeContext, describeKind } from "../../../src/pipeline/process/describe.ts";
import { findSluiceHome } from "../../../src/pipeline/project/project.ts";
import { declarationToJson } from "../../../src/pipeline/read/declaration.ts";
import { kindFile, kinds, withProject } from "./project.ts";

async function messageOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return "no error";
}

Deno.test("describeKind() reads what the kind declares, and again from the cache", () =>
  withProject(async ({ root }) => {
    const context = describeContext(root);
    const declaration = await describeKind(kindFile("random_walk"), context);
    assert.deepEqual(declaration, declarationToJson(kinds.get("random_walk")!));
    assert.deepEqual(await describeKind(kindFile("random_walk"), context), declaration);
  }));

Deno.test("describeKind() says why a file is no stage kind", () =>
  withProject(async (project) => {
    const context = describeContext(project.root);
    const describe = (file: string) => messageOf(describeKind(file, context));
    assert.match(
      await describe(kindFile("not_a_kind")),
      /expected a stage kind.* its exports are answer$/,
    );
    assert.match(
      await describe(kindFile("touches_at_import")),
      /NotCapable: Requires read access to "deno.json"/,
    );
    assert.match(await describe(project.path("absent.ts")), /no file .*absent.ts$/);
    const broken = project.write("broken.ts", "export default (;\n");
    assert.match(await describe(broken), /Expression expected[^]*broken.ts:1:17/);
    const lost = project.write("lost.ts", 'import "./nowhere.ts";\n');
    assert.match(await describe(lost), /nowhere.ts/);
    const secret = join(project.root, "..", `${basename(project.root)}.key`);
    Deno.writeTextFileSync(secret, "s3cret: key:of the user\n");
    const reads = project.write("reads.ts", `await import("${toFileUrl(secret)}");\n`);
    const linked = project.write("linked.ts", 'import "./leak.ts";\n');
    Deno.symlinkSync(secret, project.path("leak.ts"));
    for (const file of [reads, linked]) {
      const said = await describe(file);
      assert.match(said, /it is no module, and lies outside the project/);
      assert.doesNotMatch(said, /s3cret/);
    }
    Deno.removeSync(secret);
    const thrown = project.write("thrown.ts", 'throw new Error("at import");\n');
    assert.match(await describe(thrown), /Error: at import/);
  }));

Deno.test("a pipeline may name a kind by its path", () =>
  withProject(async (project) => {
    const context = describeContext(project.root);
    const { resolvePipeline } = await import("../../../src/pipeline/read/resolve.ts");
    const { runPipeline } = await import("../../../src/pipeline/run/run.ts");
    project.write(
      "mine.ts",
      `import { z } from "zod";
import { defineStage } from "${new URL(
        "../../../src/pipeline/contract/stage.ts",
        import.meta.url,
      )}";
export const stage = defineStage({
  kind: "mine", version: 1, description: "Mine.", params: z.strictObject({ name: z.string() }),
  inputs: {}, outputs: {},
  run(context, _inputs, { name }) { context.metric(name, 1); return Promise.resolve({}); },
});
`,
    );
    const toml = `format = 1\nname = "m"\n[stages.mine]\nkind = "./mine.ts"\nname = "seven"\n`;
    const loadKind = (path: string) => describeKind(path, context);
    const path = project.write("pipeline.toml", toml);
    const sluiceRoot = findSluiceHome().root;
    const pipeline = await resolvePipeline({ path, kinds, loadKind, sluiceRoot });
    const outcome = await runPipeline(pipeline, project.options());
    assert.equal(outcome.exitCode, 0);
    assert.deepEqual(await project.query(outcome.runId, "select name from metric"), [["seven"]]);
  }));

/** Counts what it finds in the storage of the web, and leaves something there, in a worker too. */
const keeper = `
const work = async () => {
  if (typeof caches === "undefined") return 0;
  const own = await caches.open("left");
  const found = await own.match("http://a/b");
  await own.put("http://a/b", new Response("left"));
  return found ? 1 : 0;
};
export const stage = defineStage({
  kind: "keeper", version: 1, description: "Leaves things.", params: z.strictObject({}),
  inputs: {}, outputs: {},
  async run(context) {
    context.metric("own", await work() + (typeof localStorage === "undefined" ? 0 : 1));
    const text = "const work = " + work + "; postMessage(await work());";
    const worker = new Worker("data:text/javascript," + encodeURIComponent(text), { type: "module" });
    const found = await new Promise((resolve) => worker.onmessage = (event) => resolve(event.data));
    worker.terminate();
    context.metric("worker", found);
    return {};
  },
});
`;

Deno.test("a stage finds nothing that another run left in the storage of the web", () =>
  withProject(async (project) => {
    const context = describeContext(project.root);
    const { resolvePipeline } = await import("../../../src/pipeline/read/resolve.ts");
    const { runPipeline } = await import("../../../src/pipeline/run/run.ts");
    const stage = new URL("../../../src/pipeline/contract/stage.ts", import.meta.url);
    const imports = `import { z } from "zod";\nimport { defineStage } from "${stage}";\n`;
    project.write("keeper.ts", imports + keeper);
    for (const run of [1, 2]) {
      const toml = `format = 1\nname = "m"\nseed = ${run}\n[stages.keeper]\nkind = "./keeper.ts"\n`;
      const path = project.write("pipeline.toml", toml);
      const loadKind = (file: string) => describeKind(file, context);
      const sluiceRoot = findSluiceHome().root;
      const pipeline = await resolvePipeline({ path, kinds, loadKind, sluiceRoot });
      const { runId, exitCode } = await runPipeline(pipeline, project.options());
      assert.equal(exitCode, 0);
      const sql = "select name, value from metric order by name";
      assert.deepEqual(await project.query(runId, sql), [["own", 0], ["worker", 0]]);
    }
  }));
