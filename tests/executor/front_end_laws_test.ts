/** Every built-in executor says who it is and how it reads; one that Sluice adds is read as a stranger's. */
import assert from "node:assert/strict";
import { defineExecutor, type Reading } from "../../src/executor/define_executor.ts";
import { Executor } from "../../src/executor/executor.ts";
import type { BuiltInExecutor } from "../../src/executor/front_ends/front_end.ts";
import {
  builtInExecutor,
  builtInExecutors,
  containerName,
  executorNames,
} from "../../src/executor/front_ends/mod.ts";
import { digestOfBuiltIn, openExecutor } from "../../src/executor/front_ends/open_executor.ts";
import { denoLauncher } from "../../src/sandbox/launcher.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { dataset, fakeWorker, limits, schedule } from "./fake.ts";

for (const [name, executor] of builtInExecutors) {
  Deno.test(`the executor ${name} has its name, and a digest unless the engine reads`, () => {
    assert.match(name, /^[a-z][a-z0-9_]*$/);
    assert.equal(executor.name, name);
    const digest = digestOfBuiltIn(executor);
    const byEngine = "reads" in executor && executor.reads === "engine";
    if (byEngine) assert.equal(digest, undefined);
    else assert.match(digest!, /^[0-9a-f]{64}$/);
  });
}

Deno.test("one executor reads by the engine itself, and is the default; each has a digest of its own", () => {
  const all = [...builtInExecutors.values()];
  const byEngine = all.filter((one) => digestOfBuiltIn(one) === undefined);
  assert.deepEqual(byEngine.map(({ name }) => name), executorNames.slice(0, 1));
  assert.equal(new Set(all.map(digestOfBuiltIn)).size, all.length);
});

/** Executes a program by an executor that Sluice might bring, with the toy engine. */
async function executeBy(program: string, executor: BuiltInExecutor) {
  const root = temporaryFolder();
  const executors = new Map([[executor.name, executor]]);
  const all = new Executor({
    root,
    workers: 1,
    limits,
    workerFile: fakeWorker,
    launcher: denoLauncher,
    executors,
  });
  try {
    const request = { dataset, schedule, executor: executor.name };
    return (await all.executeAll([program], request))[0];
  } finally {
    await all.close();
    Deno.removeSync(root, { recursive: true });
  }
}

/** An executor that makes the same of every program. */
function planted(reading: Reading, level: "L0" | "L1" = "L1"): BuiltInExecutor {
  return defineExecutor({ name: "planted", level, digest: "1", read: () => reading });
}

Deno.test("a built-in executor may return a text, a graph or a refusal, as a stranger's may", async () => {
  const text = await executeBy("la la", planted({ kind: "text", text: "score 2" }));
  assert.deepEqual([text.outcome.score?.elpdLoo, text.level], [2, "L1"]);
  const graph = await executeBy("score 4", planted({ kind: "graph", graph: { nodes: [] } }));
  assert.equal(graph.outcome.score?.elpdLoo, 4);
  const refused = await executeBy("la la", planted({ kind: "rejected", message: "no song" }));
  const { status, engine, diagnostics } = refused.outcome;
  assert.deepEqual([status, engine, diagnostics[0].message], ["rejected", "planted", "no song"]);
});

Deno.test("a built-in executor with processes of its own may return a text, and a failure", async () => {
  const open = (result: object): BuiltInExecutor => ({
    name: "planted",
    reads: "processes",
    digest: () => "0".repeat(64),
    open: () =>
      Promise.resolve({
        extract: () =>
          Promise.resolve({ level: "L2", attestation: "a", wallMs: 1000, ...result } as never),
      }),
  });
  const mayRun = "claim error"; // as a worker answers that a text may run
  const text = await executeBy(mayRun, open({ kind: "text", text: "score 3" }));
  assert.equal(text.outcome.score?.elpdLoo, 3);
  assert(text.wallMs >= 1000, "the time of reading counts");
  const execution = { status: "error", engine: "planted", engineVersion: "1", diagnostics: [] };
  const failed = await executeBy(mayRun, open({ kind: "failed", execution }));
  assert.deepEqual([failed.outcome.status, failed.level], ["error", "L2"]);
});

Deno.test("an executor that nobody brings is an error, and no silent native", async () => {
  const root = temporaryFolder();
  const all = new Executor({ root, workers: 1, workerFile: fakeWorker, launcher: denoLauncher });
  const asked = all.executeAll(["score 1"], { dataset, schedule, executor: "stan" });
  await assert.rejects(asked, /there is no executor "stan"/);
  await all.close();
  const limits = { root, slots: 1, origin: "grammar", refuse: "asked" } as const;
  assert(openExecutor(planted({ kind: "text", text: "" }), limits));
  // @ts-expect-error: an executor with a digest has to open something
  const silent: BuiltInExecutor = { name: "silent", reads: "processes", digest: () => "" };
  assert.throws(() => openExecutor(silent, limits), TypeError);
});

Deno.test("a container's scores depend on its image and packages, not on the engine that starts it", () => {
  const image = `sha256:${"0".repeat(64)}`;
  const digest = (settings: object) =>
    digestOfBuiltIn(builtInExecutor(containerName({ kind: "container", image, ...settings }))!);
  const base = digest({});
  assert.equal(digest({ engine: "docker", runtime: "runc", packages: [] }), base);
  const others = [
    digest({ image: `sha256:${"1".repeat(64)}` }),
    digest({ packages: ["patsy"] }),
    digest({ python: "/opt/conda/bin/python" }),
    digestOfBuiltIn(builtInExecutor("pymc")!),
  ];
  assert.equal(new Set([base, ...others]).size, 5);
  assert.equal(builtInExecutor("container"), undefined);
});

/** Settings by which a stage would have this machine do more than a target's may. */
const beyond: readonly (readonly [RegExp, Readonly<Record<string, unknown>>])[] = [
  [/runtime: wanted a name/, { runtime: "/project/start_me" }],
  [/runtime: wanted a name/, { runtime: "../start_me" }],
  [/image: wanted an image by its content/, { image: `--privileged@sha256:${"0".repeat(64)}` }],
  [/image: wanted an image by its content/, { image: "python:3.11" }],
  [/engine: Invalid option/, { engine: "/project/podman" }],
  [/python: wanted an absolute path/, { python: "python3" }],
  [/packages\.0: wanted the name/, { packages: ["os.path"] }],
  [/Unrecognized key: "volumes"/, { volumes: ["/:/host"] }],
];

Deno.test("a stage asks for no container that a target could not name", async () => {
  const root = temporaryFolder();
  const all = new Executor({
    ...{ root, workers: 1, limits, workerFile: fakeWorker },
    launcher: denoLauncher,
  });
  const image = `sha256:${"0".repeat(64)}`;
  const ask = async (executor: string, why: RegExp) =>
    await assert.rejects(all.executeAll(["1"], { dataset, schedule, executor }), why);
  for (const [why, settings] of beyond) {
    await ask(`container ${JSON.stringify({ kind: "container", image, ...settings })}`, why);
  }
  await ask(containerName({ kind: "container", image }), /no target of the pipeline names it/);
  await ask("container image", /it is no JSON/);
  await ask("container null", /Cannot use the executor container null/);
  await all.close();
  Deno.removeSync(root, { recursive: true });
});
