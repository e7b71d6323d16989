/** Candidate rows on a terminal: a table, what it decides, and the most informative batch. */
import type { About } from "../../answers/design/mod.ts";
import { plainTable } from "../../report/format.ts";
import type { Terminal } from "../../report/terminal.ts";
import type { CandidateRows } from "./candidate_rows.ts";
import type { Informed, InformedRow } from "./informed_rows.ts";
import type { WeighedSpace } from "./weighed_programs.ts";

const subjects = {
  models: "which program is true",
  effects: "all that is unknown",
  predictions: "outcomes at the rows of the data",
} as const;

/** Content of a page. */
interface NextPage {
  readonly informed: Informed;
  readonly candidates: CandidateRows;
  readonly space: WeighedSpace;
  readonly about: About;
  /** Candidates that are printed at most. */
  readonly show: number;
}

/** Prints candidates, most informative first. */
export function printNext(page: NextPage, terminal: Terminal): void {
  const { informed: { rows, batch }, candidates, space, about, show } = page;
  terminal.out(`Expected information of each row about ${subjects[about]}`);
  terminal.out(rowTable(rows.slice(0, show), candidates, space.programs.length > 1));
  if (rows.length > show) terminal.note(`${counted(rows.length - show, "more row")} below these`);
  for (const line of verdict(rows, about)) terminal.out(line);
  for (const name of endsOf(rows, candidates.varied)) {
    terminal.note(`the first row is at an end of ${name}: candidates beyond it may tell more`);
  }
  if (batch) {
    terminal.out("\nMost informative batch");
    terminal.out(batchTable(batch, candidates));
  }
  const others = Object.entries(candidates.kept).map(([name, value]) => `${name} = ${value}`);
  if (others.length > 0) terminal.note(`the others stay at ${others.join(", ")}`);
  const held = (100 * space.held).toFixed(1);
  terminal.note(`${space.programs.length} programs, ${held} % of the target`);
}

/** @param several whether there is more than one program to distinguish. */
function rowTable(
  rows: readonly InformedRow[],
  { varied, costs }: CandidateRows,
  several: boolean,
): string {
  const head = [
    ...varied,
    "nats",
    "95 % interval",
    ...(costs ? ["cost", "nats per cost"] : []),
    ...(several ? ["tells apart", "leader changes"] : []),
  ];
  const cells = (row: InformedRow) => [
    ...varied.map((name) => String(row.at[name])),
    row.nats.toFixed(3),
    `${row.low.toFixed(3)} … ${row.high.toFixed(3)}`,
    ...(costs ? [String(row.cost), row.nats_per_cost!.toPrecision(3)] : []),
    ...(several ? [toldMost(row), `${(100 * row.changes).toFixed(1)} %`] : []),
  ];
  return plainTable(head, rows.map(cells), head.map((_, i) => i));
}

function batchTable(batch: NonNullable<Informed["batch"]>, { varied }: CandidateRows): string {
  const head = [...varied, "adds", "together"];
  const steps = batch.map(({ at, adds, error, joint }) => [
    ...varied.map((name) => String(at[name])),
    `${adds.toFixed(3)} ± ${error.toFixed(3)}`,
    joint.toFixed(3),
  ]);
  return plainTable(head, steps, head.map((_, i) => i));
}

/** The question about which the row is most informative. */
function toldMost({ answers }: InformedRow): string {
  const [best] = Object.entries(answers).sort((a, b) => b[1].nats - a[1].nats);
  if (!best || best[1].nats < 0.0005) return "–";
  const [question] = best[0].length > mostLetters
    ? [`${best[0].slice(0, mostLetters - 1)}…`]
    : best;
  return `${question} ${best[1].nats.toFixed(3)}`;
}

/** Letters of a question that a table of 80 columns has room for. */
const mostLetters = 18;

/** Numeric predictors of several values at whose smallest or largest the first row is. */
function endsOf(rows: readonly InformedRow[], varied: readonly string[]): string[] {
  return varied.filter((name) => {
    const values = rows.map(({ at }) => at[name]).filter((value) => typeof value === "number");
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return new Set(values).size > 2 && (rows[0].at[name] === low || rows[0].at[name] === high);
  });
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** States whether the first row is distinguishable from the others, and whether measuring pays off. */
function verdict(rows: readonly InformedRow[], about: About): string[] {
  const [first] = rows;
  const alike = rows.filter(({ high }) => high >= first.low).length - 1;
  const lines = alike > 0
    ? [`${counted(alike, "other row")} may tell as much as the first: their intervals overlap.`]
    : rows.length > 1
    ? ["The first row tells more than every other: its interval overlaps none."]
    : [];
  if (about === "models" && first.high < 0.05) {
    lines.push("No row is expected to tell more than 0.05 nats about the programs.");
  }
  return lines;
}
