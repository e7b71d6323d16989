/**
 * Successive halving (Jamieson and Talwalkar 2016): all settings are trained for a few steps, the best
 * of them go on for more. A rung is decided once all of its points have ended, so that which settings
 * go on does not depend on who worked when.
 */
import { inputError } from "../../base/diagnostic.ts";
import { nearest } from "../../base/nearest.ts";
import { Owner, type PointValues, type SweepFile } from "../../pipeline/store/mod.ts";
import type { AskRuns } from "../compare/sweep_report.ts";
import { betterSign, finalOnly, finalValuesSql, type Measured } from "../compare/measures.ts";
import { pointKey } from "./points.ts";
import { pointClaims, type PointStatus, sweepStatus } from "./status.ts";
import { sha256 } from "../../base/digest.ts";
import { readSweep, writeSweep } from "./make.ts";

type Halving = NonNullable<SweepFile["halving"]>;

/** Adds the next rung where the last one has ended; undefined if there is nothing to add. */
export async function addRung(
  root: string,
  id: string,
  askRuns: (runs: readonly string[], sql: string) => ReturnType<AskRuns>,
): Promise<SweepFile | undefined> {
  if (!endedRung(root, id)) return undefined;
  const owner = new Owner(root);
  const claims = pointClaims(root, owner);
  const claim = sha256(`rung of sweep ${id}`);
  if (!claims.take(claim)) return undefined; // another worker adds it
  try {
    const ended = endedRung(root, id); // another worker may have added the next one meanwhile
    if (!ended) return undefined;
    const runs = ended.points.flatMap(({ run }) => run ?? []);
    const rows = runs.length === 0 ? [] : await askRuns(runs, finalValuesSql);
    const best = bestPoints(ended.halving, ended.points, rows);
    if (best.length === 0 && rows.length > 0) throw notMeasured(ended.sweep, rows);
    return best.length === 0 ? undefined : writeSweep(root, withRung(ended.sweep, best));
  } finally {
    claims.release(claim);
    owner.close();
  }
}

/** A sweep whose last rung has ended, with the points of that rung. */
interface EndedRung {
  readonly sweep: SweepFile;
  readonly halving: Halving;
  readonly points: readonly PointStatus[];
}

/** The last rung, if all of its points have ended and another is to come. */
function endedRung(root: string, id: string): EndedRung | undefined {
  const sweep = readSweep(root, id);
  const { halving } = sweep;
  if (!halving) return undefined;
  const status = sweepStatus(root, sweep);
  const isOn = (steps: number) => ({ set }: PointStatus) => set[halving.path] === steps;
  const last = halving.rungs.findLastIndex((steps) => status.some(isOn(steps)));
  if (last === halving.rungs.length - 1) return undefined;
  const points = status.filter(isOn(halving.rungs[last]));
  const hasEnded = ({ state }: PointStatus) => state === "done" || state === "failed";
  return points.every(hasEnded) ? { sweep, halving, points } : undefined;
}

/**
 * Points of the settings that go on, best first: those of least (or most) mean of the measure over
 * seeds. A setting of which a point failed, or has no value, does not.
 */
function bestPoints(
  halving: Pick<Halving, "measure" | "want" | "keep_one_in">,
  rung: readonly PointStatus[],
  rows: readonly Record<string, unknown>[],
): PointStatus[] {
  const settings = [...Map.groupBy(rung, ({ set }) => settingOf(set)).values()];
  const valueOf = valuesByRun(halving.measure, rows);
  const means = settings.map((points) => {
    const values = points.map(({ run, state }) => state === "done" ? valueOf.get(run!) : undefined);
    const sum = values.reduce<number>((total, value) => total + (value ?? NaN), 0);
    return { points, mean: sum / values.length };
  });
  const sign = halving.want === "most" ? -1 : 1;
  const able = means.filter(({ mean }) => Number.isFinite(mean))
    .toSorted((a, b) => sign * (a.mean - b.mean) || a.points[0].point - b.points[0].point);
  const kept = Math.max(1, Math.ceil(settings.length / halving.keep_one_in));
  return able.slice(0, kept).flatMap(({ points }) => points);
}

function notMeasured({ sweep, halving }: SweepFile, rows: readonly Record<string, unknown>[]) {
  const measures = [...new Set(rows.map(({ measure }) => String(measure)))];
  const message = `Cannot decide which settings of ${sweep} go on: no setting has ` +
    `"${halving!.measure}" for all of its points`;
  const near = nearest(halving!.measure, measures);
  const hint = `${near === undefined ? "" : `did you mean "${near}"? `}Runs measure ` +
    `${measures.toSorted().join(", ")}; make a new sweep: what was computed comes from the cache`;
  return inputError("sweep/no-measure", message, undefined, hint);
}

function settingOf({ seed: _, ...rest }: PointValues): string {
  return pointKey(rest);
}

/** Means over the stages and instances of a run that measure it, evaluations after loops first. */
function valuesByRun(
  measure: string,
  rows: readonly Record<string, unknown>[],
): ReadonlyMap<string, number> {
  const measured = rows.filter((row) => row.measure === measure).map((row): Measured => ({
    setting: String(row.run_id),
    seed: "",
    stage: String(row.stage),
    measure,
    value: Number(row.value),
  }));
  const byRun = Map.groupBy(finalOnly(measured), ({ setting }) => setting);
  return new Map([...byRun].map(([run, values]) => {
    return [run, values.reduce((sum, { value }) => sum + value, 0) / values.length];
  }));
}

function withRung(sweep: SweepFile, best: readonly PointStatus[]): SweepFile {
  const { path, rungs } = sweep.halving!;
  const next = rungs[rungs.indexOf(best[0].set[path] as number) + 1];
  const first = sweep.points.length;
  const from = best.map(({ point }, i) => [first + i, point] as const);
  return {
    ...sweep,
    points: [...sweep.points, ...best.map(({ set }) => ({ ...set, [path]: next }))],
    from: { ...sweep.from, ...Object.fromEntries(from) },
  };
}

/** Best end of a measure, by default. */
export function wantedEnd(measure: string): "least" | "most" {
  return betterSign(measure) > 0 ? "most" : "least";
}
