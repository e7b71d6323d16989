/** Executions until a surrogate of growth curves is near the target, with a policy's mean and without. */
import { readFileSync } from "node:fs";
import type { PriorMean } from "../../src/gfn/evaluation/mod.ts";
import {
  type AmortisedFile,
  decodeDataSets,
  growthAnswers,
  promptOf,
  questionsOf,
  questionSpaces,
  rankedAt,
  type ScoredData,
} from "../../src/gfn/train/mod.ts";
import { executionsOf, type Search } from "./executions.ts";
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
      await until(data, { first: 10, depth: 60, mean: meanOf(file, data) }),
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
  const [few, more] = [{ first: 10, depth: 15 }, { first: 20, depth: 15 }];
  return Math.min(await until(data, few), await until(data, more));
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

async function until(data: ScoredData, search: Search): Promise<number> {
  const environment = questionsOf("growth", 1);
  const all = [...environment.enumerate()].map((object, program) => ({ object, program }));
  const known = all.filter(({ program }) => data.programs.includes(program));
  const [objects, programs] = [known.map((one) => one.object), known.map((one) => one.program)];
  const budget = objects.length;
  const asked = { data, space, environment, objects, programs, budget, wanted };
  return Math.min(await executionsOf(asked, search), budget);
}
