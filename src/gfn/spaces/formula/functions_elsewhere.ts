/** Functions and words of brms, mgcv, survival and R, and what is written here in their place. */

const bend =
  "a line that may bend is spline(x, 5), a polynomial poly(x, 2), one for each level of g " +
  "poly(x, 2):g";
const scaled = "write the column itself: numbers are centred, and priors scaled, in any case";
const memory =
  'rows that remember those before them are space = "time_series", which asks about it';
const column = "add it to the file as a column of its own";

/** The formula's own form of a function of a predictor, by its name. */
export const functionsElsewhere: ReadonlyMap<string, string> = new Map([
  ...["s", "bs", "ns", "cr", "rcs", "pspline", "smooth"].map((name) => [name, bend] as const),
  ...["te", "ti", "t2"].map((name) =>
    [name, "a surface over x and z is poly(x, 2) + poly(z, 2) + x:z"] as const
  ),
  ...["I", "pow", "square"].map((name) => [name, "powers are poly(x, 2), products x:z"] as const),
  ["cat", "numbers that are names are factor(x); a column of words is a category by itself"],
  ["relevel", 'factor(x, ref = "b") compares the levels with b'],
  ["interaction", "the levels of a and b together are a * b, as groups (1 | a:b)"],
  ...["scale", "center", "standardize"].map((name) => [name, scaled] as const),
  ...["log2", "log10"].map((name) =>
    [name, "any logarithm is log(x): only its unit differs"] as const
  ),
  ...["gp", "hsgp"].map((name) => [name, 'space = "gaussian_process" asks which kernel'] as const),
  ...["ar", "ma", "arma", "cosy", "unstr", "lag", "diff"].map((name) => [name, memory] as const),
  ...["car", "sar"].map((name) =>
    [
      name,
      "neighbours in space are not there yet; (1 | region) takes regions as exchangeable",
    ] as const
  ),
  ["gr", "relations between levels are not there yet; (1 | g) takes levels as exchangeable"],
  ["mm", "rows of several groups are not there yet; (1 | g) has the first of them"],
  ["me", "predictors with errors are not there yet; known errors of the response are y | se(s)"],
  [
    "cs",
    "effects that differ by level are not there; those of an ordered response are for all levels",
  ],
  ["frailty", "a frailty is (1 | g)"],
  ["strata", "factor(g) has an effect of each stratum; a shape of each is not there yet"],
  ["cluster", "rows that belong together are --group g, left out as wholes by --unit group"],
  ["Error", "strata of errors are groups: (1 | g)"],
  ...["cut", "ifelse", "pmin", "pmax", "exp1m"].map((name) => [name, column] as const),
  [
    "mi",
    'missing = "model" in the stage of the data has parameters where a measured predictor lacks values',
  ],
]);

const singly = "several responses are several questions: rank each by a formula of its own";

/** The formula's own form of a function of the response. */
export const leftFunctionsElsewhere: ReadonlyMap<string, string> = new Map([
  [
    "Surv",
    "write time | event(died) ~ …: died is 1 where it happened, 0 where watching ended before",
  ],
  ...["mvbind", "mvbrmsformula", "c"].map((name) => [name, singly] as const),
  ...["factor", "as.factor", "ordered", "C"].map((name) =>
    [
      name,
      "ordered levels are --space ordinal --levels LEAST,…,MOST; of two levels one is 1",
    ] as const
  ),
]);

/** Advice for other functions of the response. */
export const leftElsewhere =
  `of the left side there are y, log(y) and [y | log(y)]; else ${column}`;

/** The formula's own form of words behind the bar of a response. */
export const responseElsewhere: ReadonlyMap<string, string> = new Map([
  ["rate", "counts per time or area are y ~ offset(log(time)) + …"],
  ["mi", 'missing = "model" in the stage of the data; rows without a response are left out'],
  ["thres", "--levels says which levels there are"],
  ["dec", "add it to the file as a column of the response"],
  ["subset", "leave rows out of the file"],
  ["index", "leave it out"],
]);
