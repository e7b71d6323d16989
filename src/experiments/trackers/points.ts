/** Numbers of a run as trackers show them: tags as the field has them, over the steps of a loop. */
import { sha256 } from "../../base/digest.ts";
import type { AskRuns } from "../compare/sweep_report.ts";

/** One number of one tag. */
export interface TrackedPoint {
  readonly run: string;
  /** Instance of `seeds = N`; empty of a run without. */
  readonly instance: string;
  readonly tag: string;
  readonly step: number;
  readonly value: number;
  /** Seconds since 1970. */
  readonly wall: number;
}

/** Points of one run, or of one instance of it. */
interface TrackedRun {
  readonly run: string;
  /** SHA-256 of run and instance: the same in each export, so that it is one run there. */
  readonly id: string;
  /** Name that trackers show. */
  readonly name: string;
  readonly points: readonly TrackedPoint[];
}

/** Points by run and instance. */
export function trackedRuns(
  points: readonly TrackedPoint[],
  nameOf: (run: string) => string,
): TrackedRun[] {
  return [...Map.groupBy(points, ({ run, instance }) => `${run} ${instance}`)]
    .map(([place, some]) => {
      const { run, instance } = some[0];
      const name = instance === "" ? nameOf(run) : `${nameOf(run)}/${instance}`;
      return { run, id: sha256(place), name, points: some };
    });
}

/** Parameters of runs by their dotted paths, as JSON. */
export type TrackedParams = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** Names of what a stage of training reports, in words of the field. */
const trained: Readonly<Record<string, string>> = { log_z: "log_Z" };

/** Names of measures, in words of the field. */
const evaluated: Readonly<Record<string, string>> = {
  kl_policy_target: "kl_reverse",
  kl_target_policy: "kl_forward",
};

/** Metrics, measures of policies, and means over the fresh trajectories of a step. */
export const trackedSql = `select run_id, stage, step, 'metric' as source, name as what, value,
    epoch(wall) as wall from metric
union all select run_id, stage, step, 'evaluation', measure, value, null from evaluation
  where subject_kind = 'policy' and "group" is null
union all select run_id, stage, step, 'trajectory', 'log_pf_mean', avg(log_pf), null
  from trajectory where not replayed group by all
union all select run_id, stage, step, 'trajectory', 'log_reward_mean', avg(log_reward), null
  from trajectory where not replayed group by all
order by run_id, stage, what, step`;

/** When each run began, whether it goes on, and whether its loss is that of trajectory balance. */
const runsSql = `select run_id, epoch(started_at) as wall, status = 'running' as live,
  exists (select 1 from param p where p.run_id = r.run_id and ends_with(p.path, '.objective')
    and regexp_full_match(p.value::varchar, '"trajectory.balance"')) as tb from run r`;

/** All numbers of the runs that are asked, in the order of tags and steps. */
export async function trackedPoints(ask: AskRuns): Promise<TrackedPoint[]> {
  const rows = await ask(trackedSql);
  const runs = new Map((await ask(runsSql)).map((run) => [run.run_id, run]));
  const points = rows.filter(({ value }) => value !== null).map((row): TrackedPoint => {
    const stage = String(row.stage);
    return {
      run: String(row.run_id),
      instance: /\[([^\]]*)\]/.exec(stage)?.[1] ?? "",
      tag: tagOf(stage.replace(/\[[^\]]*\]/, ""), row, runs.get(row.run_id)?.tb === true),
      step: Number(row.step),
      value: Number(row.value),
      wall: Number(row.wall ?? runs.get(row.run_id)?.wall ?? 0),
    };
  });
  const live = new Set([...runs.values()].filter((run) => run.live).map((run) => run.run_id));
  return whole(distinct(points), live);
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

/** Of a run that goes on, rows of the step that it is at may be missing. */
function whole(points: readonly TrackedPoint[], live: ReadonlySet<unknown>): TrackedPoint[] {
  const last = new Map<string, number>();
  for (const { run, step } of points) last.set(run, Math.max(last.get(run) ?? 0, step));
  return points.filter(({ run, step }) => !live.has(run) || step < last.get(run)!);
}

/** `train/log_Z`, `eval/kl_reverse`; a stage of another loop than `train` has its name before it. */
function tagOf(stage: string, row: Readonly<Record<string, unknown>>, isTb: boolean): string {
  const [loop] = stage.split(".");
  const [inLoop, what] = [stage.includes("."), String(row.what)];
  const group = !inLoop || loop === "train" ? "" : `${loop}_`;
  if (row.source === "evaluation") {
    return `${group}${inLoop ? "eval" : `final/${stage}`}/${evaluated[what] ?? what}`;
  }
  const name = what === "loss" && isTb ? "tb_loss" : trained[what] ?? what;
  return inLoop ? `${group}train/${name}` : `${stage}/${name}`;
}

/** Two stages may report the same tag at the same step: the later one stays. */
function distinct(points: readonly TrackedPoint[]): TrackedPoint[] {
  const key = ({ run, instance, tag, step }: TrackedPoint) => `${run} ${instance} ${tag} ${step}`;
  return [...new Map(points.map((one) => [key(one), one])).values()];
}
