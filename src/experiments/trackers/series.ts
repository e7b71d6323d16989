/** Numbers of runs as trackers show them: a series for each tag, named as the field has it. */
import { sha256 } from "../../base/digest.ts";
import { literal } from "../../pipeline/basics/mod.ts";
import type { AskRuns } from "../compare/sweep_report.ts";

/** The numbers of one tag, by rising step; the arrays are of one length. */
export interface TrackedSeries {
  readonly run: string;
  /** Instance of `seeds = N`; empty of a run without. */
  readonly instance: string;
  readonly tag: string;
  readonly steps: readonly number[];
  readonly values: readonly number[];
  /** Seconds since 1970. */
  readonly walls: readonly number[];
}

/** Series of one run, or of one instance of it. */
interface TrackedRun {
  readonly run: string;
  /** SHA-256 of run and instance: the same in each export, so that it is one run there. */
  readonly id: string;
  /** Name that trackers show. */
  readonly name: string;
  readonly series: readonly TrackedSeries[];
}

/** Series by run and instance. */
export function trackedRuns(
  series: readonly TrackedSeries[],
  nameOf: (run: string) => string,
): TrackedRun[] {
  return [...Map.groupBy(series, ({ run, instance }) => `${run} ${instance}`)]
    .map(([place, some]) => {
      const { run, instance } = some[0];
      const name = instance === "" ? nameOf(run) : `${nameOf(run)}/${instance}`;
      return { run, id: sha256(place), name, series: some };
    });
}

/** Counts the numbers of series. */
export function countPoints(series: readonly TrackedSeries[]): number {
  return series.reduce((sum, { steps }) => sum + steps.length, 0);
}

/** Run, instance and tag of a series, which only it has. */
export function keyOf({ run, instance, tag }: TrackedSeries): string {
  return `${run} ${instance} ${tag}`;
}

/** Numbers of the steps after one. */
export function after(series: TrackedSeries, step: number): TrackedSeries {
  return cut(series, series.steps.findLastIndex((one) => one <= step) + 1);
}

/** Parameters of runs by their dotted paths, as JSON. */
export type TrackedParams = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** Names of the measures of training, in words of the field. */
const trained: Readonly<Record<string, string>> = { log_z: "log_Z" };

/** Names of measures, in words of the field. */
const evaluated: Readonly<Record<string, string>> = {
  kl_policy_target: "kl_reverse",
  kl_target_policy: "kl_forward",
};

/** Metrics, measures of policies, and means over the fresh trajectories of a step, where `isNew` holds. */
const numbersSql = (isNew: string): string =>
  `with means as materialized (select run_id, stage, step, avg(log_pf) as pf, avg(log_reward) as reward
  from trajectory where not replayed and ${isNew} group by all)
select run_id, stage, step, 'metric' as source, name as what, value,
    epoch(wall) as wall from metric where ${isNew}
union all select run_id, stage, step, 'evaluation', measure, value, null from evaluation
  where subject_kind = 'policy' and "group" is null and ${isNew}
union all select run_id, stage, step, 'trajectory', 'log_pf_mean', pf, null from means
union all select run_id, stage, step, 'trajectory', 'log_reward_mean', reward, null from means`;

/** Every number of the runs that are asked, as rows. */
export const trackedSql = `${numbersSql("true")} order by run_id, stage, what, step`;

/** A row a series: texts and objects are made once for each, and not for each number. */
const seriesSql = (isNew: string): string =>
  `select run_id, stage, source, what,
    list(step::double) as steps, list(value) as values, list(wall) as walls
  from (${numbersSql(isNew)}) where value is not null group by all
  order by run_id, stage, what, source`;

/** When each run began, whether it goes on, and whether its loss is that of trajectory balance. */
const runsSql = `select run_id, epoch(started_at) as wall, status = 'running' as live,
  exists (select 1 from param p where p.run_id = r.run_id and ends_with(p.path, '.objective')
    and regexp_full_match(p.value::varchar, '"trajectory.balance"')) as tb from run r`;

type Row = Readonly<Record<string, unknown>>;

/** The series of runs, read once: a second reading asks for the steps that the first had not. */
export class TrackedLog {
  /** Highest step that was read, by stage. */
  readonly #read = new Map<string, number>();
  readonly #series = new Map<string, TrackedSeries>();

  /** All series that were read, in the order of their first numbers. */
  get series(): readonly TrackedSeries[] {
    return [...this.#series.values()];
  }

  /** Reads new points. Of a run that goes on, a loop's last step is left: rows of it may be missing. */
  async read(ask: AskRuns, ended = false): Promise<readonly TrackedSeries[]> {
    const runs = new Map((await ask(runsSql)).map((run) => [run.run_id, run]));
    const goesOn = (run: unknown) => !ended && runs.get(run)?.live === true;
    const rows = await ask(seriesSql(this.#isNew()));
    const last = lastSteps(rows);
    for (const row of rows) {
      const before = goesOn(row.run_id) ? last.get(loopOf(row)) ?? Infinity : Infinity;
      const found = seriesOf(row, runs.get(row.run_id) ?? {}, before);
      if (found.steps.length > 0) this.#add(String(row.stage), found);
    }
    return this.series;
  }

  #isNew(): string {
    const cases = [...this.#read].map(([stage, step]) => `when ${literal(stage)} then ${step}`);
    return cases.length === 0 ? "true" : `step > case stage ${cases.join(" ")} else -1 end`;
  }

  #add(stage: string, found: TrackedSeries): void {
    this.#read.set(stage, Math.max(this.#read.get(stage) ?? -1, found.steps.at(-1)!));
    const key = keyOf(found);
    const known = this.#series.get(key);
    this.#series.set(key, known ? joined(known, found) : found);
  }
}

/** Parameters of the runs that are asked, by their dotted paths. */
export async function trackedParams(ask: AskRuns): Promise<TrackedParams> {
  const rows = await ask(`select run_id, path, value::varchar as value from param order by all`);
  return new Map(
    [...Map.groupBy(rows, ({ run_id }) => String(run_id))].map(([run, some]) => [
      run,
      Object.fromEntries(some.map(({ path, value }) => [String(path), String(value)])),
    ]),
  );
}

/** The loop of a stage within one, of one run and instance. */
function loopOf({ run_id, stage }: Row): string | undefined {
  const [loop] = /^[^.[]*(\[[^\]]*\])?(?=\.)/.exec(String(stage)) ?? [];
  return loop && `${run_id} ${loop}`;
}

/** The step that each loop is at. */
function lastSteps(rows: readonly Row[]): ReadonlyMap<string | undefined, number> {
  const last = new Map<string, number>();
  for (const row of rows) {
    const loop = loopOf(row);
    if (loop === undefined) continue;
    const most = (row.steps as number[]).reduce((a, b) => Math.max(a, b));
    last.set(loop, Math.max(last.get(loop) ?? 0, most));
  }
  return last;
}

/** Numbers of the steps before one. */
function seriesOf(row: Row, run: Row, before: number): TrackedSeries {
  const [stage, began] = [String(row.stage), Number(run.wall ?? 0)];
  const walls = row.walls as readonly (number | null)[];
  const all = sorted({
    run: String(row.run_id),
    instance: /\[([^\]]*)\]/.exec(stage)?.[1] ?? "",
    tag: tagOf(stage.replace(/\[[^\]]*\]/, ""), row, run.tb === true),
    steps: row.steps as number[],
    values: row.values as number[],
    walls: walls.map((wall) => wall ?? began),
  });
  const end = all.steps.findIndex((step) => step >= before);
  return end < 0 ? all : cut(all, 0, end);
}

/** `train/log_Z`, `eval/kl_reverse`; a stage of another loop than `train` has its name before it. */
function tagOf(stage: string, row: Row, isTb: boolean): string {
  const [loop] = stage.split(".");
  const [inLoop, what] = [stage.includes("."), String(row.what)];
  const group = !inLoop || loop === "train" ? "" : `${loop}_`;
  if (row.source === "evaluation") {
    return `${group}${inLoop ? "eval" : `final/${stage}`}/${evaluated[what] ?? what}`;
  }
  const name = what === "loss" && isTb ? "tb_loss" : trained[what] ?? what;
  return inLoop ? `${group}train/${name}` : `${stage}/${name}`;
}

/** One series of two. Two stages may report the same tag at the same step: the later one stays. */
function joined(known: TrackedSeries, found: TrackedSeries): TrackedSeries {
  return sorted({
    ...known,
    steps: known.steps.concat(found.steps),
    values: known.values.concat(found.values),
    walls: known.walls.concat(found.walls),
  });
}

/** The numbers by rising step, the last one of each; as a rule they are so already. */
function sorted(series: TrackedSeries): TrackedSeries {
  const { steps, values, walls } = series;
  if (steps.every((step, i) => i === 0 || steps[i - 1] < step)) return series;
  const last = new Map(steps.map((step, i) => [step, i]));
  const order = [...last].toSorted(([a], [b]) => a - b).map(([_, i]) => i);
  const taken = (numbers: readonly number[]) => order.map((i) => numbers[i]);
  return { ...series, steps: taken(steps), values: taken(values), walls: taken(walls) };
}

function cut(series: TrackedSeries, from: number, end?: number): TrackedSeries {
  const { steps, values, walls } = series;
  const taken = (numbers: readonly number[]) => numbers.slice(from, end);
  return { ...series, steps: taken(steps), values: taken(values), walls: taken(walls) };
}
