/** Real sizes over ages, executed by the engine: how near the policy of growth comes without that. */
import { defaultSchedule } from "../../src/engine/score/execution/mod.ts";
import { scoreNow } from "../../src/engine/score/mod.ts";
import {
  type AmortisedFile,
  growthAnswers,
  likeness,
  measureAnswer,
  promptOf,
  questionSpaces,
  rankedAt,
  type ScoredData,
  scoredGrowth,
  type Sizes,
} from "../../src/gfn/train/mod.ts";
import { effectiveShare, printedBy } from "./real_tables.ts";
import { growthDataset, growthTexts } from "../../stages/simulate/engine_rewards.ts";

const space = questionSpaces.growth;

/** Prints a row for each table, and medians. */
export function growthTables({ answer, card }: AmortisedFile, python: string): void {
  const tables = printedBy("growth_tables.py", python);
  console.log(
    "| table | rows | detector | TV | effective share | error of answers | straightened |",
  );
  console.log("| --- | ---: | --- | ---: | ---: | ---: | ---: |");
  const found = tables.map((line) => {
    const { name, ages, sizes }: Table = JSON.parse(line);
    const data = executed({
      id: name,
      ages: Float64Array.from(ages),
      sizes: Float64Array.from(sizes),
    });
    const prompt = promptOf(data, space);
    const shares = answer(prompt);
    const own = Float64Array.from(data.programs, (program) => shares[program] ?? -Infinity);
    const against = (logs: Float64Array) =>
      measureAnswer(data.programs, logs, data.logRewards, growthAnswers.length, space.marks);
    const { tv, inclusionError } = against(own);
    const straightened = against(space.begun(prompt, data.programs)).tv;
    const effective = effectiveShare(shares, data);
    const { isLike } = likeness(card.detector, space.detected(prompt));
    const numbers = [tv, effective, inclusionError, straightened].map((one) => one.toFixed(3));
    const passes = isLike ? "passes" : "refused";
    console.log(`| ${data.id} | ${data.rows.rows} | ${passes} | ${numbers.join(" | ")} |`);
    return { tv, straightened, isLike };
  });
  const passed = found.filter(({ isLike }) => isLike);
  for (const [name, some] of [["all", found], ["passed", passed]] as const) {
    const [tv, straightened] = (["tv", "straightened"] as const).map((key) =>
      rankedAt(some.map((one) => one[key]), 0.5).toFixed(3)
    );
    console.log(`${name}, ${some.length}: median TV ${tv}, straightened ${straightened}`);
  }
}

interface Table {
  readonly name: string;
  readonly ages: readonly number[];
  readonly sizes: readonly number[];
}

/** Sizes with the engine's scores of all programs that have one. */
export function executed(one: Sizes & { readonly id: string }): ScoredData {
  const dataset = growthDataset(one);
  const scored = [...growthTexts(dataset)].map(([program, text]) => {
    return { program, elpd: scoreNow(text, dataset, defaultSchedule).score?.elpdLoo };
  }).sort((one, other) => one.program - other.program);
  return scoredGrowth(one, scored);
}
