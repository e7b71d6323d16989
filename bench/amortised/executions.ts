/** Executions until a surrogate is near the target, with a policy's mean and without. */
import { RandomStream } from "../../src/base/random.ts";
import type { Environment, TerminalObject } from "../../src/gfn/environments/mod.ts";
import { activeSurrogate, defaultSurrogate, type PriorMean } from "../../src/gfn/evaluation/mod.ts";
import {
  type AmortisedFile,
  measureAnswer,
  promptOf,
  questionsOf,
  type QuestionSpace,
  questionSpaces,
  type ScoredData,
} from "../../src/gfn/train/mod.ts";

/** Programs that are executed before the first round, and nats that count as deep. */
export interface Search {
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

async function until(data: ScoredData, wanted: number, search: Search) {
  const predictors = data.rows.columns.length;
  const environment = questionsOf("regression", predictors);
  const objects = [...environment.enumerate()];
  const asked = { data, environment, objects, programs: objects.map(bitsOf) };
  const budget = Math.min(objects.length, mostExecutions);
  return await executionsOf({ ...asked, space: questionSpaces.regression, budget, wanted }, search);
}

/** A search: a data set's objects, the program that each is, and where to end. */
interface Searched {
  readonly data: ScoredData;
  readonly space: QuestionSpace;
  readonly environment: Environment;
  readonly objects: readonly TerminalObject[];
  readonly programs: readonly number[];
  readonly budget: number;
  /** Total variation at which it ends. */
  readonly wanted: number;
}

/** Executions of a search; Infinity where its budget does not reach. */
export async function executionsOf(
  { data, space, environment, objects, programs, budget, wanted }: Searched,
  { first, depth, mean }: Search,
): Promise<number> {
  const rewards = new Map(Array.from(data.programs, (one, m) => [one, data.logRewards[m]]));
  const truth = programs.map((program) => rewards.get(program)!);
  const rewardOf = new Map(objects.map(({ text }, k) => [text, truth[k]]));
  const answers = space.answers(data.rows.columns.length);
  let found = Infinity;
  const search = activeSurrogate({
    ...{ ...defaultSurrogate, depth, environment, objects, first, growth: 0.15, budget },
    ...(mean && { mean }),
    ask: (some) => {
      if (found < Infinity) throw new Arrived();
      return Promise.resolve(some.map(({ text }) => rewardOf.get(text) ?? -Infinity));
    },
    random: new RandomStream("executions", data.id),
    onRound: ({ asked, surrogate }) => {
      const logs = surrogate.logRewards(objects);
      const { tv } = measureAnswer(programs, logs, truth, answers, space.marks);
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
