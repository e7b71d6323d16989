/** Leave-one-out cross-validation of posteriors. */
export { type LooMethod, looMethods } from "./elpd.ts";
export { fitPareto, type ParetoFit } from "./pareto.ts";
