/** States of the points of a sweep: by the file of each, and by the claims of those that run. */
import { join } from "node:path";
import { sha256 } from "../../base/digest.ts";
import {
  Claims,
  Owner,
  type PointFile,
  type PointValues,
  readPointFile,
  type SweepFile,
} from "../../pipeline/store/mod.ts";

/** State of a point. A point is `lost` if its worker ended without a message. */
export type PointState = "waiting" | "running" | "done" | "failed" | "lost";

/** A point, as `sweep status --json` gives it. */
export interface PointStatus {
  readonly point: number;
  readonly set: PointValues;
  readonly state: PointState;
  /** Id of its run; null before there is one. */
  readonly run: string | null;
  readonly seconds?: number;
  readonly host?: string;
  readonly fault?: string;
  readonly log?: string;
}

/** The status of all points, in their order. */
export function sweepStatus(root: string, sweep: SweepFile): PointStatus[] {
  const owner = new Owner(root);
  const claims = pointClaims(root, owner);
  const found = sweep.points.map((set, point): PointStatus => {
    const file = readPointFile(root, sweep.sweep, point);
    const state = stateOf(file, () => claims.isAbandoned(pointClaim(sweep.sweep, point)));
    const { run = null, seconds, host, fault, log } = file ?? {};
    const failed = state === "failed" ? { fault, log } : {};
    return { point, set, state, run, seconds, host, ...failed };
  });
  owner.close();
  return found;
}

function stateOf(file: PointFile | undefined, isAbandoned: () => boolean): PointState {
  if (!file || file.state === "interrupted") return "waiting";
  if (file.state === "running") return isAbandoned() ? "lost" : "running";
  return file.state;
}

/** The claims under which points are worked on, beside those of stages. */
export function pointClaims(root: string, owner: Owner): Claims {
  return new Claims(join(root, ".sluice"), owner);
}

/** The hash that a point is claimed by. */
export function pointClaim(sweep: string, point: number): string {
  return sha256(`point ${point} of sweep ${sweep}`);
}
