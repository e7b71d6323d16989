/** Probabilities as sentences print them. */

/** Whole percents, except for shares close to 0 or 1. */
export function percent(share: number): string {
  const points = 100 * share;
  if (points > 0 && points < 0.05) return "less than 0.1 %";
  if (points > 99.95 && points < 100) return "more than 99.9 %";
  const digits = points < 9.95 || points > 90.05 ? 1 : 0;
  return `${points.toFixed(digits).replace(/\.0$/, "")} %`;
}

/** `41 to 99.9 %`. */
export function range(lo: number, hi: number): string {
  const from = lo > 0 && lo < 0.0005 ? "0" : percent(lo).replace(" %", "");
  return `${from} to ${percent(hi)}`;
}
