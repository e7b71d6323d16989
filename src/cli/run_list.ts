/** The list of runs: when, how they ended, their marks, and values that a user asks to see beside them. */
import { literal } from "../pipeline/basics/mod.ts";
import { readRunMarks, type RunMarks } from "../pipeline/plan/mod.ts";

/** A run of the list; other columns are those that were asked for. */
export type ListedRun = Readonly<Record<string, unknown>> & { readonly run_id: string };

/** Rows of a query as objects. */
type Ask = (sql: string) => Promise<readonly Record<string, unknown>[]>;

const sql = `select run_id, name, status, left(started_at::varchar, 19) as started,
  round(epoch(ended_at - started_at), 1) as seconds, seed from run
  order by started_at desc, run_id desc`;

/**
 * Finished runs, newest first.
 *
 * @param columns measures, metrics or last parts of paths, as `tv` and `learning_rate`.
 */
export async function listRuns(
  root: string,
  ask: Ask,
  { columns = [], tag }: { readonly columns?: readonly string[]; readonly tag?: string },
): Promise<ListedRun[]> {
  const runs = await ask(sql) as ListedRun[];
  const values = new Map<string, ReadonlyMap<string, unknown>>();
  for (const column of columns) values.set(column, await valuesOf(column, ask));
  const listed = runs.map((run): ListedRun & { readonly tags: string } => {
    const { label = "", tags = [] } = readRunMarks(root, run.run_id) ?? {} as RunMarks;
    const asked = columns.map((name) => [name, values.get(name)!.get(run.run_id) ?? null]);
    return { ...run, label, tags: tags.join(" "), ...Object.fromEntries(asked) };
  });
  const found = tag === undefined
    ? listed
    : listed.filter((run) => run.tags.split(" ").includes(tag));
  return found.map((run) => withoutEmpty(run, found));
}

/** Columns `label` and `tags` are there if a run has some. */
function withoutEmpty(run: ListedRun, all: readonly ListedRun[]): ListedRun {
  const empty = ["label", "tags"].filter((name) => all.every((one) => one[name] === ""));
  const kept = Object.entries(run).filter(([name]) => !empty.includes(name));
  return Object.fromEntries(kept) as unknown as ListedRun;
}

/** By run: a measure of the policy, outside of loops if it is there; else what a path ends in. */
async function valuesOf(column: string, ask: Ask): Promise<ReadonlyMap<string, unknown>> {
  const name = literal(column);
  const measured = await ask(
    `select run_id, arg_max(value, (position('.' in stage) = 0, step)) as value from evaluation
     where measure = ${name} and subject_kind = 'policy' and "group" is null group by run_id`,
  );
  const found = measured.length > 0 ? measured : await ask(
    `select run_id, string_agg(distinct value::varchar, ', ') as value from param
     where path = ${name} or ends_with(path, '.' || ${name}) group by run_id`,
  );
  return new Map(found.map(({ run_id, value }) => [String(run_id), plain(value)]));
}

function plain(value: unknown): unknown {
  const number = Number(value);
  return typeof value === "string" && value.trim() !== "" && !Number.isNaN(number) ? number : value;
}
