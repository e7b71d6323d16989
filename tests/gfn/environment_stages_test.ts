/** The stage kinds that make environments: defaults, artifacts, and environments of one's own. */
import assert from "node:assert/strict";
import { type ColumnRole, makeDataset } from "../../src/base/dataset.ts";
import { InputError } from "../../src/base/diagnostic.ts";
import ladder from "../../docs/examples/ladder_environment.ts";
import {
  customEnvironment,
  defineEnvironment,
} from "../../src/gfn/environments/define_environment.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { checkProgram } from "../../src/engine/language/pymc/check.ts";
import { ports } from "../../stages/ports/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/stage.ts";
import { kindOf } from "../../src/pipeline/host/kinds.ts";
import { builtInKindFile } from "../../stages/mod.ts";
import { checkEnvironment } from "../../src/gfn/environments/check_environment.ts";
import { threeLeaves } from "./tree_environment.ts";

/** The environment whose objects claim that one action led to each of them. */
function claimingFirst(environment: ReturnType<typeof threeLeaves>) {
  const claim = (state: Parameters<typeof environment.terminal>[0]) => ({
    ...environment.terminal(state),
    actions: [1, environment.exitAction],
  });
  return new Proxy(environment, {
    get(own, key) {
      if (key === "terminal") return claim;
      const value = Reflect.get(own, key, own);
      return typeof value === "function" ? value.bind(own) : value;
    },
  });
}

const three = defineEnvironment({
  name: "three",
  version: 2,
  create: ({ broken }) => {
    const environment = threeLeaves();
    if (broken === "at the end") return claimingFirst(environment);
    return broken ? Object.assign(Object.create(environment), { exitAction: 9 }) : environment;
  },
});

const context = {
  plugin: (path: string) => path.endsWith("three.ts") ? three : { name: "no environment" },
  log: () => {},
} as unknown as StageContext;

async function run(
  kind: string,
  params: Record<string, unknown>,
  inputs: Record<string, unknown> = {},
): Promise<Environment> {
  const stage = kindOf(await import(builtInKindFile(kind)), kind);
  assert.ok(stage, kind);
  const instance = stage.open(stage.params.parse(params));
  const outputs = await instance.run(context, inputs) as { readonly environment: Environment };
  return outputs.environment;
}

for (
  const [kind, count] of [
    ["hypergrid", 64],
    ["bit_sequence", 65536],
    ["expression", 3477],
    ["numbers", 100],
    ["regressions", 1024],
    ["strings", 161051],
    ["conjugate_programs", 4374],
  ] as const
) {
  Deno.test(`stage kind ${kind} makes an environment by itself, and its artifact remakes it`, async () => {
    const before = await run(kind, {});
    assert.equal(before.kind, kind);
    assert.equal(before.count, count);
    const bytes = await ports.environment.encode(before);
    const after = await ports.environment.decode(bytes, { plugins: new Map() });
    assert.equal(after.digest, before.digest);
  });
}

Deno.test("an environment of one's own keeps the laws and survives its artifact", async () => {
  const before = await run("environment", { path: "./three.ts" });
  checkEnvironment(before);
  const bytes = await ports.environment.encode(before);
  const after = await ports.environment.decode(bytes, { plugins: new Map([["three.ts", three]]) });
  assert.equal(after.digest, before.digest);
  checkEnvironment(after);
});

Deno.test("an environment of one's own that was not loaded is a fault", async () => {
  const bytes = await ports.environment.encode(await run("environment", { path: "./three.ts" }));
  await assert.rejects(ports.environment.decode(bytes, { plugins: new Map() }), /not loaded/);
});

Deno.test("a module that is no environment, or contradicts itself, is refused", async () => {
  await assert.rejects(run("environment", { path: "./judge.ts" }), (error) => {
    return error instanceof InputError && error.message.includes("is not an environment");
  });
  const broken = run("environment", { path: "./three.ts", parameters: { broken: true } });
  await assert.rejects(broken, /exitAction is 9, and there are 4 actions/);
  const later = run("environment", { path: "./three.ts", parameters: { broken: "at the end" } });
  await assert.rejects(
    later,
    /Cannot use the environment .*: the actions of \S+ lead to another object/,
  );
});

const column = (name: string, role: ColumnRole, values: number[]) => {
  return { name, role, type: "real" as const, values: Float64Array.from(values) };
};

Deno.test("conjugate programs read a data set's predictor and response by their names", async () => {
  const data = makeDataset("growth", [
    column("age", "predictor", [1, 2, 3]),
    column("length", "response", [1.1, 1.9, 3.2]),
  ]);
  const environment = await run("conjugate_programs", { terms: ["linear"] }, { data });
  assert.equal(environment.count, 18);
  for (const { text } of environment.enumerate()) assert.ok(checkProgram(text, data).ok, text);
});

Deno.test("conjugate programs refuse a data set with two predictors", async () => {
  const data = makeDataset("wide", [
    column("a", "predictor", [1]),
    column("b", "predictor", [1]),
    column("y", "response", [1]),
  ]);
  await assert.rejects(run("conjugate_programs", {}, { data }), /read one predictor/);
});

Deno.test("the ladder of the examples keeps the laws, at any height", () => {
  for (const rungs of [0, 1, 7]) checkEnvironment(customEnvironment(ladder, { rungs, pay: 1 }));
});

async function stringsOf(table: unknown): Promise<Environment> {
  const path = await Deno.makeTempFile({ suffix: ".json" });
  try {
    await Deno.writeTextFile(path, typeof table === "string" ? table : JSON.stringify(table));
    return await run("strings", { blocks: 2, length: 2, exponent: 1, table: path });
  } finally {
    await Deno.remove(path);
  }
}

Deno.test("strings read measured scores, which survive the artifact", async () => {
  const before = await stringsOf({ AA: 0.01, AB: 0.02, BB: 0.04, BA: 0.03 });
  checkEnvironment(before);
  const bytes = await ports.environment.encode(before);
  const after = await ports.environment.decode(bytes, { plugins: new Map() });
  const rewards = [...after.enumerate()].map(({ logReward }) => Math.exp(logReward!).toFixed(9));
  assert.deepEqual(rewards, ["1.000000000", "2.000000000", "3.000000000", "4.000000000"]);
  assert.notEqual(before.digest, (await run("strings", { blocks: 2, length: 2 })).digest);
});

for (
  const [table, wanted] of [
    ["[1, 2]", /holds no JSON object/],
    ["{", /Cannot read the scores in .*json/],
    [{ AA: 1, AB: 1 }, /"BA", "BB" have no score/],
    [{ AA: 1, AB: 1, BA: 1, BB: "x" }, /"BB" have a score that is no finite number/],
    [{ AA: 1, AB: 1, BA: 1, BB: 1, AAA: 1, CA: 1 }, /"AAA", "CA" are no strings/],
  ] as const
) {
  Deno.test(`a table of scores is refused: ${wanted.source}`, async () => {
    await assert.rejects(stringsOf(table), (error) => {
      return error instanceof InputError && wanted.test(error.message);
    });
  });
}
