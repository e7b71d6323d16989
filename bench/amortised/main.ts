/** One policy for many data sets: real tables, data unlike its training, executions that it saves, seconds. */
import { readFileSync } from "node:fs";
import { RandomStream } from "../../src/base/random.ts";
import {
  type AmortisedFile,
  askedData,
  dataPrompt,
  drawDataSets,
  drawRows,
  likeness,
  measureAnswer,
  members,
  promptOf,
  questionSpaces,
  rankedAt,
  type RawRows,
  readAmortised,
  scoreData,
  type ScoredData,
  scoreSubset,
  simulation,
  standardRows,
  summariseData,
} from "../../src/gfn/train/mod.ts";
import { executionsUntil } from "./executions.ts";
import { familyTables } from "./families.ts";
import { growthGrammar } from "./growth_grammar.ts";
import { growthTables } from "./growth_tables.ts";
import { growthUnlike } from "./growth_unlike.ts";
import { growthExecutions } from "./growth_executions.ts";
import { keepResults, type Saved } from "./picture.ts";
import { effectiveShare, printedBy } from "./real_tables.ts";
import { unlikeSets } from "./unlike.ts";

const usage = "deno task bench amortised tables|unlike|executions|seconds FILE [PYTHON]\n" +
  "deno task bench amortised families|growth_tables FILE [PYTHON]\n" +
  "deno task bench amortised growth_unlike FILE; growth_grammar FILE [SEED]\n" +
  "deno task bench amortised growth FILE DATASETS: an artifact of simulate";

/** Prints the figures of docs/amortised.md. */
export async function benchAmortised([what, path, more]: readonly string[]) {
  const python = more ?? "python3";
  if (path === undefined) return console.log(usage);
  const file = await readAmortised(readFileSync(path), path);
  if (what === "tables") tables(file, realTables(python));
  else if (what === "unlike") unlike(file);
  else if (what === "executions") await executions(file, realTables(python));
  else if (what === "families") familyTables(file, python);
  else if (what === "growth_tables") growthTables(file, python);
  else if (what === "growth_unlike") growthUnlike(file);
  else if (what === "growth_grammar") await growthGrammar(file, more ?? "1");
  else if (what === "growth") await growthExecutions(file, python);
  else if (what === "seconds") seconds(file);
  else console.log(usage);
}

/** Tables of R's packages, scored by counting. */
function realTables(python: string): ScoredData[] {
  return printedBy("tables.py", python).map((line) => {
    const { name, columns, y } = JSON.parse(line);
    const numbers = (list: readonly (number | null)[]) => list.map((one) => one ?? NaN);
    const rows = standardRows({ columns: columns.map(numbers), y: numbers(y) });
    return scoreData(name, rows, 4096, new RandomStream("tables"));
  });
}

/** Answer of the policy about one data set, against counting. */
function told({ answer, card }: AmortisedFile, data: ScoredData) {
  const p = data.rows.columns.length;
  const against = (logs: ArrayLike<number>) =>
    measureAnswer(data.programs, logs, data.logRewards, p);
  const { programs } = askedData(promptOf(data));
  const evidence = Array.from(data.programs, (bits) => {
    return scoreSubset(data.rows, members(bits)).logEvidence;
  });
  const own = answer(promptOf(data));
  return {
    ...against(own),
    effective: effectiveShare(own, data),
    aicc: against(programs.begun).tv,
    labels: against(evidence).tv,
    like: likeness(card.detector, questionSpaces.regression.detected(promptOf(data))),
  };
}

const median = (values: readonly number[]) => rankedAt(values, 0.5);
const shown = (value: number) => value.toFixed(3).replace(/^0/, "");

function tables(file: AmortisedFile, all: readonly ScoredData[]): void {
  console.log(
    "| table | rows | predictors | detector | TV | effective share | error of inclusion | AICc | labels |",
  );
  console.log("| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |");
  const found: ReturnType<typeof told>[] = [];
  for (const data of all) {
    const one = told(file, data);
    found.push(one);
    const { tv, effective, inclusionError, aicc, labels, like } = one;
    const numbers = [tv, effective, inclusionError, aicc, labels].map(shown).join(" | ");
    const size = `${data.rows.rows} | ${data.rows.columns.length}`;
    console.log(`| ${data.id} | ${size} | ${like.isLike ? "passes" : "refused"} | ${numbers} |`);
  }
  for (
    const [name, some] of [["all", found], [
      "passed",
      found.filter(({ like }) => like.isLike),
    ]] as const
  ) {
    const of = (pick: (one: (typeof found)[number]) => number) => shown(median(some.map(pick)));
    console.log(
      `${name}, ${some.length}: median TV ${of(({ tv }) => tv)}, error of inclusion ` +
        `${of(({ inclusionError }) => inclusionError)}, AICc ${of(({ aicc }) => aicc)}, labels ` +
        of(({ labels }) => labels),
    );
  }
}

/** How many data sets unlike those of training are refused, or answered nearly as well. */
function unlike(file: AmortisedFile): void {
  const limit = 2 * file.card.figures.tv_median;
  for (const [name, raw] of Object.entries(unlikeSets(25))) {
    let [refused, near] = [0, 0];
    for (const [k, one] of raw.entries()) {
      const data = scoreData(
        `${name} ${k}`,
        standardRows(one as RawRows),
        4096,
        new RandomStream("unlike"),
      );
      const { tv, like } = told(file, data);
      if (!like.isLike) refused++;
      else if (tv <= limit) near++;
    }
    console.log(
      `${name}: of ${raw.length} ${refused} refused, ${near} answered within ${shown(limit)}`,
    );
  }
}

async function executions(file: AmortisedFile, real: readonly ScoredData[]): Promise<void> {
  const given = simulation.parse({
    ...file.card.simulation,
    predictors: [12, 12],
    rows: [60, 200],
  });
  const { heldOut } = drawDataSets({
    ...{ simulation: given, training: 0, heldOut: 10, programs: 4096, seed: "executions" },
  });
  const large = real.filter(({ rows: { rows, columns } }) => {
    return rows >= 30 && rows <= 400 && columns.length >= 3;
  }).slice(0, 10).map(withProducts);
  for (const [name, sets] of [["simulated", heldOut], ["real", large]] as const) {
    const ratios: number[] = [];
    const saved: Saved[] = [];
    for (const data of sets) {
      const { like } = told(file, data);
      const [alone, begun] = await executionsUntil(file, data, 0.02);
      ratios.push(alone / begun);
      const known = (count: number) => count === Infinity ? null : count;
      const group = `regression, ${name}`;
      saved.push({ group, id: data.id, alone: known(alone), begun: known(begun) });
      console.log(
        `${name} ${data.id}: 2^${data.rows.columns.length}, ${
          like.isLike ? "passes" : "refused"
        }, ` +
          `${alone} without, ${begun} with the policy's mean`,
      );
    }
    keepResults(saved);
    console.log(
      `${name}: median ratio, of searches given up as if they never ended, ${
        median(ratios).toFixed(2)
      }, least ${Math.min(...ratios).toFixed(2)}`,
    );
  }
}

/** A table with products of its predictors beside them, twelve columns in all. */
function withProducts({ id, rows: { columns, y } }: ScoredData): ScoredData {
  const products = columns.flatMap((a, j) =>
    columns.slice(j).map((b) => a.map((one, i) => one * b[i]))
  );
  const all = [...columns, ...products].slice(0, 12);
  return scoreData(id, standardRows({ columns: all, y }), 4096, new RandomStream("tables"));
}

/** An answer about 1,000 rows of twelve predictors, nothing computed before. */
function seconds({ answer, card }: AmortisedFile): void {
  const { family } = simulation.parse(card.simulation);
  const sizes = { rows: [1000, 1000], predictors: [12, 12], missing: [0, 0] };
  const given = simulation.parse({ ...sizes, family });
  for (let k = 0; k < 3; k++) {
    const rows = standardRows(drawRows(given, new RandomStream("seconds", k)));
    const begin = performance.now();
    answer(dataPrompt(summariseData(rows)));
    console.log(`${((performance.now() - begin) / 1000).toFixed(2)} s`);
  }
}
