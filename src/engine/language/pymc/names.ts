/** Names that PyMC, NumPy and Python offer beside what is read, and what to write instead. */

/** Constructors of `pm` that wrap a column. */
export const dataContainers: ReadonlySet<string> = new Set(["Data", "MutableData", "ConstantData"]);

/** Inference belongs to the host: these are read and have no effect. */
export const inference: ReadonlySet<string> = new Set([
  "sample",
  "sample_prior_predictive",
  "sample_posterior_predictive",
  "sample_smc",
  "sample_blackjax_nuts",
  "sample_numpyro_nuts",
  "find_MAP",
  "find_constrained_prior",
  "fit",
  "draw",
  "compute_log_likelihood",
  "compute_log_prior",
]);

const silentNames = new Set([
  "NUTS",
  "HamiltonianMC",
  "Metropolis",
  "Slice",
  "DEMetropolis",
  "DEMetropolisZ",
  "BinaryMetropolis",
  "BinaryGibbsMetropolis",
  "CategoricalGibbsMetropolis",
  "CompoundStep",
  "EllipticalSlice",
  "ADVI",
  "FullRankADVI",
  "SVGD",
  "Approximation",
  "summary",
  "loo",
  "waic",
  "compare",
  "ess",
  "rhat",
  "mcse",
  "model_to_graphviz",
  "model_to_networkx",
  "model_to_mermaid",
  "model_table",
  "model_graph",
  "traceplot",
  "forestplot",
  "print_table",
  "init_nuts",
  "adam",
  "adagrad",
  "sgd",
  "Empirical",
  "MeanField",
  "find_MAP",
]);

/** Names of `pm` that have nothing to do with what a model means. */
export function isSilentName(name: string): boolean {
  return silentNames.has(name) || name.startsWith("plot_");
}

/** Densities that a program would define itself. */
export const customDensities: ReadonlySet<string> = new Set([
  "CustomDist",
  "DensityDist",
  "Simulator",
  "Interpolated",
]);

/** Names after `pm.`, apart from distributions. */
export const pmNames: readonly string[] = [
  "Model",
  "Deterministic",
  "math",
  "invlogit",
  ...dataContainers,
  "sample",
  "sample_prior_predictive",
  "sample_posterior_predictive",
];

const walk = "write the steps with pm.math.cumsum over a vector of pm.Normal";

/** Other names of `pm`, with what to write instead. */
export const replacements: Readonly<Record<string, string>> = {
  AR1: "write pm.AR, or the mean with lagged predictors",
  Bound: "write pm.TruncatedNormal, or pm.Truncated around pm.Family.dist(...)",
  CAR: "write a hierarchical effect per group",
  EulerMaruyama: walk,
  GARCH11: "write the variance as a function of predictors",
  ICAR: "write a hierarchical effect per group",
  KroneckerNormal: "write pm.MvNormal with the covariance in full",
  LKJCorr: "pm.LKJCholeskyCov gives a covariance by its Cholesky factor",
  MatrixNormal: "write pm.MvNormal",
  Minibatch: "leave it out: all rows are scored",
  MvGaussianRandomWalk: walk,
  MvStudentTRandomWalk: walk,
  PolyaGamma: "pm.Gamma is on the same support",
  RandomWalk: walk,
  SkewStudentT: "pm.SkewNormal is skewed, pm.StudentT has heavy tails",
  StickBreakingWeights: "pm.Dirichlet gives weights that sum to 1",
  Wishart: "pm.LKJCholeskyCov gives a covariance by its Cholesky factor",
  WishartBartlett: "pm.LKJCholeskyCov gives a covariance by its Cholesky factor",
  do: "write the model as it is meant",
  observe: "write observed= in the likelihood",
  ode: "write the solution as a function of the columns, or a solver's steps in a for loop",
  scan: "write the steps as arrays",
};

/** Names of variables that inference data use for themselves. */
export function isReservedName(name: string): boolean {
  const reserved = ["log_likelihood", "log_prior", "lp", "elpd", "elpd_loo", "chain", "draw"];
  return reserved.includes(name) || name.startsWith("__") || name.endsWith("__");
}
