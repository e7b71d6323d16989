/** Elementary functions, linear algebra and quadrature with the same bits everywhere. */
export { atan } from "./arctangent.ts";
export { besselRatio, logI0 } from "./bessel.ts";
export { cos, exp, expm1, log, log1p, pow, sigmoid, sin, softplus, tanh } from "./elementary.ts";
export { exponentials, takeLogs } from "./exponentials.ts";
export type { FieldConditional, FieldDraw, FieldPosterior } from "./field_posterior.ts";
export { digamma, lgamma, trigamma } from "./gamma.ts";
export { betainc, betaincASlope, betaincBSlope } from "./incomplete_beta.ts";
export { gammainc, gammaincc, gammaincShapeSlope } from "./incomplete_gamma.ts";
export { indexAbove } from "./index_above.ts";
export { cholesky, inverseFromCholesky, solveLower, solveUpper } from "./linalg.ts";
export { log1mexp } from "./log1mexp.ts";
export { logAddExp } from "./log_add_exp.ts";
export type {
  ClosedFormPosterior,
  GeneratedDensity,
  LogDensity,
  MixtureComponents,
  PointwiseDensity,
  PointwiseLikelihood,
  PredictiveLikelihood,
  QuantityShape,
  RowLatents,
  StartingRegion,
} from "./log_density.ts";
export { joinNumbers } from "./join_numbers.ts";
export { logSoftmax } from "./log_softmax.ts";
export { logSumExp } from "./log_sum_exp.ts";
export { erf, erfc, logNormalCdf, normalCdf, normalQuantile } from "./normal.ts";
export { logNormalInterval } from "./normal_interval.ts";
export { quantile } from "./quantile.ts";
export { fillNormal } from "./random_normal.ts";
export {
  drawBeta,
  drawBinomial,
  drawCauchy,
  drawCode,
  drawExponential,
  drawGamma,
  drawGeometric,
  drawHypergeometric,
  drawLogGamma,
  drawNegativeBinomial,
  drawNormal,
  drawPoisson,
  drawStudentT,
  drawVonMises,
  drawWald,
} from "./samplers.ts";
export { addTimes, dotRange, largest, meanSquare, sumRange, takeColumn } from "./ranges.ts";
export { SobolNets } from "./sobol_nets.ts";
