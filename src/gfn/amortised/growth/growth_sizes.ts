/** Sizes of the pooled numbers of a data set of growth. */
import { growthMarks } from "./growth_places.ts";

/** Numbers of the data and of a program, before those of each curve and noise. */
export const ownSizes = { data: 12, program: 13 } as const;

/** Numbers of the data and of a program in all. */
export const growthSizes = {
  data: ownSizes.data + growthMarks,
  program: ownSizes.program + growthMarks,
} as const;
