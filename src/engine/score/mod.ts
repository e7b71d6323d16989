/** Scoring of programs on data. */
export type { InferenceDataOptions } from "./build_inference_data.ts";
export { checkLikelihoodMass } from "./integrity/check.ts";
export { type OutcomePoints, outcomesAt, type OutcomesFound } from "./outcomes.ts";
export { type NewRows, predictRows } from "./predictions.ts";
export type { PrintedProgram } from "./print_program.ts";
export { type PrintedGraph, printGraph } from "./printed_graph.ts";
export {
  type SampledProgram,
  sampleProgram,
  type SampleProgramOptions,
  sampleSteps,
} from "./sample_program.ts";
export {
  rejectedExecution,
  scoreNow,
  type ScoreOptions,
  scoreProgram,
  unfitExecution,
} from "./score.ts";
export { checkGraph, scoreGraph } from "./score_graph.ts";
export { hashWith, wholeProgram } from "./whole_program.ts";
export type { Predicted } from "./predictions.ts";
export type { Proof } from "./print_program.ts";
export type { ScoreGraphOptions } from "./score_graph.ts";
export type { WholeOptions, WholeProgram } from "./whole_program.ts";
