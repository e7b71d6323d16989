/** Functions that formulas of other tools have, and what is written here in their place. */

const bend = "a line that may bend is spline(x, 5), a polynomial poly(x, 2)";
const scaled = "write the column itself: numbers are centred, and priors scaled, in any case";

/** What to write, by the name of the function. */
export const functionsElsewhere: ReadonlyMap<string, string> = new Map([
  ...["s", "bs", "ns", "cr", "te", "t2", "smooth"].map((name) => [name, bend] as const),
  ...["I", "pow", "square"].map((name) => [name, "powers are poly(x, 2), products x:z"] as const),
  ["cat", "numbers that are names are factor(x); a column of words is a category by itself"],
  ...["scale", "center", "standardize"].map((name) => [name, scaled] as const),
  ...["log2", "log10"].map((name) =>
    [name, "any logarithm is log(x): only its unit differs"] as const
  ),
  ...["gp", "hsgp"].map((name) => [name, 'space = "gaussian_process" asks which kernel'] as const),
  [
    "mi",
    'missing = "model" in the stage of the data has parameters where a measured predictor lacks values',
  ],
]);
