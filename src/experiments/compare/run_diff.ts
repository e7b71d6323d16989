/** Compares two runs: parameters that differ, measures paired by seed. */
import type { RecordedRun } from "../../pipeline/plan/mod.ts";
import { type ComparedMeasure, compareSettings } from "./comparison.ts";
import { finalOnly, finalValuesSql, type Measured, shownMeasures } from "./measures.ts";
import type { AskRuns } from "./sweep_report.ts";

/** A value that two runs set differently. */
interface ParameterDifference {
  readonly path: string;
  /** Value as JSON; undefined where a run does not have it. */
  readonly first?: string;
  readonly second?: string;
  /** Where the second run has it, `file:line`. */
  readonly where?: string;
}

/** Differences of two runs. */
export interface RunDiff {
  readonly first: string;
  readonly second: string;
  readonly parameters: readonly ParameterDifference[];
  /** The second run against the first. */
  readonly measures: readonly ComparedMeasure[];
}

/** Compares two runs; instances of `seeds = N` are paired by their seeds. */
export async function diffRuns(
  [first, second]: readonly [RecordedRun, RecordedRun],
  ask: AskRuns,
  measures?: readonly string[],
): Promise<RunDiff> {
  const rows = await ask(finalValuesSql);
  const shown = shownMeasures(rows.map(({ measure }) => String(measure)), measures);
  const seeds = new Map([first, second].map((run) => [run.runId, seedOf(run)]));
  const measured = rows.filter(({ measure }) => shown.includes(String(measure)))
    .flatMap((row) => measuredOf(row, seeds));
  const found = compareSettings(finalOnly(measured), [first.runId, second.runId]);
  return {
    first: first.runId,
    second: second.runId,
    parameters: differencesOf(first, second),
    measures: found.toSorted((a, b) => shown.indexOf(a.measure) - shown.indexOf(b.measure)),
  };
}

function seedOf({ values }: RecordedRun): number {
  return Number(values.find(({ path }) => path === "seed")?.value ?? 0);
}

/** Two runs of one seed each are a pair, even if their seeds differ. */
function measuredOf(row: Record<string, unknown>, seeds: ReadonlyMap<string, number>): Measured[] {
  const [setting, name, value] = [String(row.run_id), String(row.stage), Number(row.value)];
  if (!Number.isFinite(value)) return [];
  const label = /\[(\d+)\]/.exec(name)?.[1];
  const seed = label === undefined ? "" : `${(seeds.get(setting) ?? 0) + Number(label)}`;
  const stage = name.replace(/\[[^\]]*\]/, "");
  return [{ setting, seed, stage, measure: String(row.measure), value }];
}

function differencesOf(first: RecordedRun, second: RecordedRun): ParameterDifference[] {
  const [before, now] = [first, second].map(({ values }) =>
    new Map(values.map((one) => [one.path, one]))
  );
  const paths = [...new Set([...before.keys(), ...now.keys()])];
  return paths.flatMap((path): ParameterDifference[] => {
    const [a, b] = [before.get(path), now.get(path)];
    const [old, fresh] = [a, b].map((one) => one && JSON.stringify(one.value));
    if (old === fresh) return [];
    const at = b ?? a;
    const where = at?.file && at.line ? `${at.file}:${at.line}` : undefined;
    return [{ path, first: old, second: fresh, ...(where && { where }) }];
  });
}
