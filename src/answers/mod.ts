/**
 * Answers of scored programs to the questions of their space, with their uncertainty.
 *
 * Target weights, stacking over all programs, Bayesian bootstraps of the rows, the engine's noise,
 * the influence of the prior, and the differences that the data can resolve.
 *
 * @module
 */
export { answerOf } from "./answer.ts";
export {
  type Answer,
  type AnsweredQuestion,
  answerSchema,
  answerSchemaText,
} from "./answer_schema.ts";
export {
  aboutConfirmation,
  type Confirmation,
  confirmationOf,
  type Confirmed,
  type ConfirmedProgram,
} from "./confirmation.ts";
export { type ComparedProgram, compareElpd, type WeightMethod, weightMethods } from "./compared.ts";
export {
  type Difference,
  differenceOf,
  fewRows,
  parametersApart,
  smallDifference,
} from "./difference.ts";
export type { AskedQuestion, ScoredEffect, ScoredSpace } from "./scored_space.ts";
export { type Stacking, stackingWeights } from "./stacking.ts";
export { percent } from "./percent.ts";
export { verdictOf } from "./verdict.ts";
export { modelFormula } from "./model_formula.ts";
export { isOpen, middleOf, openQuestions, wasScored } from "./was_scored.ts";
