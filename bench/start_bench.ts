/** How soon spaces too large to enumerate begin to be learnt, and in how much memory. */
import { emptyProject, type Watched, watchedRun } from "./watched_run.ts";

/** Rows of the regressions' data. */
const ROWS = 60;

/**
 * `start [terms …]`, 17 and 30 by default: grammars of 2^terms regressions, then the shipped kernels.
 * Each in an empty project, five steps of training; seconds of the clock from the start of the command.
 */
export async function benchStart(terms: readonly string[]): Promise<void> {
  const sizes = terms.length > 0 ? terms.map(Number) : [17, 30];
  for (const size of sizes) {
    const project = await emptyProject();
    await writeRegressions(project, size);
    print(`2^${size} regressions`, await watchedRun(project, ["run", "regressions.toml"]));
    await Deno.remove(project, { recursive: true });
  }
  const project = await emptyProject();
  const path = `${project}/pipelines/kernels.toml`;
  const [trained] = (await Deno.readTextFile(path)).split("[stages.evaluate]");
  await Deno.writeTextFile(path, trained);
  const args = ["run", "pipelines/kernels.toml", "--set", "stages.train.steps=5"];
  print("kernels", await watchedRun(project, args));
  await Deno.remove(project, { recursive: true });
}

/** Training begins when policy and target are there. */
function print(name: string, { code, seconds, peakMib, lines }: Watched): void {
  const doneAt = (stage: string) =>
    lines.find(({ text }) => text.startsWith(`✓ ${stage} `))?.seconds ?? NaN;
  const grammar = lines.map(({ text }) => /✓ programs +([\d.]+) s/.exec(text)?.[1]).find(Boolean);
  const begins = Math.max(doneAt("start"), doneAt("target"));
  console.log(
    `${name}: stage grammar ${grammar} s, training begins after ${begins.toFixed(1)} s, ` +
      `five steps of it end after ${doneAt("train").toFixed(1)} s, all after ${
        seconds.toFixed(1)
      } s; ` +
      `peak ${peakMib.toFixed(0)} MiB; exit ${code}`,
  );
}

/** A grammar with a clause for each predictor, data with three effects, and a pipeline. */
async function writeRegressions(project: string, terms: number): Promise<void> {
  const names = Array.from({ length: terms }, (_, j) => `x${j}`);
  await Deno.writeTextFile(`${project}/regressions_grammar.toml`, grammarOf(names));
  await Deno.writeTextFile(`${project}/regressions.csv`, dataOf(names));
  await Deno.writeTextFile(`${project}/regressions.toml`, pipelineOf(names));
}

function grammarOf(names: readonly string[]): string {
  const holes = names.map((name) => `    {in_${name}}`).join("\n");
  const clauses = names.map((name) => `
[[clauses]]
hole = "in_${name}"
default = ""
[holes.in_${name}]
type = "statements"
productions = [{ name = "${name}", weight = 1, text = '''
b_${name} = pm.Normal("b_${name}", mu=0, sigma=1)
mu = mu + b_${name} * data["${name}"]''' }]`);
  return `format = 1
name = "regressions"
template = '''
import pymc as pm

with pm.Model() as model:
    mu = pm.Normal("intercept", mu=0, sigma=1)
${holes}
    sigma = pm.HalfNormal("sigma", sigma=1)
    y = pm.Normal("y", mu=mu, sigma=sigma, observed=data["y"])
'''
${clauses.join("\n")}
`;
}

function dataOf(names: readonly string[]): string {
  const rows = Array.from({ length: ROWS }, (_, i) => {
    const x = names.map((_, j) => Math.sin(1 + (i + 1) * (j + 2) * 0.7));
    const y = 0.8 * x[0] - 0.6 * x[1] + 0.5 * x[2] + Math.cos(i * i);
    return [...x, y].map((one) => one.toFixed(3)).join(",");
  });
  return [[...names, "y"].join(","), ...rows].join("\n");
}

function pipelineOf(names: readonly string[]): string {
  return `format = 1
name = "regressions"
seed = 1

[stages.data]
kind = "dataset"
path = "regressions.csv"
[stages.data.columns]
${names.map((name) => `${name} = { role = "predictor" }`).join("\n")}
y = { role = "response", resolution = 0.001 }

[stages.programs]
kind = "grammar"
path = "regressions_grammar.toml"

[stages.target]
kind = "target"
inputs = { environment = "programs", data = "data" }
log_reward = [{ judge = "elpd_loo" }, { judge = "log_prior" }]

[stages.start]
kind = "policy"
inputs = { environment = "programs" }
policy = { kind = "transformer", layers = 1, width = 32, heads = 4 }

[stages.train]
kind = "loop"
steps = 5
state = { policy = "start.policy" }
next = { policy = "learn.policy" }

[stages.train.stages.sample]
kind = "sample"
inputs = { policy = "state.policy", environment = "programs" }
batch_size = 16

[stages.train.stages.execute]
kind = "sandbox_execute"
inputs = { trajectories = "sample.trajectories", target = "target" }
states = "terminal"

[stages.train.stages.judge]
kind = "judge"
inputs = { executions = "execute.executions", target = "target" }

[stages.train.stages.learn]
kind = "learn"
inputs = { policy = "state.policy", trajectories = "sample.trajectories", log_reward = "judge.log_reward" }
objective = "log_partition_variance"
learning_rate = 0.005
`;
}
