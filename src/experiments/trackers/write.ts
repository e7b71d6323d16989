/** Writes series of runs in the form of one tracker. */
import type { AskRuns } from "../compare/sweep_report.ts";
import { exportDvc, exportTensorboard } from "./export.ts";
import { exportMlflow } from "./mlflow.ts";
import { trackedParams, type TrackedSeries } from "./series.ts";
import { exportWandb } from "./wandb.ts";

const writers = {
  tensorboard: exportTensorboard,
  dvc: exportDvc,
  mlflow: exportMlflow,
  wandb: exportWandb,
};

/** Folder of a tracker, and names of its runs. */
interface Tracker {
  readonly to: keyof typeof writers;
  readonly folder: string;
  readonly nameOf: (run: string) => string;
}

/** Writes new points, or all where the format is written whole. Returns the number of points written. */
export async function writeTracker(
  { to, folder, nameOf }: Tracker,
  series: readonly TrackedSeries[],
  ask: AskRuns,
): Promise<number> {
  if (to === "tensorboard" || to === "dvc") return writers[to](folder, series, nameOf);
  return writers[to](folder, series, nameOf, await trackedParams(ask));
}
