/** Executions until a surrogate of growth curves is near the target, with a policy's mean and without. */
import { readFileSync } from "node:fs";
import { RandomStream } from "../../src/base/random.ts";
import type { TerminalObject } from "../../src/gfn/environments/mod.ts";
import { activeSurrogate, type PriorMean } from "../../src/gfn/evaluation/mod.ts";
import {
  type AmortisedFile,
  decodeDataSets,
  environmentOfQuestions,
  growthAnswers,
  measureAnswer,
  promptOf,
  questionSpaces,
  rankedAt,
  type ScoredData,
} from "../../src/gfn/train/mod.ts";
import { keepResults, type Saved } from "./picture.ts";

const space = questionSpaces.growth;

/** Total variation at which a search ends. */
const wanted = 0.02;

/** Prints executions of each held-out data set of an artifact of `simulate`. */
export async function growthExecutions(file: AmortisedFile, path: string): Promise<void> {
  const { heldOut } = decodeDataSets(readFileSync(path));
  const ratios: number[] = [];
  const saved: Saved[] = [];
  for (const data of heldOut) {
    const [alone, begun] = [
      await best(data),
      await until(data, { first: 10, mean: meanOf(file, data) }),
    ];
    ratios.push(alone / begun);
    saved.push({ group: "growth", id: data.id, alone, begun });
    console.log(`${data.id}: ${alone} without, ${begun} with the policy's mean`);
  }
  keepResults(saved);
  const [median, least] = [rankedAt(ratios, 0.5), Math.min(...ratios)];
  console.log(
    `${heldOut.length} data sets: median ratio ${median.toFixed(2)}, least ${least.toFixed(2)}`,
  );
}

/** Without a mean: the better of few and of more first programs. */
async function best(data: ScoredData): Promise<number> {
  return Math.min(await until(data, { first: 10 }), await until(data, { first: 20 }));
}

/** The policy's shares by which answers a program gives. */
function meanOf({ answer }: AmortisedFile, data: ScoredData): PriorMean {
  const shares = answer(promptOf(data, space));
  const values: Record<number, number> = {};
  for (const program of data.programs) {
    const place = space.marks(program).reduce((sum, j) => sum + 2 ** j, 0);
    values[place] = Math.max(-60, shares[program] ?? -60);
  }
  return { productions: growthAnswers.map(({ answer }) => answer), values };
}

async function until(
  data: ScoredData,
  { first, mean }: { readonly first: number; readonly mean?: PriorMean },
): Promise<number> {
  const environment = environmentOfQuestions({ space: "growth" });
  const programOf = new Map([...environment.enumerate()].map(({ text }, place) => [text, place]));
  const rewards = new Map(Array.from(data.programs, (one, m) => [one, data.logRewards[m]]));
  const rewardOf = ({ text }: TerminalObject) => rewards.get(programOf.get(text)!) ?? -Infinity;
  const objects = [...environment.enumerate()].filter((one) => rewardOf(one) > -Infinity);
  const programs = objects.map(({ text }) => programOf.get(text)!);
  const truth = objects.map(rewardOf);
  let found = Infinity;
  const search = activeSurrogate({
    ...{ points: 3000, choosing: 300, depth: mean ? 60 : 15, growth: 0.15 },
    ...{ environment, objects, first, ...(mean && { mean }), budget: objects.length },
    ask: (some) => {
      if (found < Infinity) throw new Arrived();
      return Promise.resolve(some.map(rewardOf));
    },
    random: new RandomStream("executions", data.id),
    onRound: ({ asked, surrogate }) => {
      const { tv } = measureAnswer(
        programs,
        surrogate.logRewards(objects),
        truth,
        growthAnswers.length,
        space.marks,
      );
      if (tv <= wanted) found = Math.min(found, asked);
    },
  });
  await search.catch((error) => {
    if (!(error instanceof Arrived)) throw error;
  });
  return Math.min(found, objects.length);
}

/** Ends a search that is near enough. */
class Arrived extends Error {}
