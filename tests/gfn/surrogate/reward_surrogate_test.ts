/** Surrogates: exact where scored, the same after their artifact, refused where nothing is known. */
import assert from "node:assert/strict";
import { InputError } from "../../../src/base/diagnostic.ts";
import { RandomStream } from "../../../src/base/random.ts";
import type { Environment } from "../../../src/gfn/environments/environment.ts";
import { environmentNamed } from "../../../src/gfn/environments/built_in_environments.ts";
import { hypergridEnvironment } from "../../../src/gfn/environments/hypergrid.ts";
import {
  defaultRegressions,
  exactInclusion,
  regressionsEnvironment,
} from "../../../src/gfn/environments/regressions.ts";
import {
  defaultSurrogate,
  RewardSurrogate,
} from "../../../src/gfn/evaluation/surrogate/reward_surrogate.ts";
import { inclusionProbabilities } from "../../../src/gfn/evaluation/exact.ts";
import { logSumExp } from "../../../src/numerics/math/log_sum_exp.ts";
import { ports } from "../../../stages/ports/mod.ts";

const environment = regressionsEnvironment({ ...defaultRegressions, terms: 6 }) as Environment;
const objects = [...environment.enumerate()];
const isScored = (i: number) => (7 * i) % 64 < 32;
const scored = objects.filter((_, i) => isScored(i))
  .map((object) => ({ object, logReward: object.logReward! }));
const fit = (some = scored) =>
  RewardSurrogate.fit(environment, some, defaultSurrogate, new RandomStream("surrogate"));

Deno.test("a surrogate is exact where it was scored and sure of it, and near elsewhere", () => {
  const surrogate = fit();
  const predictions = surrogate.predict(objects);
  objects.forEach(({ logReward }, i) => {
    const { mean, variance } = predictions[i];
    if (isScored(i)) assert.deepEqual([mean, variance], [logReward, 0]);
    else assert.ok(variance > 0 && Number.isFinite(mean), `${i}: ${mean} ${logReward}`);
  });
  const distribution = (logs: Float64Array) => logs.map((one) => Math.exp(one - logSumExp(logs)));
  const target = distribution(Float64Array.from(objects, ({ logReward }) => logReward!));
  const believed = distribution(surrogate.logRewards(objects));
  const distance = target.reduce((sum, one, x) => sum + Math.abs(one - believed[x]) / 2, 0);
  assert.ok(distance < 0.15, `${distance}`);
});

Deno.test("a surrogate says the same after its artifact, rewards of 0 among what it knows", async () => {
  const withZero = [...scored, { object: objects[1], logReward: -Infinity }];
  const surrogate = fit(withZero);
  const bytes = await ports.surrogate.encode({ environment, surrogate });
  const context = { plugins: new Map() };
  const after = await ports.surrogate.decode(bytes, context as never);
  assert.deepEqual(after.surrogate.predict(objects), surrogate.predict(objects));
  assert.equal(after.surrogate.known(objects[1].text), -Infinity);
});

Deno.test("objects without features are refused, with what to write", () => {
  const bare = { ...environment, kind: "bare" };
  const some = scored.map(({ object, logReward }) => ({
    object: { ...object, features: [] },
    logReward,
  }));
  assert.throws(
    () => RewardSurrogate.fit(bare, some, defaultSurrogate, new RandomStream("bare")),
    (error: unknown) => {
      assert.ok(error instanceof InputError);
      assert.match(
        error.message,
        /Cannot make a surrogate for the bare: its objects have no features/,
      );
      return true;
    },
  );
});

Deno.test("a surrogate of nothing but zeros is refused", () => {
  const zeros = scored.map(({ object }) => ({ object, logReward: -Infinity }));
  assert.throws(() => fit(zeros), /none of 32 objects has a reward above 0/);
});

Deno.test("cells of a grid are known by the numbers that describe them", () => {
  const spec = { ndim: 2, height: 8, r0: 0.1, r1: 0.5, r2: 2 };
  const grid = hypergridEnvironment(spec) as Environment;
  const cells = [...grid.enumerate()].map((object) => ({ object, logReward: object.logReward! }));
  const surrogate = RewardSurrogate.fit(grid, cells, defaultSurrogate, new RandomStream("grid"));
  assert.equal(surrogate.sets.size, 16);
});

Deno.test("inclusion of an orthogonal design by its formula is that of all its regressions", () => {
  const spec = {
    ...defaultRegressions,
    terms: 7,
    rows: 16,
    design: "orthogonal",
    noise: "known",
  } as const;
  const all = [...regressionsEnvironment(spec).enumerate()];
  const logRewards = Float64Array.from(all, ({ logReward }) => logReward!);
  const total = logSumExp(logRewards);
  const counted = inclusionProbabilities(all, logRewards.map((one) => one - total));
  exactInclusion(spec).forEach((one, j) => {
    assert.ok(Math.abs(one - counted.get(`x${j}`)!) < 1e-12, `x${j}`);
  });
});

Deno.test("a space whose objects hardly ever name a feature is refused with their number", () => {
  const bits = environmentNamed("bit_sequence", { n: 8 }) as Environment;
  const all = [...bits.enumerate()].map((object) => ({ object, logReward: object.logReward! }));
  const random = new RandomStream("bits");
  assert.throws(
    () => RewardSurrogate.fit(bits, all, defaultSurrogate, random),
    /251 of 256 objects have no features, by which two of them could be alike/,
  );
});
