/** From finished data sets to shares: how often answers and their intervals were right. */
import {
  answerOf,
  differenceOf,
  parametersApart,
  type ScoredSpace,
} from "../../../../src/answers/mod.ts";
import { normalised } from "../../../../src/answers/weights.ts";
import { exp } from "../../../../src/numerics/math/elementary.ts";
import type { Claim } from "./simulation.ts";
import type { ProgramRecord, SetRecord } from "./score_set.ts";

/** How often something held, by data set: those of one set share their rows. */
export class Share {
  readonly #sets = new Map<number, { held: number; of: number }>();

  add(set: number, isHeld: boolean): void {
    const { held, of } = this.#sets.get(set) ?? { held: 0, of: 0 };
    this.#sets.set(set, { held: held + Number(isHeld), of: of + 1 });
  }

  get count(): number {
    return [...this.#sets.values()].reduce((sum, { of }) => sum + of, 0);
  }

  get share(): number {
    return [...this.#sets.values()].reduce((sum, { held }) => sum + held, 0) / this.count;
  }

  /** Standard error of a ratio over clusters (Cochran 1977, Sampling Techniques, eq. 2.39). */
  get error(): number {
    const sets = [...this.#sets.values()];
    const { share, count } = this;
    const square = sets.reduce((sum, { held, of }) => sum + (held - share * of) ** 2, 0);
    return Math.sqrt(square * sets.length / Math.max(1, sets.length - 1)) / count;
  }
}

/** The middle 90 % of a normal distribution. */
const z90 = 1.6448536269514722;
/** Differences that are labelled unreliable, nats. */
const small = 4;

/** Counts and shares of one space. */
export interface Coverage {
  readonly sets: number;
  readonly failed: number;
  readonly found: Share;
  readonly claimed: Share;
  readonly holdsTrue: Share;
  readonly sizeOfSet: number;
  readonly weights: Share;
  /** The same by bootstraps of the rows alone. */
  readonly weightsOfRows: Share;
  /** By estimand, error and size: 90 % intervals of ELPD differences that hold it. */
  readonly differences: Readonly<Record<Interval, Sizes>>;
  /** Of differences with the whole error, by question and answer. */
  readonly pairs: ReadonlyMap<string, Share>;
  /** Root mean square Monte Carlo error of a difference of expected scores. */
  readonly truthError: number;
}

/** Whose standard error, and of what: fresh rows given the data, or on average over data sets. */
export type Interval = "rows_given" | "whole_given" | "rows_mean" | "whole_mean";

/** Of all differences, of small ones and of others. */
export interface Sizes {
  readonly all: Share;
  readonly small: Share;
  readonly large: Share;
}

const sizes = (): Sizes => ({ all: new Share(), small: new Share(), large: new Share() });

/** The counts of one space's data sets. */
export function coverageOf(records: readonly SetRecord[]): Coverage {
  const means = meansOf(records);
  const given = { rows_given: sizes(), whole_given: sizes() };
  const counted = {
    found: new Share(),
    claimed: new Share(),
    holdsTrue: new Share(),
    weights: new Share(),
    weightsOfRows: new Share(),
    differences: { ...given, rows_mean: sizes(), whole_mean: sizes() },
    pairs: new Map<string, Share>(),
  };
  let setSizes = 0;
  for (const record of records) {
    const truth = record.programs.map((one) => one.expected ?? means(record, one));
    setSizes += countAnswer(record, truth, counted);
    countDifferences(record, means, counted);
  }
  return {
    ...counted,
    sets: records.length,
    failed: records.reduce((sum, { failed }) => sum + failed.length, 0),
    sizeOfSet: setSizes / records.length,
    truthError: truthErrorOf(records),
  };
}

type Counted =
  & Pick<Coverage, "found" | "claimed" | "holdsTrue" | "weights" | "weightsOfRows" | "differences">
  & { readonly pairs: Map<string, Share> };

/** Claims, weights, and the smallest 95 % set of programs; gives how many that holds. */
function countAnswer(record: SetRecord, truth: readonly number[], counted: Counted): number {
  const { set, programs, strong, absent } = record;
  const space = spaceOf(record);
  const answer = answerOf(space);
  const weights = normalised(space.logReward);
  if (strong) counted.found.add(set, shareOf(weights, record, strong) >= 0.9);
  if (absent) counted.claimed.add(set, shareOf(weights, record, absent) > 0.9);
  const real = normalised(programs.map(({ logPrior }, k) => truth[k] + logPrior));
  record.questions.forEach((question, q) => {
    const { answers } = answer.questions.find((one) => one.question === question)!;
    if (answers.length < 2) return;
    for (const { answer: name, lo, hi, whole_lo, whole_hi } of answers) {
      const weight = real.reduce(
        (sum, one, k) => sum + (programs[k].answers[q] === name ? one : 0),
        0,
      );
      const holds = (low: number, high: number) => low - 1e-9 <= weight && weight <= high + 1e-9;
      counted.weights.add(set, holds(whole_lo!, whole_hi!));
      counted.weightsOfRows.add(set, holds(lo!, hi!));
    }
  });
  const chosen = smallestSet(weights, 0.95);
  counted.holdsTrue.add(set, chosen.some((k) => isTrue(record, programs[k])));
  return chosen.length;
}

/** Between the true program and those that answer one question otherwise. */
function countDifferences(
  record: SetRecord,
  means: Means,
  { differences, pairs }: Counted,
): void {
  const { set, programs, truth, questions } = record;
  const one = programs.find((program) => isTrue(record, program));
  if (!one) return;
  for (const other of programs) {
    const apart = questions.filter((_, q) => other.answers[q] !== truth[q]);
    if (apart.length !== 1) continue;
    const found = differenceOf(
      Float64Array.from(one.pointwise),
      Float64Array.from(other.pointwise),
      parametersApart(one.p, other.p),
    );
    const add = (kind: Interval, error: number, real: number) => {
      const isHeld = Math.abs(found.elpd - real) <= z90 * error;
      differences[kind].all.add(set, isHeld);
      differences[kind][Math.abs(found.elpd) < small ? "small" : "large"].add(set, isHeld);
      return isHeld;
    };
    const mean = means(record, one) - means(record, other);
    add("rows_mean", found.se, mean);
    let isHeld = add("whole_mean", found.error, mean);
    if (one.expected !== null && other.expected !== null) {
      add("rows_given", found.se, one.expected - other.expected);
      isHeld = add("whole_given", found.error, one.expected - other.expected);
    }
    const q = questions.indexOf(apart[0]);
    const name = `${apart[0]}: ${truth[q]}, not ${other.answers[q]}`;
    if (!pairs.has(name)) pairs.set(name, new Share());
    pairs.get(name)!.add(set, isHeld);
  }
}

/** The mean ELPD of a program over the data sets of one truth: estimates its expectation. */
type Means = (record: SetRecord, program: ProgramRecord) => number;

function meansOf(records: readonly SetRecord[]): Means {
  const key = ({ truth }: SetRecord, { answers }: ProgramRecord) =>
    JSON.stringify([truth, answers]);
  const sums = new Map<string, { sum: number; of: number }>();
  for (const record of records) {
    for (const program of record.programs) {
      const { sum, of } = sums.get(key(record, program)) ?? { sum: 0, of: 0 };
      sums.set(key(record, program), { sum: sum + total(program.pointwise), of: of + 1 });
    }
  }
  return (record, program) => {
    const { sum, of } = sums.get(key(record, program))!;
    return sum / of;
  };
}

function isTrue({ truth }: SetRecord, { answers }: ProgramRecord): boolean {
  return answers.join("\n") === truth.join("\n");
}

/** Target of the programs that say so. */
function shareOf(weights: Float64Array, { programs, questions }: SetRecord, claim: Claim): number {
  const says = ({ answers }: ProgramRecord) =>
    claim.some((one) => one.answers.includes(answers[questions.indexOf(one.question)]));
  return weights.reduce((sum, weight, k) => sum + (says(programs[k]) ? weight : 0), 0);
}

/** The fewest programs that hold a share of the weight. */
function smallestSet(weights: Float64Array, share: number): number[] {
  let held = 0;
  return [...weights.keys()].sort((a, b) => weights[b] - weights[a]).filter((k) => {
    const isNeeded = held < share;
    held += weights[k];
    return isNeeded;
  });
}

/** A set as an answer takes it. */
function spaceOf({ programs, questions, failed }: SetRecord): ScoredSpace {
  const logPrior = Float64Array.from(programs, (one) => one.logPrior);
  return {
    programs: programs.length + failed.length,
    failed: failed.length,
    derivations: new Int32Array(programs.length).fill(1),
    logPrior,
    priorWeight: 1,
    logReward: logPrior.map((one, k) => one + total(programs[k].pointwise)),
    pointwise: Float64Array.from(programs.flatMap(({ pointwise }) => pointwise)),
    rows: programs[0].pointwise.length,
    unit: "row",
    parameters: Float64Array.from(programs, ({ p }) => p),
    mcse: Float64Array.from(programs, ({ mcse }) => mcse),
    questions: questions.map((question, q) => {
      const names = [...new Set(programs.map(({ answers }) => answers[q]))];
      const given = Int32Array.from(programs, ({ answers }) => names.indexOf(answers[q]));
      const prior = (a: number) =>
        logPrior.reduce((sum, one, k) => sum + (given[k] === a ? exp(one) : 0), 0);
      return { question, given, answers: names.map((answer, a) => ({ answer, prior: prior(a) })) };
    }),
    effects: [],
  };
}

/** Of two runs the difference between programs is off by so much in each. */
function truthErrorOf(records: readonly SetRecord[]): number {
  const off = records.flatMap((record) => {
    const [first, ...others] = record.programs.filter(({ again }) => again !== undefined);
    return others.map((one) => (one.expected! - one.again!) - (first.expected! - first.again!));
  });
  return Math.sqrt(total(off.map((one) => one * one)) / Math.max(1, off.length) / 2);
}

function total(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0);
}
