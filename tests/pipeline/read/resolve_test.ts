/** Resolution of a good pipeline: order, wires, loops, paths, kinds by path, and provenance. */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { InputError } from "../../../src/base/diagnostic.ts";
import type { StageKindDeclaration } from "../../../src/pipeline/read/declaration.ts";
import type { ResolvedStage } from "../../../src/pipeline/read/resolved.ts";
import { dugongs, messagesOf, type Project, resolveProject } from "./fake_kinds.ts";

const names = (stages: readonly ResolvedStage[]) => stages.map((stage) => stage.name);

function stageOf(stages: readonly ResolvedStage[], name: string): ResolvedStage {
  const found = stages.find((stage) => stage.name === name);
  return found ?? assert.fail(`there is no stage ${name}`);
}

Deno.test("the pipeline of the design resolves, its stages in an order that can run", async () => {
  const pipeline = await resolveProject(dugongs);
  assert.deepEqual([pipeline.name, pipeline.seed, pipeline.format], ["dugongs", 20, 1]);
  const top = ["data", "programs", "target", "warm_start", "train", "evaluate"];
  assert.deepEqual(names(pipeline.stages), top);
  const loop = stageOf(pipeline.stages, "train").loop;
  const inner = ["sample", "execute", "judge", "learn", "progress"].map((name) => `train.${name}`);
  assert.deepEqual(names(loop?.stages ?? []), inner);
  assert.equal(pipeline.checks.length, 1);
  assert.equal(pipeline.checks[0].span?.line, 69);
});

Deno.test("stages are ordered by their wires, not by their place in the file", async () => {
  const text = dugongs["pipelines/p.toml"];
  const start = text.indexOf("[stages.evaluate]");
  const end = text.indexOf("[[checks]]");
  const evaluate = text.slice(start, end);
  const first = text.indexOf("[stages.data]");
  const moved = text.slice(0, first) + evaluate + text.slice(first, start) + text.slice(end);
  const pipeline = await resolveProject({ ...dugongs, "pipelines/p.toml": moved });
  assert.equal(names(pipeline.stages).at(-1), "evaluate");
});

Deno.test("wires carry full names, ports, types and whether they lead to state", async () => {
  const { stages } = await resolveProject(dugongs);
  const train = stageOf(stages, "train");
  const learn = stageOf(train.loop!.stages, "train.learn");
  assert.deepEqual(learn.inputs, {
    policy: { stage: "train", port: "policy", scope: "state", type: "policy" },
    trajectories: {
      stage: "train.sample",
      port: "trajectories",
      scope: "stage",
      type: "trajectories",
    },
    log_reward: { stage: "train.judge", port: "log_reward", scope: "stage", type: "log_reward" },
  });
  const policy = { port: "policy", scope: "stage", type: "policy" };
  assert.deepEqual(train.loop?.state, { policy: { stage: "warm_start", ...policy } });
  assert.deepEqual(train.loop?.next, { policy: { stage: "train.learn", ...policy } });
  const { compare } = stageOf(stages, "evaluate").wired;
  assert.deepEqual(compare.sft, { stage: "warm_start", ...policy });
});

Deno.test("steps, checkpoints, every and retries are read, with their defaults", async () => {
  const { stages } = await resolveProject(dugongs);
  const train = stageOf(stages, "train");
  assert.deepEqual([train.loop?.steps, train.loop?.checkpointEvery, train.retries], [800, 50, 1]);
  assert.equal(stageOf(train.loop!.stages, "train.progress").every, 100);
  assert.equal(stageOf(train.loop!.stages, "train.learn").every, undefined);
});

Deno.test("parameters hold absolute paths, raw parameters what was written", async () => {
  const { stages } = await resolveProject(dugongs);
  const data = stageOf(stages, "data");
  const path = resolve("/project/data/dugongs.csv");
  assert.equal((data.params as { path: string }).path, path);
  assert.equal(data.rawParams.path, "../data/dugongs.csv");
  assert.deepEqual(data.files, [{ param: "path", path }]);
});

const layered: Project = {
  "pipelines/p.toml": 'format = 1\n[stages.g]\nuse = "../configs/deep/g.toml"\nkind = "grammar"\n',
  "configs/deep/g.toml": 'path = "here.toml"\nretries = 2\n',
  "configs/deep/here.toml": "",
  "over/o.toml": '[stages.g]\npath = "there.toml"\n',
  "over/there.toml": "",
  "pipelines/set.toml": "",
  "configs/last.toml": "retries = 7\n",
};

const pathOf = async (overlays: string[], sets: string[]) => {
  const { stages, values } = await resolveProject(layered, { overlays, sets });
  const value = values.find((v) => v.path === "stages.g.path");
  return [stages[0].files[0].path.slice(resolve("/project").length), value?.source, value?.file];
};

Deno.test("a path resolves against the file in which it was written", async () => {
  assert.deepEqual(await pathOf([], []), [
    "/configs/deep/here.toml",
    "use",
    "configs/deep/g.toml",
  ]);
  const overlay = ["/over/there.toml", "overlay", "over/o.toml"];
  assert.deepEqual(await pathOf(["@over/o.toml"], []), overlay);
  const set = ["/pipelines/set.toml", "set", "--set"];
  assert.deepEqual(await pathOf(["over/o.toml"], ["stages.g.path=set.toml"]), set);
});

Deno.test("a file that --set asks to use lies over what came before", async () => {
  const { stages } = await resolveProject(layered, { sets: ["stages.g.use=../configs/last.toml"] });
  assert.equal(stages[0].retries, 7);
});

Deno.test("files lists everything that was read, sources has its text", async () => {
  const { files, sources } = await resolveProject(layered, { overlays: ["over/o.toml"] });
  const read = ["pipelines/p.toml", "configs/deep/g.toml", "over/o.toml"];
  assert.deepEqual(files, read.map((name) => resolve("/project", name)));
  assert.deepEqual([...sources.keys()], read);
});

Deno.test("every value is listed with its origin, defaults without a place", async () => {
  const { values } = await resolveProject(dugongs, { sets: ["stages.train.steps=2000"] });
  const find = (path: string) => values.find((value) => value.path === path);
  assert.deepEqual(find("stages.train.steps"), {
    path: "stages.train.steps",
    value: 2000,
    source: "set",
    file: "--set",
    line: 1,
    column: 20,
  });
  const steps = find("stages.warm_start.steps");
  assert.deepEqual([steps?.source, steps?.file, steps?.line], ["use", "configs/sft_small.toml", 2]);
  const kept = find("stages.train.checkpoint_every");
  assert.deepEqual(kept, {
    path: "stages.train.checkpoint_every",
    value: 50,
    source: "default",
  });
});

Deno.test("sluice: paths stand in the package", async () => {
  const files: Project = {
    "pipelines/p.toml":
      'format = 1\n[stages.g]\nkind = "grammar"\npath = "sluice:grammars/growth.toml"\n',
    "grammars/growth.toml": "",
  };
  const { stages } = await resolveProject(files, { sluiceRoot: resolve("/project") });
  assert.equal(stages[0].files[0].path, resolve("/project/grammars/growth.toml"));
});

const mine: StageKindDeclaration = {
  kind: "mine",
  version: 1,
  description: "A user's own kind.",
  paramsJsonSchema: {
    type: "object",
    properties: {
      times: { type: "integer", minimum: 1, default: 3 },
      table: { type: "string", format: "file-path" },
    },
    required: ["table"],
    additionalProperties: false,
  },
  inputs: { policy: { type: "policy", optional: true } },
  outputs: { table: { type: "table" } },
};
const loadKind = () => Promise.resolve(mine);
const own = (params: string): Project => ({
  "pipelines/mine.ts": "",
  "pipelines/t.csv": "",
  "pipelines/p.toml": `format = 1\n[stages.m]\nkind = "./mine.ts"\n${params}\n`,
});

Deno.test("a kind named by path is declared by JSON, with defaults and file paths", async () => {
  const { stages: [stage] } = await resolveProject(own('table = "t.csv"'), { loadKind });
  assert.equal(stage.kindPath, resolve("/project/pipelines/mine.ts"));
  assert.deepEqual(stage.params, { times: 3, table: resolve("/project/pipelines/t.csv") });
  assert.equal(stage.declaration.description, "A user's own kind.");
});

Deno.test("errors in the parameters of a kind named by path read like those of any other", async () => {
  const files = own('tabel = "t.csv"\ntimes = 0');
  const message = await messagesOf(files["pipelines/p.toml"], { loadKind }, files);
  assert.equal(
    message,
    `pipelines/p.toml:4:1: Cannot read stage "m": unknown key "tabel"
   4 | tabel = "t.csv"
     | ^^^^^
  mend: did you mean "table"? Known keys: table, times

pipelines/p.toml:5:9: Cannot read stage "m": times is 0, wanted a whole number of at least 1
   5 | times = 0
     |         ^

2 errors`,
  );
});

Deno.test("a module that cannot be read as a kind is reported at its path", async () => {
  const files = own("");
  const failing = () => Promise.reject(new Error("it has no default export"));
  const message = await messagesOf(files["pipelines/p.toml"], { loadKind: failing }, files);
  assert.equal(
    message,
    `pipelines/p.toml:3:8: Cannot read stage "m": its kind cannot be read: it has no default export
   3 | kind = "./mine.ts"
     |        ^^^^^^^^^^^
  mend: the module's default export is made by defineStage`,
  );
});

Deno.test("two hundred broken stages are reported at once", async () => {
  const stages = Array.from(
    { length: 200 },
    (_, i) =>
      `[stages.s${i}]\nkind = "sft"\npolicy = "table"\nstpes = 3\nlearning_rate = 1\n` +
      'inputs = { environment = "nobody" }\n',
  );
  const files = { "pipelines/p.toml": `format = 1\n${stages.join("")}` };
  const error = await resolveProject(files).then(() => undefined, (reason) => reason);
  assert.ok(error instanceof InputError);
  const places = error.diagnostics.map(({ code, span }) => `${code} ${span?.line}`);
  const wanted = stages.flatMap((_, i) => [
    `pipeline/unknown-stage ${6 * i + 7}`,
    `toml/unknown-key ${6 * i + 5}`,
  ]);
  assert.deepEqual(places.sort(), wanted.sort());
});
