/** Growth curves, their sources, and the priors of their parameters. */
import type { GrowthNumbers } from "./growth_numbers.ts";

/** A curve of sizes over ages. */
export interface GrowthCurve {
  /** Curves that are one family in several parametrisations have one answer. */
  readonly answer?: string;
  /** True where it is not finite at age 0. */
  readonly wantsAge?: true;
  /** Statements that end with `mu`, the size at each age. */
  readonly lines: (numbers: GrowthNumbers) => readonly string[];
}

const adult = ({ logMost, width }: GrowthNumbers) =>
  `linf = pm.LogNormal("linf", mu=${logMost}, sigma=${width}0.4)`;
const birth = ({ logLeast, width }: GrowthNumbers) =>
  `l0 = pm.LogNormal("l0", mu=${logLeast}, sigma=${width}0.6)`;
const middle = ({ logMiddle, width }: GrowthNumbers) =>
  `lm = pm.LogNormal("lm", mu=${logMiddle}, sigma=${width}0.4)`;
const gain = ({ gain, width }: GrowthNumbers) =>
  `gain = pm.HalfNormal("gain", sigma=${width}${gain})`;
const rate = ({ logRate, width }: GrowthNumbers) =>
  `k = pm.LogNormal("k", mu=${logRate}, sigma=${width}1.0)`;
const shape = ({ width }: GrowthNumbers) =>
  `shape = pm.LogNormal("shape", mu=0, sigma=${width}0.25)`;
const mu = (text: string) => `mu = ${text}`;

type Prior = (numbers: GrowthNumbers) => string;

/** A curve of priors, and its mean. */
function of(priors: readonly Prior[], mean: (numbers: GrowthNumbers) => string) {
  return {
    lines: (
      numbers: GrowthNumbers,
    ) => [...priors.map((prior) => prior(numbers)), mu(mean(numbers))],
  };
}

/** All curves, by name. */
export const growthCurves = {
  linear: of([birth, gain], ({ oldest }) => `l0 + gain * age / ${oldest}`),
  /** Growth in the square root of age. */
  square_root: of([birth, gain], ({ oldest }) => `l0 + gain * pm.math.sqrt(age / ${oldest})`),
  /** A parabola with its top, the greatest size, at the age `peak`. */
  quadratic: of(
    [
      adult,
      gain,
      ({ logPeak, width }) => `peak = pm.LogNormal("peak", mu=${logPeak}, sigma=${width}0.5)`,
    ],
    () => "linf - gain * ((peak - age) / peak) ** 2",
  ),
  /** Allometric growth: Huxley (1932), Problems of Relative Growth. */
  power: {
    ...of(
      [middle, ({ width }) => `p = pm.HalfNormal("p", sigma=${width}0.5)`],
      ({ middleAge }) => `lm * pm.math.exp(p * pm.math.log(age / ${middleAge}))`,
    ),
    wantsAge: true,
  },
  /** Growth in the logarithm of age. */
  logarithmic: {
    ...of(
      [middle, gain],
      ({ middleAge }) => `lm + gain * pm.math.log(age / ${middleAge}) / 3.4`,
    ),
    wantsAge: true,
  },
  /** Logarithmic growth, finite at birth. */
  logarithmic_from_birth: of(
    [birth, gain],
    ({ year }) => `l0 + gain * pm.math.log(1 + age / ${year}) / 3.4`,
  ),
  /** Von Bertalanffy (1938), Human Biology 10:181-213, with size zero at age zero. */
  von_bertalanffy_from_zero: {
    ...of([adult, rate], () => "linf * (1 - pm.math.exp(-k * age))"),
    wantsAge: true,
  },
  /** Michaelis and Menten (1913), with size zero at age zero. */
  michaelis_menten_from_zero: {
    ...of([adult, rate], () => "linf - linf / (1 + k * age)"),
    wantsAge: true,
  },
  /** Von Bertalanffy (1938), by the size at birth. */
  von_bertalanffy: of([adult, birth, rate], () => "linf - (linf - l0) * pm.math.exp(-k * age)"),
  /** Beverton and Holt (1957): by the age at which the size would be zero. */
  von_bertalanffy_lag: {
    ...of(
      [
        adult,
        rate,
        ({ logLag, width }) => `lag = pm.LogNormal("lag", mu=${logLag}, sigma=${width}0.8)`,
      ],
      () => "linf - linf * pm.math.exp(-k * (lag + age))",
    ),
    answer: "von_bertalanffy",
  },
  /** Carlin and Gelfand (1991), Statistics and Computing 1:119-128; BUGS Examples. */
  carlin_gelfand: {
    ...of(
      [adult, gain, () => 'decay = pm.Uniform("decay", lower=0.5, upper=1)'],
      ({ year }) => `linf - gain * decay ** (age / ${year})`,
    ),
    answer: "von_bertalanffy",
  },
  /** Brody (1945), Bioenergetics and Growth. */
  brody: {
    ...of(
      [adult, () => 'b = pm.Uniform("b", lower=0, upper=1)', rate],
      () => "linf * (1 - b * pm.math.exp(-k * age))",
    ),
    answer: "von_bertalanffy",
  },
  /** Michaelis and Menten (1913) as a growth curve: López et al. (2000), J. Animal Science 78. */
  michaelis_menten: of([adult, birth, rate], () => "linf - (linf - l0) / (1 + k * age)"),
  /** Hill (1910), J. Physiology 40:iv-vii; López et al. (2000). */
  hill: of([adult, birth, rate, shape], () => "linf - (linf - l0) / (1 + (k * age) ** shape)"),
  /** Weibull (1951) as a growth curve: Ratkowsky (1983), ch. 4. */
  weibull: of(
    [adult, birth, rate, shape],
    () => "linf - (linf - l0) * pm.math.exp(-(k * age) ** shape)",
  ),
  /** Verhulst (1838), Correspondance mathématique et physique 10:113-121. */
  logistic: of(
    [adult, birth, rate],
    () => "linf / (1 + (linf / l0 - 1) * pm.math.exp(-k * age))",
  ),
  /** Gompertz (1825); as a growth curve: Winsor (1932), PNAS 18:1-8. */
  gompertz: of([adult, birth, rate], () => "linf * (l0 / linf) ** pm.math.exp(-k * age)"),
  /** Richards (1959), J. Experimental Botany 10:290-301, with his shape at 2. */
  richards: of(
    [adult, birth, rate],
    () => "pm.math.sqrt(linf ** 2 - (linf ** 2 - l0 ** 2) * pm.math.exp(-k * age))",
  ),
  /** Jassby and Platt (1976), Limnology and Oceanography 21:540-547. */
  hyperbolic_tangent: of(
    [adult, birth, rate],
    () => "l0 + (linf - l0) * pm.math.tanh(k * age)",
  ),
} as const satisfies Readonly<Record<string, GrowthCurve>>;

/** Name of a growth curve. */
export type GrowthCurveName = keyof typeof growthCurves;
