/** One run as a part of the page, while it goes on or after: stages, curves, programs, executions, log. */
import { join } from "node:path";
import { duration, number } from "../../report/format.ts";
import { type Html, markup, tableOf } from "../../report/html_report/html.ts";
import { type CurvePoint, sparkline } from "./sparkline.ts";

/** Rows of a query over the run, as objects. */
type Ask = (sql: string) => Promise<readonly Record<string, unknown>[]>;

/** Curves, points of each, and programs that are shown. */
const most = { curves: 18, points: 200, programs: 10, warnings: 8 } as const;

const stagesSql = `select stage, kind, last(status order by attempt) as status,
  sum(wall_ms) / 1000 as seconds, last(reason order by attempt) as reason
  from stage_run group by all order by min(started_at), stage`;

const stepsSql =
  `select stage, max(step) as step from metric where step > 0 group by stage order by stage`;

/** Names of curves that stand first. */
const first = ["tv", "kl_target_policy", "loss", "log_z", "mean_log_reward"];

/**
 * Means over bins of steps, so that a curve of a million steps has 200 points. A constant curve is
 * left out, unless it is no number.
 */
const curvesSql = `with rows as (
    select stage, name, step, value from metric where step > 0
    union all
    select stage, measure, step, value from evaluation
    where step > 0 and subject_kind = 'policy' and "group" is null),
  ends as (select stage, name, greatest(1, max(step) // ${most.points}) as width
    from rows group by all having min(value) < max(value) or isnan(max(value)))
  select stage, name, max(step) as step, avg(value) as value
  from rows join ends using (stage, name)
  group by stage, name, step // width
  order by coalesce(list_position([${
  first.map((name) => `'${name}'`)
}], name), 99), stage, name, step`;

const programsSql = `select program, max(log_reward) as log_reward, count(*) as times
  from trajectory where log_reward is not null
  group by program order by log_reward desc, program limit ${most.programs}`;

const executionsSql = `select status, count(*) as programs, avg(wall_ms) as wall,
  max(max_rss_kib) as memory from execution group by status order by programs desc`;

const warningsSql = `select wall, level, message from event where level <> 'info'
  order by wall desc limit ${most.warnings}`;

/** The view of a run. */
export async function runViewOf(folder: string, runId: string, ask: Ask): Promise<Html> {
  const [stages, steps, curves, programs, executions, warnings] = [
    await ask(stagesSql),
    await ask(stepsSql),
    await ask(curvesSql),
    await ask(programsSql),
    await ask(executionsSql),
    await ask(warningsSql),
  ];
  return markup`<h2>Run ${runId}</h2>
${stagesOf(stages, steps)}${curvesOf(curves)}${programsOf(programs)}${executionsOf(executions)}
${warningsOf(warnings)}${logOf(folder)}`;
}

function stagesOf(stages: Rows, steps: Rows): Html {
  const done = new Set(stages.map(({ stage }) => stage));
  const ended = stages.map((one) => [
    text(one.stage),
    text(one.kind),
    markup`<span class="${text(one.status)}">${text(one.status)}</span>`,
    duration(Number(one.seconds)),
    text(one.reason),
  ]);
  const open = steps.filter(({ stage }) => !done.has(text(stage).split(".")[0])).map((one) => [
    text(one.stage),
    "",
    markup`<span class="running">step ${text(one.step)}</span>`,
    "",
    "",
  ]);
  const head = ["stage", "kind", "state", "took", "why"];
  return tableOf(head, [...ended, ...open], new Set([0, 1, 2, 4]));
}

type Rows = readonly Record<string, unknown>[];

function curvesOf(rows: Rows): Html | undefined {
  const by = Map.groupBy(rows, ({ stage, name }) => `${text(stage)} ${text(name)}`);
  if (by.size === 0) return undefined;
  const shown = [...by].slice(0, most.curves).map(([name, points]) => {
    const curve = points.map(({ step, value }): CurvePoint => ({
      step: Number(step),
      value: value === null ? NaN : Number(value),
    }));
    return sparkline(name, curve);
  });
  const left = by.size - shown.length;
  const more = left > 0 ? markup`<p>and ${left} more, by <code>sluice query</code></p>` : undefined;
  return markup`<h3>Curves</h3><div class="curves">${shown}</div>${more}`;
}

function programsOf(rows: Rows): Html | undefined {
  if (rows.length === 0) return undefined;
  const body = rows.map(({ program, log_reward, times }) => [
    markup`<pre>${text(program)}</pre>`,
    number(Number(log_reward)),
    text(times),
  ]);
  return markup`<h3>Programs</h3>${tableOf(["program", "log reward", "drawn"], body)}`;
}

function executionsOf(rows: Rows): Html | undefined {
  if (rows.length === 0) return undefined;
  const body = rows.map(({ status, programs, wall, memory }) => [
    text(status),
    text(programs),
    `${number(Number(wall))} ms`,
    memory === null ? "" : `${Math.round(Number(memory) / 1024)} MiB`,
  ]);
  const head = ["status", "programs", "mean", "most memory"];
  return markup`<h3>Executions</h3>${tableOf(head, body)}`;
}

function warningsOf(rows: Rows): Html | undefined {
  if (rows.length === 0) return undefined;
  const items = rows.map(({ level, message }) =>
    markup`<li><b class="${level === "error" ? "failed" : ""}">${text(level)}</b> ${
      text(message)
    }</li>`
  );
  return markup`<h3>Errors and warnings</h3><ul>${items}</ul>`;
}

/** The end of the log that was written last. */
function logOf(folder: string): Html | undefined {
  const logs = join(folder, "logs");
  const last = logFiles(logs).toSorted((a, b) => b.time - a.time).at(0);
  if (!last) return undefined;
  return markup`<h3>Log of ${last.name}</h3><pre>${endOf(join(logs, last.name))}</pre>`;
}

function logFiles(folder: string) {
  try {
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
    return names.filter((name) => name.endsWith(".log")).map((name) => ({
      name,
      time: Deno.statSync(join(folder, name)).mtime?.getTime() ?? 0,
    }));
  } catch {
    return [];
  }
}

const shownBytes = 4096;

function endOf(path: string): string {
  using file = Deno.openSync(path);
  const { size } = file.statSync();
  file.seekSync(Math.max(0, size - shownBytes), Deno.SeekMode.Start);
  const bytes = new Uint8Array(shownBytes);
  const read = file.readSync(bytes) ?? 0;
  return new TextDecoder().decode(bytes.subarray(0, read));
}

function text(value: unknown): string {
  return value === null || value === undefined ? "" : String(value);
}
