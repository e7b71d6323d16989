/** Candidate rows by expected information. */
import type { Column, Dataset } from "../../base/dataset.ts";
import { RandomStream } from "../../base/random.ts";
import {
  type About,
  aboutAnswers,
  aboutEffects,
  aboutOutcome,
  type BatchStep,
  greedyBatch,
  leaderChanges,
  type Nats,
  rowOutcomes,
} from "../../answers/design/mod.ts";
import type { NewRows } from "../../engine/score/mod.ts";
import type { CandidateRows } from "./candidate_rows.ts";
import type { KnownOutcomes } from "./program_outcomes.ts";

/** Expected information of a row about one question. */
export interface ToldAnswer extends Nats {
  /** Probability that another answer leads after it. */
  readonly changes: number;
}

/** A candidate, and the expected information of measuring it. */
export interface InformedRow extends Nats {
  /** Values of the predictors, as they were given. */
  readonly at: Readonly<Record<string, number | string>>;
  /** By question, with several programs. */
  readonly answers: Readonly<Record<string, ToldAnswer>>;
  /** Probability that another program leads after it. */
  readonly changes: number;
  readonly cost?: number;
  readonly nats_per_cost?: number;
}

/** How outcomes of some rows are found. */
export type FindOutcomes = (rows: NewRows) => Promise<KnownOutcomes>;

/** Questions that candidates are to inform. */
export interface Asked {
  readonly about: About;
  readonly questions: readonly string[];
  /** Of a batch, if one is asked for. */
  readonly batch?: number;
}

/** Rows, most informative first (by cost where there are costs), and the batch. */
export interface Informed {
  readonly rows: readonly InformedRow[];
  readonly batch?: readonly (BatchStep & { readonly at: InformedRow["at"] })[];
  readonly left: readonly string[];
}

/** Candidates whose densities are held at once: memory of a few hundred megabytes. */
const atOnce = 128;
/** Rows that predictions are about: an even part of those of the data. */
const targetRows = 12;

/** Weighs all candidates, a block of them after the other. */
export async function informedRows(
  candidates: CandidateRows,
  data: Dataset,
  asked: Asked,
  find: FindOutcomes,
): Promise<Informed> {
  const found: { row: number; own: InformedRow }[] = [];
  const left = new Set<string>();
  for (let first = 0; first < candidates.rows; first += atOnce) {
    const end = Math.min(candidates.rows, first + atOnce);
    const block = Array.from({ length: end - first }, (_, k) => first + k);
    const own = await informedBlock(candidates, block, data, asked, find);
    own.left.forEach((reason) => left.add(reason));
    found.push(...own.rows.map((one, k) => ({ row: block[k], own: one })));
  }
  const value = ({ own }: { own: InformedRow }) => own.nats_per_cost ?? own.nats;
  found.sort((a, b) => value(b) - value(a));
  const batch = asked.batch === undefined
    ? undefined
    : await batchOf(candidates, found.slice(0, atOnce).map(({ row }) => row), data, asked, find);
  return { rows: found.map(({ own }) => own), ...(batch && { batch }), left: [...left] };
}

async function informedBlock(
  candidates: CandidateRows,
  block: readonly number[],
  data: Dataset,
  { about, questions }: Asked,
  find: FindOutcomes,
): Promise<{ readonly rows: readonly InformedRow[]; readonly left: readonly string[] }> {
  const targets = about === "predictions" ? thinnedRows(data) : undefined;
  const known = await find(taken(candidates, block, targets));
  const { grid, programs } = known;
  const weightsOf = (row: number) =>
    grid.weights.subarray(row * grid.points, (row + 1) * grid.points);
  const codes = questions.map((question) => ({ question, given: codesOf(known, question) }));
  const all = Array.from(programs.keys());
  const rows = block.map((row, k): InformedRow => {
    const weights = weightsOf(k);
    const outcomes = rowOutcomes(programs, k, weights);
    const told = codes.map(({ question, given }) =>
      [question, {
        ...aboutAnswers(outcomes, given),
        changes: leaderChanges(outcomes, given),
      }] as const
    );
    const nats = about === "models"
      ? aboutAnswers(outcomes)
      : about === "effects"
      ? aboutEffects(outcomes)
      : meanOf(Array.from({ length: targets!.rows }, (_, t) => {
        const target = { row: block.length + t, weights: weightsOf(block.length + t) };
        return aboutOutcome(programs, { row: k, weights }, target);
      }));
    const cost = candidates.costs?.[row];
    return {
      at: shown(candidates, row, data),
      ...nats,
      changes: leaderChanges(outcomes, all),
      answers: programs.length > 1 ? Object.fromEntries(told) : {},
      ...(cost !== undefined && { cost, nats_per_cost: nats.nats / cost }),
    };
  });
  return { rows, left: known.left };
}

async function batchOf(
  candidates: CandidateRows,
  block: readonly number[],
  data: Dataset,
  { about, batch }: Asked,
  find: FindOutcomes,
) {
  const { grid, programs } = await find(taken(candidates, block));
  const random = new RandomStream("next", data.digest, "batch");
  const answers = about === "models" ? programs.map((_, m) => m) : undefined;
  const steps = greedyBatch(programs, grid.weights, grid.rows, batch!, random, answers);
  return steps.map((step) => ({ ...step, at: shown(candidates, block[step.row], data) }));
}

/** Index of each program's answer to a question. */
function codesOf({ programs }: KnownOutcomes, question: string): number[] {
  const answers = [...new Set(programs.map((one) => one.answers[question]))];
  return programs.map((one) => answers.indexOf(one.answers[question]));
}

/** Some candidates, and after them the rows that predictions are about. */
function taken(
  { columns }: CandidateRows,
  rows: readonly number[],
  targets?: NewRows,
): NewRows {
  const own = [...columns].map(([name, values]) => {
    const more = targets?.columns.get(name) ?? new Float64Array(targets?.rows ?? 0);
    return [name, Float64Array.from([...rows.map((row) => values[row]), ...more])] as const;
  });
  return { rows: rows.length + (targets?.rows ?? 0), columns: new Map(own) };
}

/** Rows of the data that lack nothing, an even part of them. */
function thinnedRows({ rows, columns }: Dataset): NewRows {
  const given = columns.filter(({ role }) => role !== "response" && role !== "ignore");
  const gaps = given.filter(({ gapsOf }) => gapsOf !== undefined);
  const whole = Array.from({ length: rows }, (_, row) => row)
    .filter((row) => gaps.every(({ values }) => values[row] === 0));
  const count = Math.min(targetRows, whole.length);
  const picked = Array.from(
    { length: count },
    (_, k) => whole[Math.floor((k + 0.5) * whole.length / count)],
  );
  return {
    rows: count,
    columns: new Map(
      given.map(({ name, values }) =>
        [name, Float64Array.from(picked, (row) => values[row])] as const
      ),
    ),
  };
}

function shown({ columns, varied, unseen }: CandidateRows, row: number, data: Dataset) {
  const one = (column: Column) => {
    const value = columns.get(column.name)![row];
    const names = column.categories && [...column.categories, ...unseen.get(column.name) ?? []];
    return names?.[value] ?? value;
  };
  const own = varied.map((name) => data.columns.find((column) => column.name === name)!);
  return Object.fromEntries(own.map((column) => [column.name, one(column)]));
}

function meanOf(all: readonly Nats[]): Nats {
  const mean = (of: (one: Nats) => number) =>
    all.reduce((sum, one) => sum + of(one), 0) / all.length;
  return {
    nats: mean(({ nats }) => nats),
    low: mean(({ low }) => low),
    high: mean(({ high }) => high),
  };
}
