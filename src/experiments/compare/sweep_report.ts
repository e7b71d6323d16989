/** The report of a sweep: its settings, their measures over seeds, differences, courses. */
import type { PointValues, SweepFile } from "../../pipeline/store/mod.ts";
import { type ComparedMeasure, compareSettings } from "./comparison.ts";
import { type Curve, curvesOf } from "./curves.ts";
import { courseSql, finalOnly, finalValuesSql, type Measured, shownMeasures } from "./measures.ts";
import type { PointState, PointStatus } from "../sweep/status.ts";

/** A setting of a sweep: points that differ in their seed alone. */
interface Setting {
  readonly name: string;
  /** Values that it sets, without the seed. */
  readonly set: PointValues;
  readonly points: number;
  readonly done: number;
}

/** A report, as `sweep report --format json` gives it. */
export interface SweepReport {
  readonly sweep: string;
  readonly pipeline: string;
  readonly points: number;
  /** Number of points in each state. */
  readonly states: Readonly<Partial<Record<PointState, number>>>;
  readonly settings: readonly Setting[];
  /** Setting that the others are compared with. */
  readonly baseline: string;
  readonly measures: readonly ComparedMeasure[];
  readonly curves: readonly Curve[];
  /** The final values, to be asked again. */
  readonly sql: string;
}

/** Asks the runs of the sweep, and no others. */
export type AskRuns = (sql: string) => Promise<readonly Record<string, unknown>[]>;

/** Options of a report. */
interface SweepReportOptions {
  readonly sweep: SweepFile;
  readonly status: readonly PointStatus[];
  readonly ask: AskRuns;
  /** Measures to show; the usual ones if left out. */
  readonly measures?: readonly string[];
  /** Name of a setting, or of one that begins so. */
  readonly against?: string;
}

/** Reads the final values of all points that are done, and compares their settings. */
export async function sweepReport(options: SweepReportOptions): Promise<SweepReport> {
  const { sweep, status, ask } = options;
  const name = namer(status);
  const place = placesOf(status, name);
  const rows = await ask(finalValuesSql);
  const shown = shownMeasures(rows.map(({ measure }) => String(measure)), options.measures);
  const measured = rows.filter(({ measure }) => shown.includes(String(measure)))
    .flatMap((row) => placed(row, place));
  const settings = settingsOf(status, name);
  const names = settings.map(({ name }) => name);
  const baseline = names.find((name) => name.startsWith(options.against ?? "")) ?? names[0];
  const compared = compareSettings(finalOnly(measured), names, baseline);
  const byMeasure = compared.toSorted((a, b) =>
    shown.indexOf(a.measure) - shown.indexOf(b.measure)
  );
  const course = shown.length === 0 ? [] : await ask(courseSql(shown));
  const curves = curvesOf(
    course.flatMap((row) => placed(row, place).map((one) => ({ ...one, step: Number(row.step) }))),
  );
  const states = countStates(status);
  const { sweep: id, pipeline, points: { length: points } } = sweep;
  const sql = sweepSql(id);
  return {
    sweep: id,
    pipeline,
    points,
    states,
    settings,
    baseline,
    measures: byMeasure,
    curves,
    sql,
  };
}

/** Names a setting by its values without the seed, with short paths where these are unique. */
function namer(status: readonly PointStatus[]): (set: PointValues) => string {
  const paths = [...new Set(status.flatMap(({ set }) => Object.keys(set)))];
  const short = Map.groupBy(paths, shortPath);
  const called = (path: string) => short.get(shortPath(path))!.length > 1 ? path : shortPath(path);
  return (set) => {
    const rest = Object.entries(set).filter(([path]) => path !== "seed");
    if (rest.length === 0) return "all points";
    return rest.map(([path, value]) => `${called(path)}=${textOf(value)}`).join(" ");
  };
}

/** The last part of a path: `learning_rate` of `stages.train.stages.learn.learning_rate`. */
function shortPath(path: string): string {
  return path.replace(/^stages\./, "").replaceAll(".stages.", ".").split(".").slice(-2).join(".");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function settingsOf(
  status: readonly PointStatus[],
  nameOf: (set: PointValues) => string,
): Setting[] {
  return [...Map.groupBy(status, ({ set }) => nameOf(set))].map(([name, points]) => {
    const { seed: _, ...set } = points[0].set;
    const done = points.filter(({ state }) => state === "done").length;
    return { name, set, points: points.length, done };
  });
}

type Place = ReadonlyMap<string, { readonly setting: string; readonly seed: string }>;

/** Points by run: one run may answer several points of equal values. */
function placesOf(
  status: readonly PointStatus[],
  nameOf: (set: PointValues) => string,
): Place {
  const done = status.filter(({ state, run }) => state === "done" && run !== null);
  return new Map(done.map(({ run, set }) => {
    return [run!, { setting: nameOf(set), seed: textOf(set.seed ?? "") }];
  }));
}

/** Instances of `seeds = N` within a point are seeds of their own. */
function placed(row: Record<string, unknown>, places: Place): Measured[] {
  const found = places.get(String(row.run_id));
  const value = Number(row.value);
  if (!found || !Number.isFinite(value)) return [];
  const instance = /\[([^\]]*)\]/.exec(String(row.stage));
  const stage = String(row.stage).replace(/\[[^\]]*\]/, "");
  const seed = instance ? `${found.seed}[${instance[1]}]` : found.seed;
  return [{ setting: found.setting, seed, stage, measure: String(row.measure), value }];
}

function countStates(status: readonly PointStatus[]): SweepReport["states"] {
  const groups = Map.groupBy(status, ({ state }) => state);
  return Object.fromEntries([...groups].map(([state, { length }]) => [state, length]));
}

function sweepSql(id: string): string {
  return `select p.point, p.path, p.value, e.stage, e.measure, e.value as measured
from sweep_point p join evaluation e using (run_id)
where p.sweep = '${id}' and e.subject_kind = 'policy' and e.step = 0 order by all`;
}
