/** Chooses the next measurements: outcomes on grids, and the information of each row. */
export { type BatchStep, greedyBatch } from "./batch.ts";
export {
  type About,
  aboutAnswers,
  aboutEffects,
  between,
  errorOfMean,
  leaderChanges,
  mean,
  type Nats,
} from "./information.ts";
export { isHeldBy, type OutcomeGrid, outcomeGrid } from "./outcome_grid.ts";
export { aboutOutcome, type OutcomeRow } from "./predictive_information.ts";
export {
  type GroupMasses,
  type ProgramOutcomes,
  type RowOutcomes,
  rowOutcomes,
} from "./program_outcomes.ts";
