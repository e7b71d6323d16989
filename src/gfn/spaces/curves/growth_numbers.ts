/** Numbers of the data, as priors of growth curves need them. */
import { log } from "../../../numerics/math/mod.ts";
import { quantiles, twoDigits } from "../writing/columns.ts";
import { literal } from "../writing/design.ts";

export function numbersOf(sizes: Float64Array, ages: Float64Array, width: string) {
  const least = sizes.reduce((a, b) => Math.min(a, b));
  const most = sizes.reduce((a, b) => Math.max(a, b));
  const oldest = ages.reduce((a, b) => Math.max(a, b));
  const [middleSize] = quantiles(sizes, [0.5]);
  const positive = ages.filter((age) => age > 0);
  const [middleAge] = quantiles(positive, [0.5]);
  const text = (value: number) => literal(twoDigits(value));
  return {
    width,
    logMost: text(log(most)),
    logLeast: text(log(least)),
    logMiddle: text(log(middleSize)),
    gain: text(2 * (most - least)),
    oldest: text(oldest),
    middleAge: text(middleAge),
    /** A thirtieth of the greatest age, about a year for dugongs. */
    year: text(oldest / 30),
    logRate: text(log(6 / oldest)),
    logLag: text(log(oldest / 12)),
    logPeak: text(log(0.8 * oldest)),
    drift: text((most - least) / oldest / 3),
  };
}

/** Numbers of the data, as priors of curves need them. */
export type GrowthNumbers = ReturnType<typeof numbersOf>;
