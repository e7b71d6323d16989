/** Scoring of programs on data. */
export { type Belief, type BeliefOptions, believe, type SeenRows } from "./belief/believe.ts";
export { calibrate, type CalibrateOptions, ranksOf, type TwoPrograms } from "./belief/calibrate.ts";
export { type Design, type DesignColumn, type NamedDraws } from "./belief/theory.ts";
export { type Outcomes, TheoryRows } from "./belief/rows.ts";
export { simulateLatents, simulateRows } from "./belief/simulate.ts";
export type { ParameterDraws } from "../inference/predict/draws.ts";
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
