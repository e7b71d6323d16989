/** Growth curves as functions of age, their coordinates normal a priori: those of the model space `growth`. */
import { exp, log, log1p, tanh } from "../../../numerics/math/mod.ts";

/** Ages and sizes of an organism. */
export interface Sizes {
  /** `[rows]`, 0 or above. */
  readonly ages: Float64Array;
  /** `[rows]`, above 0. */
  readonly sizes: Float64Array;
}

/** Numbers of the data by which priors are scaled. */
export interface GrowthScales {
  readonly logMost: number;
  readonly logLeast: number;
  readonly logMiddle: number;
  readonly gain: number;
  readonly oldest: number;
  readonly middleAge: number;
  readonly mean: number;
  /** Standard deviation of sizes. */
  readonly deviation: number;
}

/** Prior of a coordinate: its mean and standard deviation; half of it where it is 0 or above. */
type Normal = readonly [mean: number, deviation: number, half?: true];

/** A curve. */
export interface MeanCurve {
  /** True where it is not finite at age 0. */
  readonly wantsAge?: true;
  /** Priors of the coordinates: gains and powers, half-normal, as they are, all others in the logarithm. */
  readonly priors: (scales: GrowthScales) => readonly Normal[];
  /** The size at an age. */
  readonly of: (at: ArrayLike<number>, scales: GrowthScales) => (age: number) => number;
}

const adult = ({ logMost }: GrowthScales): Normal => [logMost, 0.4];
const birth = ({ logLeast }: GrowthScales): Normal => [logLeast, 0.6];
const middle = ({ logMiddle }: GrowthScales): Normal => [logMiddle, 0.4];
const gain = (scales: GrowthScales): Normal => [0, scales.gain, true];
const rate = ({ oldest }: GrowthScales): Normal => [log(6 / oldest), 1];
const shape = (): Normal => [0, 0.25];

type Prior = (scales: GrowthScales) => Normal;

function curve(priors: readonly Prior[], of: MeanCurve["of"], wantsAge?: true): MeanCurve {
  return {
    priors: (scales) => priors.map((one) => one(scales)),
    of,
    ...(wantsAge && { wantsAge }),
  };
}

/** Between the size at birth and the adult one, by the share that is grown. */
function grown(share: (x: number, shape: number) => number, ...more: readonly Prior[]): MeanCurve {
  return curve([adult, birth, rate, ...more], (at) => {
    const [most, least, k] = [exp(at[0]), exp(at[1]), exp(at[2])];
    const bend = more.length > 0 ? exp(at[3]) : 1;
    return (age) => least + (most - least) * share(k * age, bend);
  });
}

const power = (x: number, p: number) => x > 0 ? exp(p * log(x)) : 0;

/** All curves, in the order of the space's answers. */
export const meanCurves = {
  linear: curve([birth, gain], (at, { oldest }) => {
    const least = exp(at[0]);
    return (age) => least + at[1] * age / oldest;
  }),
  square_root: curve([birth, gain], (at, { oldest }) => {
    const least = exp(at[0]);
    return (age) => least + at[1] * Math.sqrt(age / oldest);
  }),
  quadratic: curve(
    [adult, gain, ({ oldest }) => [log(0.8 * oldest), 0.5]],
    (at) => {
      const [most, peak] = [exp(at[0]), exp(at[2])];
      return (age) => most - at[1] * ((peak - age) / peak) * ((peak - age) / peak);
    },
  ),
  power: curve([middle, () => [0, 0.5, true]], (at, { middleAge }) => {
    const size = exp(at[0]);
    return (age) => size * exp(at[1] * log(age / middleAge));
  }, true),
  logarithmic: curve([middle, gain], (at, { middleAge }) => {
    const size = exp(at[0]);
    return (age) => size + at[1] * log(age / middleAge) / 3.4;
  }, true),
  logarithmic_from_birth: curve([birth, gain], (at, { oldest }) => {
    const least = exp(at[0]);
    return (age) => least + at[1] * log1p(30 * age / oldest) / 3.4;
  }),
  von_bertalanffy_from_zero: curve([adult, rate], (at) => {
    const [most, k] = [exp(at[0]), exp(at[1])];
    return (age) => most * (1 - exp(-k * age));
  }, true),
  michaelis_menten_from_zero: curve([adult, rate], (at) => {
    const [most, k] = [exp(at[0]), exp(at[1])];
    return (age) => most - most / (1 + k * age);
  }, true),
  von_bertalanffy: grown((x) => 1 - exp(-x)),
  michaelis_menten: grown((x) => x / (1 + x)),
  hill: grown((x, bend) => {
    const high = power(x, bend);
    return high / (1 + high);
  }, shape),
  weibull: grown((x, bend) => 1 - exp(-power(x, bend)), shape),
  logistic: curve([adult, birth, rate], (at) => {
    const [most, least, k] = [exp(at[0]), exp(at[1]), exp(at[2])];
    return (age) => most / (1 + (most / least - 1) * exp(-k * age));
  }),
  gompertz: curve([adult, birth, rate], (at) => {
    const k = exp(at[2]);
    return (age) => exp(at[0] + (at[1] - at[0]) * exp(-k * age));
  }),
  richards: curve([adult, birth, rate], (at) => {
    const [most, least, k] = [exp(2 * at[0]), exp(2 * at[1]), exp(at[2])];
    return (age) => Math.sqrt(Math.max(1e-12, most - (most - least) * exp(-k * age)));
  }),
  hyperbolic_tangent: grown((x) => tanh(x)),
} as const satisfies Readonly<Record<string, MeanCurve>>;

/** Name of a curve, as the space answers. */
export type CurveName = keyof typeof meanCurves;

/** Names of the curves, in their order. */
export const curveNames = Object.keys(meanCurves) as CurveName[];

/** Numbers of the data, as priors need them. */
export function scalesOf({ ages, sizes }: Sizes): GrowthScales {
  const [least, most] = [extreme(sizes, Math.min), extreme(sizes, Math.max)];
  const rows = sizes.length;
  const mean = sizes.reduce((sum, one) => sum + one, 0) / rows;
  const square = sizes.reduce((sum, one) => sum + (one - mean) * (one - mean), 0);
  return {
    logMost: log(most),
    logLeast: log(least),
    logMiddle: log(middleOf(sizes)),
    gain: 2 * (most - least),
    oldest: extreme(ages, Math.max),
    middleAge: middleOf(ages.filter((age) => age > 0)),
    mean,
    deviation: Math.sqrt(square / (rows - 1)),
  };
}

function extreme(values: Float64Array, of: (a: number, b: number) => number): number {
  return values.reduce((a, b) => of(a, b));
}

function middleOf(values: Float64Array): number {
  const sorted = values.toSorted();
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}
