/** Data of the size that programs of the corpus are written for, drawn by the laws of their environments. */
import { type Column, type Dataset, makeDataset } from "../../../../src/base/dataset.ts";
import { fillNormal } from "../../../../src/numerics/math/random_normal.ts";
import { RandomStream } from "../../../../src/base/random.ts";
import { datasets } from "../../python/corpus_data.ts";

/** Draws of one experiment. */
interface Draws {
  /** Uniform in an interval. */
  readonly between: (low: number, high: number) => number;
  /** A whole number from 0 up to this, less one. */
  readonly below: (count: number) => number;
  readonly normal: () => number;
  /** 1 with this chance, else 0. */
  readonly chance: (p: number) => number;
}

type Row = readonly number[];
/** One row of predictors and the response, in the order of the columns, and what all rows share. */
type Experiment = (draws: Draws) => () => Row;

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
const rounded = (x: number, digits: number) => Number(x.toFixed(digits));

/** A Poisson count by the waiting times between events. */
function poisson({ between }: Draws, mean: number): number {
  let [count, time] = [0, -Math.log(between(1e-12, 1))];
  while (time < mean) [count, time] = [count + 1, time - Math.log(between(1e-12, 1))];
  return count;
}

/** BoxingGym's environments (Gandhi, Li et al. 2025), as their defining papers have them. */
const experiments: Readonly<Record<string, Experiment>> = {
  dugongs({ between, normal }) {
    const [alpha, beta, gamma] = [between(2, 3), between(1, 1.5), between(0.8, 0.95)];
    return () => {
      const x = rounded(between(0, 5), 2);
      return [x, rounded(alpha - beta * gamma ** x + 0.1 * normal(), 2)];
    };
  },
  peregrines(draws) {
    const { between } = draws;
    const [a, b, c, d] = [4.5, 1.2, 0.07, -0.24].map((mean) => mean + 0.1 * between(-1, 1));
    return () => {
      const t = rounded(between(0, 5), 2);
      return [t, poisson(draws, Math.exp(a + b * t + c * t * t + d * t ** 3))];
    };
  },
  death_process({ between, chance }) {
    const rate = between(0.5, 1.5);
    return () => {
      const t = rounded(between(0.05, 2), 2);
      let infected = 0;
      for (let k = 0; k < 50; k++) infected += chance(1 - Math.exp(-rate * t));
      return [t, infected];
    };
  },
  choices({ between, below, normal, chance }) {
    const [k, alpha] = [Math.exp(-4.25 + 0.5 * normal()), Math.abs(2 * normal())];
    return () => {
      const now = 1 + below(300);
      const later = now + 1 + Math.floor(between(0, 300 - Math.min(now, 299)));
      const days = 1 + below(364);
      const gain = later / (1 + k * days) - now;
      return [now, later, days, chance(0.01 + 0.98 * sigmoid(gain / (alpha + 0.1)))];
    };
  },
  irt({ below, normal, chance }) {
    const draw = () => Array.from({ length: 6 }, normal);
    const [ability, difficulty, slope] = [draw(), draw(), draw()];
    return () => {
      const [s, q] = [below(6), below(6)];
      return [s, q, chance(sigmoid(slope[q] * (ability[s] - difficulty[q])))];
    };
  },
  survival({ between, chance, normal }) {
    const [rate, beta] = [between(0, 0.3), Math.abs(2 * normal())];
    return () => {
      const [m, t] = [chance(0.5), rounded(between(0, 10), 1)];
      return [m, t, chance(sigmoid(t * Math.exp(beta * m) * rate))];
    };
  },
  location({ between, normal }) {
    const sources = Array.from({ length: 3 }, () => [normal(), normal()]);
    return () => {
      const at = [rounded(between(-2, 2), 2), rounded(between(-2, 2), 2)];
      const signal = sources.reduce(
        (sum, [a, b]) => sum + 1 / (1e-4 + (at[0] - a) ** 2 + (at[1] - b) ** 2),
        0.1,
      );
      return [...at, rounded(signal + 0.5 * normal(), 2)];
    };
  },
  morals({ below, chance }) {
    return () => {
      const [gender, age, fitness] = [below(3) - 1, below(5) - 2, below(3) - 1];
      return [gender, age, fitness, chance(sigmoid(-0.3 * gender + 0.1 * age + 0.4 * fitness))];
    };
  },
};

/** Names of the environments. */
export const environments: readonly string[] = Object.keys(experiments);

/** An experiment of `rows` rows; the number says which. */
export function experimentData(name: string, rows: number, number: number): Dataset {
  const stream = new RandomStream("corpus experiments", name, rows, number);
  const one = new Float64Array(1);
  const row = experiments[name]({
    between: (low, high) => low + (high - low) * stream.uniform(),
    below: (count) => stream.below(count),
    normal: () => (fillNormal(stream, one), one[0]),
    chance: (p) => stream.uniform() < p ? 1 : 0,
  });
  const found = Array.from({ length: rows }, () => row());
  const columns = datasets[name].columns.map((column, k): Column => ({
    ...column,
    values: Float64Array.from(found, (values) => values[k]),
  }));
  return makeDataset(name, columns);
}
