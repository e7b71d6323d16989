/** Places of programs of growth in their vocabulary: every curve under every noise, curve by curve. */
import { type CurveName, curveNames } from "./mean_curves.ts";
import { type Noise, noises } from "./noises.ts";

/** Number of programs of the vocabulary. */
export const growthCount: number = curveNames.length * noises.length;

/** Number of marks: one of each curve, then one of each noise. */
export const growthMarks: number = curveNames.length + noises.length;

/** The program of a curve and a noise, by their places. */
export function programAt(curve: number, noise: number): number {
  return curve * noises.length + noise;
}

/** Curve of a program. */
export function curveOf(program: number): CurveName {
  return curveNames[Math.floor(program / noises.length)];
}

/** Noise of a program. */
export function noiseOf(program: number): Noise {
  return noises[program % noises.length];
}

/** Marks of a program: that of its curve, that of its noise. */
export function marksOf(program: number): readonly [curve: number, noise: number] {
  return [Math.floor(program / noises.length), curveNames.length + program % noises.length];
}
