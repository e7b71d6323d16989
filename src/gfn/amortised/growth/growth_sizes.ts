/** Sizes of what is pooled of a data set of growth. */
import { curveNames } from "./mean_curves.ts";
import { noises } from "./noises.ts";

const answers = curveNames.length + noises.length;

/** How many programs the vocabulary has. */
export const growthCount: number = curveNames.length * noises.length;

/** How many numbers there are of the data and of a program. */
export const growthSizes = { data: 12 + answers, program: 13 + answers } as const;
