/** Regressions of a family, executed by the engine: how near a policy of it comes without that. */
import { RandomStream } from "../../src/base/random.ts";
import {
  type AmortisedFile,
  drawRows,
  likeness,
  measureAnswer,
  members,
  promptOf,
  questionSpaces,
  rankedAt,
  type RawRows,
  type ScoredData,
  scoreProgram,
  simulation,
  standardRows,
} from "../../src/gfn/train/mod.ts";
import { executedRegression } from "./executed_regressions.ts";
import { effectiveShare, printedBy } from "./real_tables.ts";

const space = questionSpaces.regression;

/** Simulated data sets: so many, of few predictors, since the engine executes all their programs. */
const [drawn, most] = [30, 5] as const;

/** Prints a row for each real table, and medians of these and of simulated data sets, by predictors too. */
export function familyTables(file: AmortisedFile, python: string): void {
  const given = simulation.parse(file.card.simulation);
  const { family } = given;
  const simulated = Array.from({ length: drawn }, (_, k) => {
    const few = { ...given, predictors: [2, most] as [number, number] };
    return told(file, usable(few, k));
  });
  say("simulated", simulated);
  for (const [count, some] of Map.groupBy(simulated, ({ predictors }) => predictors)) {
    say(`${count} predictors`, some);
  }
  say("fewer than 50 rows", simulated.filter(({ rows }) => rows < 50));
  console.log(
    "| table | rows | predictors | detector | TV | effective | inclusion | straightened |",
  );
  console.log("| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: |");
  const real = printedBy("family_tables.py", python, [family]).map((line) => {
    const one = told(file, readTable(line, family));
    const { id, rows, predictors, passes, tv, effective, inclusion, straightened } = one;
    const numbers = [tv, effective, inclusion, straightened].map(shown).join(" | ");
    const verdict = passes ? "passes" : "refused";
    console.log(`| ${id} | ${rows} | ${predictors} | ${verdict} | ${numbers} |`);
    return one;
  });
  say("real", real);
  say("real that pass", real.filter(({ passes }) => passes));
}

const shown = (value: number) => value.toFixed(3).replace(/^0/, "");

/** The first draw of a stream that has something to explain. */
function usable(given: ReturnType<typeof simulation.parse>, k: number): ScoredData {
  const random = new RandomStream("families", k);
  for (;;) {
    const raw = drawRows(given, random);
    try {
      const { rows, columns } = standardRows(raw);
      if (rows > columns.length + 5) return executedRegression(`simulated ${k + 1}`, raw);
    } catch {
      continue;
    }
  }
}

function readTable(line: string, family: ReturnType<typeof simulation.parse>["family"]) {
  const { name, columns, y, trials } = JSON.parse(line);
  const numbers = (list: readonly (number | null)[]) => list.map((one) => one ?? NaN);
  const raw: RawRows = {
    columns: columns.map(numbers),
    y: numbers(y),
    ...(family !== "normal" && { family }),
    ...(trials && { trials: numbers(trials) }),
  };
  return executedRegression(name, raw);
}

/** The policy's answer about one data set, what it began with, sites and uniform choice, against the engine. */
function told({ answer, card }: AmortisedFile, data: ScoredData) {
  const { id, rows: { rows, columns }, programs, logRewards } = data;
  const prompt = promptOf(data);
  const against = (logs: ArrayLike<number>) =>
    measureAnswer(programs, logs, logRewards, columns.length);
  const shares = answer(prompt);
  const own = against(Float64Array.from(programs, (bits) => shares[bits]));
  const sites = Float64Array.from(programs, (bits) => scoreProgram(data.rows, members(bits)).elpd);
  return {
    ...{ id, rows, predictors: columns.length, tv: own.tv, inclusion: own.inclusionError },
    effective: effectiveShare(shares, data),
    straightened: against(space.begun(prompt, programs)).tv,
    sites: against(sites).tv,
    uniform: against(programs.map(() => 0)).tv,
    passes: likeness(card.detector, space.detected(prompt)).isLike,
  };
}

function say(name: string, some: readonly ReturnType<typeof told>[]): void {
  if (some.length === 0) return;
  const of = (key: "tv" | "inclusion" | "straightened" | "sites" | "uniform", share = 0.5) =>
    shown(rankedAt(some.map((one) => one[key]), share));
  console.log(
    `${name}, ${some.length}: median TV ${of("tv")}, one of ten ${of("tv", 0.9)}, error of ` +
      `inclusion ${of("inclusion")}; straightened ${of("straightened")}, ` +
      `${of("straightened", 0.9)}; sites ${of("sites")}; uniform ${of("uniform")}`,
  );
}
