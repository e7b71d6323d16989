/** Rewards of simulated data sets by the engine: each with a space of its own, its programs executed. */
import { type Dataset, datasetToJson, makeDataset } from "../../src/base/dataset.ts";
import { defaultSchedule, type Execution } from "../../src/engine/score/execution/mod.ts";
import type { TerminalObject } from "../../src/gfn/environments/mod.ts";
import {
  grammarEnvironment,
  type GrammarMeaning,
  meaningOf,
  spaceGrammar,
} from "../../src/gfn/grammar/mod.ts";
import {
  growthFamilies,
  growthPlace,
  type ScoredData,
  scoredGrowth,
  type UnscoredGrowth,
} from "../../src/gfn/train/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";

/** Data sets whose programs are executed at once: workers have the next ones while some are slow. */
const together = 4;

/**
 * The ELPD-LOO of the chosen programs of each data set, as `rank` would have them; programs without a
 * score are left out.
 */
export async function engineRewards(
  context: StageContext,
  sets: readonly UnscoredGrowth[],
  onScored: () => void,
): Promise<ScoredData[]> {
  const scored: ScoredData[] = [];
  for (let from = 0; from < sets.length; from += together) {
    const some = sets.slice(from, from + together);
    const found = await Promise.all(some.map((one) => executedGrowth(context, one)));
    found.forEach(onScored);
    scored.push(...found);
  }
  return scored;
}

async function executedGrowth(context: StageContext, one: UnscoredGrowth): Promise<ScoredData> {
  const dataset = growthDataset(one);
  const texts = growthTexts(dataset);
  const asked = [...one.programs].flatMap((program) => {
    const text = texts.get(program);
    return text === undefined ? [] : [{ program, text }];
  });
  const executions = await context.execute<Execution>({
    programs: asked.map(({ text }) => text),
    dataset: datasetToJson(dataset),
    executor: "native",
    schedule: defaultSchedule,
    purpose: "check",
  });
  const scores = executions.map(({ score }) => score?.elpdLoo);
  return scoredGrowth(one, asked.map(({ program }, i) => ({ program, elpd: scores[i] })));
}

/** A table of ages and sizes. */
export function growthDataset(
  { id, ages, sizes }: Pick<UnscoredGrowth, "id" | "ages" | "sizes">,
): Dataset {
  return makeDataset(id, [
    { name: "size", role: "response", type: "real", values: sizes },
    { name: "age", role: "predictor", type: "real", values: ages },
  ]);
}

/** Texts of the space's programs by their places in the vocabulary; of several spellings the first. */
export function growthTexts(dataset: Dataset): ReadonlyMap<number, string> {
  const spec = spaceGrammar(dataset, {
    space: "growth",
    formula: "size ~ age",
    families: growthFamilies,
  });
  const meaning = meaningOf(spec);
  const texts = new Map<number, string>();
  for (const object of grammarEnvironment(spec).enumerate()) {
    const program = placeOf(meaning, object);
    if (!texts.has(program)) texts.set(program, object.text);
  }
  return texts;
}

function placeOf(meaning: GrammarMeaning, { features }: TerminalObject): number {
  const { answers } = meaning.of(features);
  const said = Object.fromEntries(
    meaning.questions.map(({ question }, q) => [question, answers[q]]),
  );
  return growthPlace(said);
}
