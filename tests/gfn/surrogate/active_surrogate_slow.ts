/** Surrogates that choose: near the target for a few of its rewards, and right about how sure they are. */
import assert from "node:assert/strict";
import { logSumExp } from "../../../src/numerics/math/log_sum_exp.ts";
import { RandomStream } from "../../../src/base/random.ts";
import { activeSurrogate } from "../../../src/gfn/baselines/active_surrogate.ts";
import { heldOutObjects } from "../../../src/gfn/baselines/held_out_objects.ts";
import type { Environment, TerminalObject } from "../../../src/gfn/environments/environment.ts";
import {
  defaultRegressions,
  regressionsEnvironment,
} from "../../../src/gfn/environments/regressions.ts";
import { calibrationOn } from "../../../src/gfn/evaluation/surrogate/calibration.ts";
import { defaultSurrogate } from "../../../src/gfn/evaluation/surrogate/reward_surrogate.ts";

const ask = (objects: readonly TerminalObject[]) =>
  Promise.resolve(objects.map(({ logReward }) => logReward!));

function spaceOf(seed: number) {
  const environment = regressionsEnvironment({ ...defaultRegressions, seed }) as Environment;
  return { environment, objects: [...environment.enumerate()] };
}

Deno.test("150 of 1,024 rewards are enough for a total variation of 0.02, on four of four", async () => {
  for (const seed of [0, 1, 2, 3]) {
    const { environment, objects } = spaceOf(seed);
    const random = new RandomStream("active", seed);
    let asked = 0;
    const surrogate = await activeSurrogate({
      ...defaultSurrogate,
      ...{ environment, objects, ask, random, budget: 150, first: 40, growth: 0.2 },
      onRound: (round) => asked = round.asked,
    });
    assert.equal(asked, 150);
    assert.equal(surrogate.size, 150);
    const logs = surrogate.logRewards(objects);
    const truth = Float64Array.from(objects, ({ logReward }) => logReward!);
    const [z, own] = [logSumExp(truth), logSumExp(logs)];
    const tv = truth.reduce(
      (s, one, x) => s + Math.abs(Math.exp(one - z) - Math.exp(logs[x] - own)),
      0,
    );
    assert.ok(tv / 2 < 0.02, `seed ${seed}: ${tv / 2}`);
  }
});

/** 400 predictions in 8 fits: at a true coverage of 0.9 a share below 0.8 has six standard errors. */
Deno.test("intervals of 90 % hold at least 80 % of held-out log rewards", async () => {
  let [inside, all] = [0, 0];
  for (let seed = 10; seed < 18; seed++) {
    const { environment, objects } = spaceOf(seed);
    const random = new RandomStream("held out", seed);
    const surrogate = await activeSurrogate({
      ...defaultSurrogate,
      ...{ environment, objects, ask, random, budget: 100, first: 60, growth: 0.3 },
    });
    const drawn = heldOutObjects(surrogate, 50, { environment, objects, random });
    const { coverage, count } = calibrationOn(surrogate, drawn, await ask(drawn) as number[]);
    inside += coverage * count;
    all += count;
  }
  assert.equal(all, 400);
  assert.ok(inside / all >= 0.8, `${inside / all}`);
});
