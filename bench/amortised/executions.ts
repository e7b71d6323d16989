/** Executions until a surrogate is near the target, with a policy's mean and without. */
import { RandomStream } from "../../src/base/random.ts";
import type { Environment, TerminalObject } from "../../src/gfn/environments/mod.ts";
import { activeSurrogate, type PriorMean } from "../../src/gfn/evaluation/mod.ts";
import {
  type AmortisedFile,
  measureAnswer,
  promptOf,
  questionsEnvironment,
  type ScoredData,
} from "../../src/gfn/train/mod.ts";

/** Programs that are executed before the first round, and nats that count as deep. */
interface Search {
  readonly first: number;
  readonly depth: number;
  readonly mean?: PriorMean;
}

/** Without a mean: the better of few and of many first programs. */
const without: readonly Search[] = [
  { first: 10, depth: 15 },
  { first: 60, depth: 15 },
];

/** Executions after which a search is given up. */
const mostExecutions = 400;

/** Executions until the total variation is at most `wanted`: without a mean, and with the policy's. */
export async function executionsUntil(
  { answer }: AmortisedFile,
  data: ScoredData,
  wanted: number,
): Promise<readonly [alone: number, begun: number]> {
  const p = data.rows.columns.length;
  const values = [...answer(promptOf(data))];
  const mean = { productions: Array.from({ length: p }, (_, j) => `x${j + 1}`), values };
  const alone: number[] = [];
  for (const search of without) alone.push(await until(data, wanted, search));
  return [Math.min(...alone), await until(data, wanted, { first: 10, depth: 60, mean })];
}

async function until(data: ScoredData, wanted: number, { first, depth, mean }: Search) {
  const p = data.rows.columns.length;
  const environment = questionsEnvironment({ space: "regression", predictors: p }) as Environment;
  const objects = [...environment.enumerate()];
  const rewards = new Map(Array.from(data.programs, (bits, m) => [bits, data.logRewards[m]]));
  const rewardOf = (one: TerminalObject) => rewards.get(bitsOf(one))!;
  const truth = objects.map(rewardOf);
  const bits = objects.map(bitsOf);
  let found = Infinity;
  const search = activeSurrogate({
    ...{ points: 3000, choosing: 300, depth, environment, objects, first, growth: 0.15 },
    ...(mean && { mean }),
    ask: (some) => {
      if (found < Infinity) throw new Arrived();
      return Promise.resolve(some.map(rewardOf));
    },
    budget: Math.min(objects.length, mostExecutions),
    random: new RandomStream("executions", data.id),
    onRound: ({ asked, surrogate }) => {
      const { tv } = measureAnswer(bits, surrogate.logRewards(objects), truth, p);
      if (tv <= wanted) found = Math.min(found, asked);
    },
  });
  await search.catch((error) => {
    if (!(error instanceof Arrived)) throw error;
  });
  return found;
}

/** Ends a search that is near enough. */
class Arrived extends Error {}

function bitsOf({ actions }: TerminalObject): number {
  return actions.slice(0, -1).reduce((sum, action, j) => sum + (action % 2) * 2 ** j, 0);
}
