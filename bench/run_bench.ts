/** The main job from nothing: wall time, peak memory of all processes, and what it reached. */
import { emptyProject, sluice, watchedRun } from "./watched_run.ts";

/** Measures with their subjects, as they are printed. */
const divergences = [
  ["tv", "policy"],
  ["kl_target_policy", "policy"],
  ["tv", "sft"],
  ["tv", "prior"],
  ["tv", "uniform"],
  ["raised_share", "policy"],
] as const;
const counts = [
  ["effective_programs_target", "policy"],
  ["failed_programs", "policy"],
  ["raised_programs", "policy"],
  ["log_z_error", "policy"],
] as const;

/** `run [seed …]`: 20 21 22 by default; each in an empty project, then once more from cache. */
export async function benchRun(seeds: readonly string[]) {
  for (const seed of seeds.length > 0 ? seeds : ["20", "21", "22"]) await oneSeed(seed);
}

async function oneSeed(seed: string) {
  const project = await emptyProject();
  const first = await run(project, seed);
  const second = await run(project, seed);
  const values = await measures(project);
  const time = `${first.seconds.toFixed(0)} s, again ${second.seconds.toFixed(1)} s`;
  console.log(
    `seed ${seed}: ${time}, peak ${first.peakMib.toFixed(0)} MiB; ${shown(values, divergences, 4)}`,
  );
  console.log(`  ${shown(values, counts, 3)}`);
  const distinct = values[0]?.distinct_evaluations;
  console.log(`  exit ${first.code}, ${distinct} distinct programs executed for training`);
  await Deno.remove(project, { recursive: true });
}

function shown(
  rows: readonly MeasuredRow[],
  wanted: typeof divergences | typeof counts,
  digits: number,
) {
  return wanted.map(([measure, subject]) => {
    const found = rows.find((row) => row.measure === measure && row.subject === subject);
    return `${measure} of ${subject} ${found?.value.toFixed(digits)}`;
  }).join(", ");
}

function run(project: string, seed: string) {
  return watchedRun(project, ["run", "pipelines/dugongs.toml", "--set", `seed=${seed}`]);
}

interface MeasuredRow {
  readonly measure: string;
  readonly subject: string;
  readonly value: number;
  readonly distinct_evaluations: number;
}

async function measures(project: string): Promise<readonly MeasuredRow[]> {
  const sql = "select measure, subject, value, distinct_evaluations from evaluation " +
    "where stage = 'evaluate'";
  const args = ["query", "--run", "last", "--format", "json", "--project", project, sql];
  const { stdout } = await sluice(project, args).output();
  return JSON.parse(new TextDecoder().decode(stdout));
}
