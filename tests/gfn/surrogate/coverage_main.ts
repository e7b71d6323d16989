/**
 * How often intervals of surrogates hold what they have not seen, and how near they come: `deno task
 * coverage:surrogates [GRAMMAR REWARDS]`. Regressions with their exact rewards; of a grammar those in a
 * file, which `sluice query --format json --out REWARDS "select program, log_reward from enumeration"`
 * writes. A line for each seed, 100 held-out objects in each.
 */
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
import { grammarEnvironment, readGrammar } from "../../../src/gfn/grammar/mod.ts";
import { parseTomlFile } from "../../../src/pipeline/toml/parse.ts";

interface Space {
  readonly name: string;
  readonly environment: Environment;
  readonly objects: readonly TerminalObject[];
  readonly logReward: ReadonlyMap<string, number>;
}

const seeds = [1, 2, 3, 4, 5];

function regressions(terms: number, seed: number): Space {
  const environment = regressionsEnvironment({ ...defaultRegressions, terms, seed }) as Environment;
  const objects = [...environment.enumerate()];
  const logReward = new Map(objects.map((one) => [one.text, one.logReward!]));
  return { name: `2^${terms} regressions`, environment, objects, logReward };
}

function programs(path: string, rewards: string): Space {
  const spec = readGrammar(parseTomlFile(Deno.readTextFileSync(path), path), path);
  const environment = grammarEnvironment(spec) as Environment;
  const rows: { program: string; log_reward: number }[] = JSON.parse(
    Deno.readTextFileSync(rewards),
  );
  const logReward = new Map(rows.map(({ program, log_reward }) => [program, log_reward]));
  return { name: path, environment, objects: [...environment.enumerate()], logReward };
}

async function line(
  { name, environment, objects, logReward }: Space,
  budget: number,
  seed: number,
) {
  const random = new RandomStream("coverage of surrogates", seed);
  const of = (some: readonly TerminalObject[]) => some.map(({ text }) => logReward.get(text)!);
  const surrogate = await activeSurrogate({
    ...{ ...defaultSurrogate, environment, objects, random, budget, first: 60, growth: 0.15 },
    ask: (some) => Promise.resolve(of(some)),
  });
  const truth = Float64Array.from(of(objects));
  const logs = surrogate.logRewards(objects);
  const [z, own] = [logSumExp(truth), logSumExp(logs)];
  const apart = truth.map((one, x) => Math.abs(Math.exp(one - z) - Math.exp(logs[x] - own)));
  const drawn = heldOutObjects(surrogate, 100, { environment, objects, random });
  const { coverage, coverage_50, rmse } = calibrationOn(surrogate, drawn, of(drawn));
  const tv = apart.reduce((sum, one) => sum + one, 0) / 2;
  const { factor } = surrogate.calibration;
  return { space: name, seed, scored: budget, tv, coverage, coverage_50, rmse, factor };
}

const [grammar, rewards] = Deno.args;
for (const seed of seeds) {
  const spaces = [[regressions(10, seed), 150], [regressions(14, seed), 500]] as const;
  const given = rewards ? [[programs(grammar, rewards), 800] as const] : [];
  for (const [space, budget] of [...spaces, ...given]) {
    console.log(JSON.stringify(await line(space, budget, seed)));
  }
}
