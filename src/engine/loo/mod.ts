/** Leave-one-out cross-validation of posteriors. */
export { type LooMethod, looMethods } from "./elpd.ts";
