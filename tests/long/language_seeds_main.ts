/**
 * `deno task language:seeds`: both pipelines of language models in full, three seeds each, and how far
 * each policy stays from its target. Nothing is recalled that another run of training has made but scores.
 *
 *   deno task language:seeds [--small] [--seeds 20,21,22] [--most 0.02]
 *
 * `--small` takes the overlays of continuous integration, and says nothing of the bound.
 */
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const home = fileURLToPath(new URL("../../", import.meta.url));
const usage = "usage: deno task language:seeds [--small] [--seeds 20,21,22] [--most 0.02]";

/** Each with the stage that evaluates its language model. */
const pipelines = ["dugongs_language_model", "dataset_sucker"] as const;

/** Result of a run of one pipeline by one seed. */
interface SeedRun {
  readonly pipeline: string;
  readonly seed: number;
  readonly forward: number;
  readonly backward: number;
  readonly wall: number;
  readonly cpu: number;
  readonly code: number;
}

/** Nats, both ways. */
const wanted = 0.02;

/** Seconds that a run may take on two quiet cores. */
const mostSeconds = 15 * 60;

const measures = `select measure, value from evaluation
  where stage = 'evaluate' and subject_kind = 'policy' and step = 0
    and measure in ('kl_target_policy', 'kl_policy_target')`;

async function main(): Promise<number> {
  const { small, seeds, most } = options();
  const runs: SeedRun[] = [];
  console.log(
    "pipeline                seed  KL(target‖policy)  KL(policy‖target)   wall s    CPU s",
  );
  for (const pipeline of pipelines) {
    for (const seed of seeds) {
      const one = await runOf(pipeline, seed, small);
      console.log(lineOf(one));
      runs.push(one);
    }
  }
  const isFar = ({ forward, backward }: SeedRun) => !(Math.max(forward, backward) <= most);
  const far = small ? [] : runs.filter(isFar);
  const failed = runs.filter(({ code }) => code !== 0);
  const slow = small ? [] : runs.filter(({ wall }) => wall > mostSeconds);
  for (const one of far) console.log(`! ${nameOf(one)} is farther than ${most} nats`);
  for (const one of failed) console.log(`! ${nameOf(one)} ended with status ${one.code}`);
  for (const one of slow) console.log(`! ${nameOf(one)} took longer than ${mostSeconds} s`);
  return far.length + failed.length > 0 ? 1 : 0;
}

function options() {
  try {
    const { values } = parseArgs({
      args: Deno.args,
      options: {
        small: { type: "boolean", default: false },
        seeds: { type: "string", default: "20,21,22" },
        most: { type: "string", default: `${wanted}` },
      },
    });
    const seeds = values.seeds.split(",").map(Number);
    const most = Number(values.most);
    if (seeds.every(Number.isInteger) && most > 0) return { small: values.small, seeds, most };
  } catch (error) {
    console.error((error as Error).message);
  }
  console.error(usage);
  Deno.exit(2);
}

async function runOf(pipeline: string, seed: number, small: boolean): Promise<SeedRun> {
  const overlay = small ? [`@configs/${pipeline}_ci.toml`] : [];
  const [start, before] = [performance.now(), childSeconds()];
  const { code } = await sluice([
    ...["run", `pipelines/${pipeline}.toml`, ...overlay, "--set", `seed=${seed}`, "--quiet"],
  ]);
  const wall = (performance.now() - start) / 1000;
  const cpu = childSeconds() - before;
  const { out } = await sluice(["query", "--run", "last", "--format", "json", measures]);
  const found = new Map<string, number>(
    rowsOf(out).map(({ measure, value }) => [measure, value]),
  );
  const forward = found.get("kl_target_policy") ?? NaN;
  const backward = found.get("kl_policy_target") ?? NaN;
  return { pipeline, seed, forward, backward, wall, cpu, code };
}

function rowsOf(json: string): { readonly measure: string; readonly value: number }[] {
  try {
    return JSON.parse(json);
  } catch {
    return []; // The run ended before it measured anything.
  }
}

async function sluice(words: readonly string[]): Promise<{ code: number; out: string }> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "sluice", ...words],
    cwd: home,
    stdout: "piped",
    stderr: "inherit",
  });
  const { code, stdout } = await command.output();
  return { code, out: new TextDecoder().decode(stdout) };
}

/** Seconds of processor time of all processes that have ended, where the system tells it. */
function childSeconds(): number {
  if (Deno.build.os !== "linux") return NaN;
  const fields = Deno.readTextFileSync(`/proc/${process.pid}/stat`).split(") ")[1].split(" ");
  return (Number(fields[13]) + Number(fields[14])) / 100; // cutime, cstime, hundredths of a second
}

function lineOf({ pipeline, seed, forward, backward, wall, cpu }: SeedRun): string {
  const cells = [
    pipeline.padEnd(22),
    `${seed}`.padStart(5),
    forward.toFixed(4).padStart(18),
    backward.toFixed(4).padStart(18),
    wall.toFixed(0).padStart(8),
    cpu.toFixed(0).padStart(8),
  ];
  return cells.join(" ");
}

function nameOf({ pipeline, seed }: SeedRun): string {
  return `${pipeline}, seed ${seed},`;
}

Deno.exit(await main());
