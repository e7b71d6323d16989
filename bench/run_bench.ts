/** The main job from nothing: wall time, peak memory of all processes, and what it reached. */

const root = new URL("..", import.meta.url).pathname;

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

async function emptyProject(): Promise<string> {
  const project = await Deno.makeTempDir({ prefix: "sluice-bench-" });
  for (const folder of ["pipelines", "configs", "grammars", "data", "schemas"]) {
    await copyFolder(`${root}${folder}`, `${project}/${folder}`);
  }
  await Deno.writeTextFile(`${project}/deno.json`, "{}");
  return project;
}

async function copyFolder(from: string, to: string) {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isFile } of Deno.readDir(from)) {
    if (isFile) await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}

function sluice(project: string, args: readonly string[]): Deno.ChildProcess {
  const grants = ["read", "write", "env", "sys", "run", "ffi"].map((name) => `--allow-${name}`);
  const flags = ["run", "--no-prompt", "--no-check", `--config=${root}deno.json`, ...grants];
  return new Deno.Command("deno", {
    args: [...flags, `${root}src/cli/main.ts`, ...args],
    cwd: project,
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

async function run(project: string, seed: string) {
  const started = performance.now();
  const child = sluice(project, ["run", "pipelines/dugongs.toml", "--set", `seed=${seed}`]);
  let peakMib = 0;
  const timer = setInterval(async () => {
    peakMib = Math.max(peakMib, await treeMib(child.pid));
  }, 500);
  const { code } = await child.output();
  clearInterval(timer);
  return { code, seconds: (performance.now() - started) / 1000, peakMib };
}

/** Resident memory of a process and all its descendants; shared pages counted in each. */
async function treeMib(pid: number): Promise<number> {
  const { stdout } = await new Deno.Command("ps", { args: ["-eo", "pid=,ppid=,rss="] }).output();
  const rows = new TextDecoder().decode(stdout).trim().split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const family = new Set([pid]);
  for (let grown = true; grown;) {
    const children = rows.filter(([id, parent]) => family.has(parent) && !family.has(id));
    grown = children.length > 0;
    for (const [id] of children) family.add(id);
  }
  const kib = rows.filter(([id]) => family.has(id)).reduce((sum, [, , rss]) => sum + rss, 0);
  return kib / 1024;
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
