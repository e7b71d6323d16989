/** Kinds of model spaces, and the keys by which each is asked for. */
import { seriesNoises } from "./time_series/noise_names.ts";
import { doseCurves } from "./curves/dose_curves.ts";
import { growthCurves } from "./curves/growth_curves.ts";
import { noiseNames } from "./curves/noise_names.ts";
import { ordinalNames } from "./ordinal/family_names.ts";
import { familyNames } from "./regression/family_names.ts";
import { survivalNames } from "./survival/family_names.ts";

/** Kinds of model spaces. */
export const spaceNames = [
  ...["regression", "growth", "dose_response", "survival"] as const,
  ...["time_series", "ordinal", "gaussian_process", "pooling"] as const,
] as const;
/** One of `spaceNames`. */
export type SpaceName = (typeof spaceNames)[number];

/** Kernels that a space of Gaussian processes joins. */
export const kernelNames = ["linear", "exp_quad", "matern32", "periodic"] as const;
/** One of `kernelNames`. */
export type KernelName = (typeof kernelNames)[number];

/** Keys of one kind of space beside formula and priors, and the values that its lists may have. */
export interface SpaceKeys {
  readonly families?: readonly string[];
  readonly curves?: readonly string[];
  readonly kernels?: readonly string[];
  readonly margins?: true;
  readonly effects?: true;
  readonly period?: true;
  readonly depth?: true;
}

/** The keys of each kind of space. */
export const spaceKeys: Readonly<Record<SpaceName, SpaceKeys>> = {
  regression: { families: familyNames, margins: true, effects: true },
  growth: { families: noiseNames, curves: Object.keys(growthCurves) },
  dose_response: {
    families: ["normal", "student_t", "bernoulli", "binomial", "beta_binomial"],
    curves: Object.keys(doseCurves),
  },
  survival: { families: survivalNames, margins: true },
  time_series: { families: seriesNoises, period: true, margins: true },
  ordinal: { families: ordinalNames, margins: true },
  gaussian_process: { kernels: kernelNames, period: true, depth: true },
  pooling: { families: familyNames.filter((name) => name !== "categorical") },
};

const listed = Object.values(spaceKeys);

/** Every family of some space. */
export const allFamilies: readonly string[] = [
  ...new Set(listed.flatMap(({ families = [] }) => families)),
];
/** Every curve of some space. */
export const allCurves: readonly string[] = [
  ...new Set(listed.flatMap(({ curves = [] }) => curves)),
];
