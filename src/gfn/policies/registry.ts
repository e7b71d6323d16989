/** The kinds of policies that come with Sluice: a line each. */
export { amortised } from "./kinds/amortised.ts";
export { languageModel } from "./kinds/language_model.ts";
export { mlp } from "./kinds/mlp.ts";
export { table } from "./kinds/table.ts";
export { tinker } from "./kinds/tinker.ts";
export { transformer } from "./kinds/transformer.ts";
