/** Inference: densities, chains, predictions, diagnostics. */
export { quantileOfSorted } from "./mcmc/diagnostics.ts";
