/** Plans: which stages run, and why. */
export { checkStages } from "./check_stages.ts";
export {
  type Ask,
  asksOf,
  askText,
  type Consent,
  consentFlag,
  describeAsks,
  isGranted,
  readAsks,
  type StageAsks,
} from "./consent.ts";
export type {
  CheckOutcome,
  PlannedStage,
  RunObserver,
  StageOutcome,
  StageProgress,
} from "./observer.ts";
export type { CheckStagesOptions } from "./check_stages.ts";
export type { PlanState } from "./observer.ts";
export type { ContinueFrom } from "./continuation.ts";
export type { Selection } from "./select.ts";
export type { PreparedStage } from "./preparation.ts";
export { compareRecorded, readRecordedRun, type RecordedRun, type StageDifference } from "./why.ts";
export type { RecordedStage } from "../store/run_stages.ts";
export { markRun, readRunMarks, type RunMarks } from "./run_marks.ts";
export type { LockedStage, PipelineLock } from "./lock_content.ts";
