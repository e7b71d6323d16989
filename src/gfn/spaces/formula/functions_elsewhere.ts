/** Functions and words of brms, mgcv, survival and R, with their replacements here. */

const bend =
  "a line that may bend is spline(x, 5), a polynomial poly(x, 2), one for each level of g " +
  "poly(x, 2):g";
const scaled = "write the column itself: numbers are centred, and priors scaled, in any case";
const memory =
  'rows that remember those before them are space = "time_series", which asks about it';
const column = "add it to the file as a column of its own";
const itself = "write the column itself; numbers that are names are factor(x)";
const several = "rows of several groups are not there yet; (1 | g) has the first of them";
const relations =
  "relations between levels are not there yet; (1 | g) takes levels as exchangeable";
const byLevel =
  "effects that differ by level are not there; those of an ordered response are for all levels";
const covariance = "slopes that correlate are (1 + x | g), such that do not (1 + x || g)";
const apart = "name it in a formula of its own: further parameters are joined by ;, `; sigma ~ x`";

/** The formula's own form of a function of a predictor, by its name. */
export const functionsElsewhere: ReadonlyMap<string, string> = new Map([
  ...["s", "bs", "ns", "cr", "cc", "rcs", "lsp", "lo", "pb", "pspline", "smooth"].map((name) =>
    [name, bend] as const
  ),
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
  ...["autocor", "ar", "ar1", "ou", "ma", "arma", "cosy", "unstr", "toep", "lag", "diff", "L", "D"]
    .map((name) => [name, memory] as const),
  ...["car", "sar"].map((name) =>
    [
      name,
      "neighbours in space are not there yet; (1 | region) takes regions as exchangeable",
    ] as const
  ),
  ...["gr", "animal", "phylo", "propto", "vm"].map((name) => [name, relations] as const),
  ...["mm", "mmc", "multimembership"].map((name) => [name, several] as const),
  ["me", "predictors with errors are not there yet; known errors of the response are y | se(s)"],
  ["fcor", "known errors of rows are y | se(s); correlations of rows are not there yet"],
  ...["cs", "cse"].map((name) => [name, byLevel] as const),
  ...["us", "diag", "rr", "homdiag", "cor"].map((name) => [name, covariance] as const),
  ["dummy", "slopes by level are (0 + x | g), effects of each level factor(x)"],
  ...["set_rescor", "set_nl", "lf", "nlf", "acformula"].map((name) => [name, apart] as const),
  ["common", "write what stands in it: effects of all rows are x"],
  ["group_specific", "effects of groups are (1 + x | g)"],
  ...["as.numeric", "as.integer", "as.double", "identity"].map((name) => [name, itself] as const),
  ...["as.character", "i", "ordered"].map((name) =>
    [
      name,
      name === "ordered" ? "steps in order are mo(x)" : "effects of values are factor(x)",
    ] as const
  ),
  ["Q", "names with blanks stand in backticks: `body mass`"],
  ["pol", "powers are poly(x, 2)"],
  ...["sin", "cos", "tan", "tanh", "abs", "round", "floor", "ceiling", "min", "max", "rank", "sign"]
    .map((name) => [name, column] as const),
  ...["inv", "logit", "qlogis", "plogis", "expit", "invlogit", "asin", "quantile", "mean", "sd"]
    .map((name) => [name, column] as const),
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

const singly =
  "several responses are several questions: rank each by a formula of its own, `a ~ x`, then " +
  "`b ~ x`, or both by mvbind(a, b) ~ x of rank and init; successes a and failures b are cbind(a, b)";

/** The formula's own form of a function of the response. */
export const leftFunctionsElsewhere: ReadonlyMap<string, string> = new Map([
  [
    "Surv",
    "write time | event(died) ~ …: died is 1 for an event, 0 for a censored row; between " +
    "two times low | cens(c, high) ~ …",
  ],
  ["censored", "write y | cens(c) ~ …, c being left, none, right or interval"],
  ...["truncated", "constrained"].map((name) =>
    [name, "write y | trunc(lb = 1, ub = 9) ~ …"] as const
  ),
  ...["p", "prop", "proportion", "binomial"].map((name) =>
    [name, "successes a among n are a | trials(n) ~ …"] as const
  ),
  ...["bf", "brmsformula", "formula", "lf"].map((name) =>
    [
      name,
      "write what stands in it; further parameters are joined by ;, `y ~ x; sigma ~ x`",
    ] as const
  ),
  ...["as.numeric", "as.integer"].map((name) => [name, "write the column itself"] as const),
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
  ["cat", "the levels are those of the file"],
  ...["vint", "vreal"].map((name) =>
    [name, "families of one's own are programs: sluice rank mine.py --data FILE"] as const
  ),
  ["bhaz", "survival has families of times: --space survival, time | event(died) ~ …"],
]);
