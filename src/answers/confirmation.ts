/** Scores the likeliest programs on rows that neither their reward nor their choice has read. */
import { logSumExp } from "../numerics/math/mod.ts";

/** A chosen program, with its scores on rows that are left out one by one, and on rows that confirm. */
export interface ConfirmedProgram {
  /** Log weight among the programs, nats up to a constant. */
  readonly logWeight: number;
  /** log p(y_i | y_-i) of each row that the reward read `[rows]`, nats. */
  readonly promised: ArrayLike<number>;
  /** log p(y_i | y) of each row that nothing has read `[rows that confirm]`, nats. */
  readonly confirmed: ArrayLike<number>;
}

/** Expected and actual log score of a program or mixture on the rows that confirm. Nats. */
export interface Confirmed {
  /** Mean of the rows that were read, times the number of those that confirm. */
  readonly promised: number;
  /** Sum over the rows that confirm. */
  readonly confirmed: number;
  /** Standard error of the difference, over rows of both kinds. */
  readonly error: number;
}

/** The likeliest program and the mixture of all that were chosen, on rows that nothing has read. */
export interface Confirmation {
  /** Rows that confirm. */
  readonly rows: number;
  /** Programs in the mixture. */
  readonly programs: number;
  /** Share of the target that these hold. */
  readonly share: number;
  readonly winner: Confirmed;
  readonly mixture: Confirmed;
}

/**
 * The likeliest program and the mixture, each by its log score. The rows that chose among many
 * programs overstate the fit of the winner; other rows measure by how much (sample splitting: Cox 1975).
 *
 * @param programs at least one; the likeliest first.
 * @param share of the target that they hold.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { confirmationOf } from "./confirmation.ts";
 * const one = { logWeight: 0, promised: [-1, -1.2, -0.8], confirmed: [-3, -4] };
 * const { winner } = confirmationOf([one], 1);
 * assert.equal(winner.promised, -2);
 * assert.equal(winner.confirmed, -7);
 * ```
 */
export function confirmationOf(
  programs: readonly ConfirmedProgram[],
  share: number,
): Confirmation {
  const total = logSumExp(Float64Array.from(programs, ({ logWeight }) => logWeight));
  const mixed = (of: (program: ConfirmedProgram) => ArrayLike<number>) =>
    Float64Array.from(
      of(programs[0]),
      (_, i) => logSumExp(Float64Array.from(programs, (one) => one.logWeight - total + of(one)[i])),
    );
  const mixture = {
    promised: mixed(({ promised }) => promised),
    confirmed: mixed(({ confirmed }) => confirmed),
  };
  return {
    rows: programs[0].confirmed.length,
    programs: programs.length,
    share,
    winner: heldAgainst(programs[0]),
    mixture: heldAgainst(mixture),
  };
}

function heldAgainst(
  { promised, confirmed }: Pick<ConfirmedProgram, "promised" | "confirmed">,
): Confirmed {
  const [read, other] = [spread(promised), spread(confirmed)];
  const { count } = other;
  // A single row has no spread of its own.
  const variance = count > 1 ? other.variance : read.variance;
  const error = Math.sqrt(count * variance + count ** 2 * read.variance / read.count);
  return { promised: count * read.mean, confirmed: count * other.mean, error };
}

function spread(values: ArrayLike<number>) {
  const all = Array.from(values);
  const mean = all.reduce((sum, one) => sum + one, 0) / all.length;
  const squares = all.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return { count: all.length, mean, variance: squares / Math.max(1, all.length - 1) };
}

/** Errors by which a promise has to be missed before chance is no excuse. As in all verdicts of an answer. */
const mostErrors = 2;

/** The sentence about it. */
export function aboutConfirmation(
  { rows, programs, share, winner, mixture }: Confirmation,
): string {
  const held = programs === 1 ? "" : ` The mixture of the ${programs} likeliest programs, ` +
    `${(100 * share).toFixed(0)} % of the target, scores ${figures(mixture)}.`;
  return `On ${rows} withheld ${rows === 1 ? "row" : "rows"} the ` +
    `likeliest program scores ${figures(winner)}: ${verdict(winner)}${held}`;
}

function figures({ promised, confirmed, error }: Confirmed): string {
  const nats = (value: number) => value.toFixed(1).replace("-", "−");
  return `${nats(confirmed)} nats (${nats(promised)} ± ${error.toFixed(1)} expected)`;
}

function verdict({ promised, confirmed, error }: Confirmed): string {
  const short = promised - confirmed;
  if (short > mostErrors * error) {
    return "less than its score predicted, by more than chance allows. Quote the confirmed figure.";
  }
  return "as its score predicted.";
}
