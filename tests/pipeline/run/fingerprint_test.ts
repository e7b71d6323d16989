/** Fingerprints: facts that change them, and facts that must not. */
import assert from "node:assert/strict";
import type { FingerprintFacts } from "../../../src/pipeline/plan/fingerprint.ts";
import {
  changedParts,
  fingerprintOf,
  fingerprintParts,
} from "../../../src/pipeline/plan/fingerprint.ts";
import type { ResolvedStage, Wire } from "../../../src/pipeline/read/resolved.ts";
import { kinds, walkPipeline, withProject } from "./project.ts";
import { declarationOf } from "../../../src/pipeline/read/declaration.ts";

const facts: FingerprintFacts = {
  modules: "m",
  seed: 1,
  artifacts: new Map([["left.value", "a"], ["start.walk", "w"]]),
  service: () => "e",
  tensors: "wasm",
  fileDigest: (path) => `content of ${path.split("/").at(-1)}`,
  modelDigest: (name) => `digest of ${name}`,
  variable: (name) => name === "SET" ? "value" : undefined,
};

const wire: Wire = { stage: "left", port: "value", scope: "stage", type: "number" };

const stage: ResolvedStage = {
  name: "sum",
  kind: "adder",
  declaration: declarationOf(kinds.get("adder")!),
  params: {},
  rawParams: { most: 5, nested: { path: "data.txt" } },
  inputs: { a: wire },
  wired: {},
  files: [{ param: "nested.path", path: "/here/data.txt" }],
  modules: [],
  retries: 1,
};

const print = (s: Partial<ResolvedStage> = {}, f: Partial<FingerprintFacts> = {}) =>
  fingerprintOf(fingerprintParts({ ...stage, ...s }, { ...facts, ...f }));

const declared = (more: Partial<ResolvedStage["declaration"]>) => {
  const { kind, version, description, params, inputs, outputs } = stage.declaration;
  const plain = { kind, version, description, params, inputs, outputs, paramsJsonSchema: {} };
  return { declaration: { ...plain, ...more } };
};

Deno.test("a fingerprint does not depend on retries, timeouts or places on disk", () => {
  const moved = [{ param: "nested.path", path: "/elsewhere/data.txt" }];
  const { rawParams } = stage;
  assert.equal(print({ retries: 9, timeout: 3 }), print());
  assert.equal(print({ files: moved, params: { other: 1 } }), print());
  assert.equal(
    print({ rawParams: { nested: { path: "../data.txt" }, most: rawParams.most } }),
    print(),
  );
  assert.equal(print({}, { seed: 2, service: () => "f", tensors: "cpu" }), print());
});

Deno.test("the name of a stage that draws nothing is not in its fingerprint", () => {
  assert.equal(print({ name: "total" }), print());
});

Deno.test("a fingerprint depends on the digest of a model, not on its place", () => {
  const paramsJsonSchema = { properties: { model: { type: "string", format: "model-name" } } };
  const naming = { ...declared({ paramsJsonSchema }), params: { model: "tiny" } };
  const other = { modelDigest: () => "another digest" };
  assert.notEqual(print(naming), print(naming, other));
  assert.equal(print({}), print({}, other));
});

Deno.test("a fingerprint depends on everything that outputs depend on", () => {
  const random = declared({ random: true });
  const [lent, tensors] = [declared({ uses: ["executor"] }), declared({ tensors: true })];
  const env = (name: string) => declared({ permissions: { env: [name] } });
  const all = [
    print(),
    print({ rawParams: { ...stage.rawParams, most: 6 } }),
    print({ files: [{ param: "nested.path", path: "/here/other.txt" }] }),
    print({ kindPath: "/here/mine.ts" }),
    print({}, { modules: "n" }),
    print({}, { artifacts: new Map([["left.value", "b"]]) }),
    print({ wired: { compare: { x: wire } } }),
    print(declared({ version: 2 })),
    print(declared({ permissions: { net: ["example.org"] } })),
    print(random),
    print(random, { seed: 2 }),
    print({ ...random, name: "total" }),
    print(lent),
    print(lent, { service: () => "f" }),
    print(tensors),
    print(tensors, { tensors: "cpu" }),
    print(env("SET")),
    print(env("UNSET")),
    print(env("SET"), { variable: () => "another" }),
  ];
  assert.equal(new Set(all).size, all.length);
  assert.equal(print(random), print(random, { service: () => "f" }));
});

Deno.test("of a loop, steps, wiring and inner parameters count, and how often it saves does not", () =>
  withProject(async (project) => {
    const partsWith = async (...sets: string[]) =>
      fingerprintParts((await project.resolve(walkPipeline, sets)).stages[1], facts);
    const base = await partsWith();
    const changed = async (set: string) =>
      changedParts(base, await partsWith(set)).map(({ path }) => path);
    assert.deepEqual(await changed("stages.train.checkpoint_every=3"), []);
    assert.deepEqual(await changed("stages.train.steps=61"), ["loop.steps"]);
    assert.deepEqual(await changed("stages.train.stages.look.every=3"), ["loop.stages.1.every"]);
    const inner = await changed("stages.train.stages.move.milliseconds=2");
    assert.deepEqual(inner, ["loop.stages.0.params.milliseconds"]);
  }));
