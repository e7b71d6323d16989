/** Artifacts of a project, as commands read them. */
import type { DatasetJson } from "../base/dataset.ts";
import { inputError } from "../base/diagnostic.ts";
import type { Schedule, TimeRule } from "../engine/score/execution/mod.ts";
import type { Ask } from "../report/rows.ts";

/** The bytes of an artifact, or undefined if the store no longer has them whole. */
export async function readArtifact(root: string, digest: string): Promise<Uint8Array | undefined> {
  const { ObjectStore } = await import("../pipeline/store/mod.ts");
  const result = new ObjectStore(root).get(digest);
  return result.kind === "found" ? result.bytes : undefined;
}

/** The data of a run as its programs saw them. */
export interface RunData {
  readonly data: DatasetJson;
  /** How rows follow each other in time, if the target sets it: they are in that order. */
  readonly time?: TimeRule;
  /** Schedule that its programs were scored under, if it has a target. */
  readonly schedule?: Schedule;
}

/**
 * The data set of a run, from the store of artifacts: that of its target, if it put rows in the order of time.
 *
 * @param ask queries of an open database of the run: to open it takes longer than to read this.
 * @throws InputError, if the run has none, or the store no longer has it.
 */
export async function readRunData(project: string, run: string, ask?: Ask): Promise<RunData> {
  const asking = ask ?? await askingOf(project, run);
  const sql = `select a.sha256 from artifact a where a.type = 'target' order by a.sha256 limit 1`;
  const [row] = await asking(sql);
  const bytes = row && await readArtifact(project, String(row.sha256));
  const target = bytes && JSON.parse(new TextDecoder().decode(bytes));
  const schedule = target?.schedule;
  const time = schedule?.time;
  return {
    data: time ? target.dataset : await readGivenData(project, run, asking),
    ...(time && { time }),
    ...(schedule && { schedule }),
  };
}

async function askingOf(project: string, run: string): Promise<Ask> {
  const { query } = await import("../pipeline/store/sql/mod.ts");
  return async (sql) => (await query(project, sql, { run })).objects();
}

async function readGivenData(project: string, run: string, ask: Ask): Promise<DatasetJson> {
  const sql = `select a.sha256 from artifact a where a.type = 'dataset' order by a.sha256 limit 1`;
  const [row] = await ask(sql);
  const bytes = row && await readArtifact(project, String(row.sha256));
  if (bytes) return JSON.parse(new TextDecoder().decode(bytes)) as DatasetJson;
  const message = row
    ? `The data set of run ${run} is no longer in the store`
    : `Run ${run} has no data set: its objects are no programs of data`;
  const hint = row ? "run its pipeline again" : "ask for its objects with sluice query";
  throw inputError("programs/no-data", message, undefined, hint);
}
