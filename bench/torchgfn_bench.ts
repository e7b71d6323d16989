/** torchgfn and Sluice on the same grids, each by both recipes: divergences, seconds, processor time. */
import { runInProcess, valueOf } from "./pipeline_in_process.ts";
import { tasks, type Variant } from "./learning/experiments.ts";
import { appendPeer, type PeerResult, readPeers } from "./learning/results.ts";

// deno task bench torchgfn PYTHON [grid …] [--objectives TB,SubTB] [--recipes constant,falling]
//     [--programs torchgfn,Sluice] [--seeds 1,2,3]
// PYTHON is an interpreter with torchgfn, as bench/peers/torchgfn_hypergrid.py says; missing lines
// are run, seed by seed and both programs one after the other: their processor times are a pair. Lines
// are kept in bench/results/learning/peer_torchgfn.jsonl; bench/results/learning.md takes them from there.

/** How a grid is asked of the peer, and how much Sluice's pipeline explores on it. */
interface Grid {
  readonly args: readonly string[];
  /** Share of uniform choice in the recipe `falling`. */
  readonly epsilon: number;
}

const grids: Readonly<Record<string, Grid>> = {
  hypergrid_16: { args: ["--height", "16", "--r0", "0.1"], epsilon: 0 },
  hypergrid_16_sparse: { args: ["--height", "16", "--r0", "0.001"], epsilon: 0.1 },
  hypergrid_8_4: {
    args: ["--ndim", "4", "--height", "8", "--r0", "0.1", "--trajectories", "64000"],
    epsilon: 0,
  },
};

/** Our variant of each of its objectives. */
const variantOf: Readonly<Record<string, string>> = {
  TB: "tb",
  VarGrad: "vargrad",
  SubTB: "subtb",
  DB: "db",
};

/** Settings for Sluice's pipelines to train by the recipe of torchgfn's examples. */
const constantSets = [
  "stages.train.stages.learn.learning_rate=1e-3",
  "stages.train.stages.learn.clip_norm=1.0",
  'stages.train.stages.sample.exploration={kind="epsilon_uniform",start=0.0,end=0.0}',
];

/** One run. */
interface Wanted {
  readonly task: string;
  readonly objective: string;
  readonly recipe: string;
  readonly seed: string;
}

/** Runs what is asked for and missing, and appends a line for each program, grid, objective, recipe and seed. */
export async function benchTorchgfn([python, ...args]: readonly string[]): Promise<void> {
  const list = (flag: string, usual: string) =>
    (args.includes(flag) ? args[args.indexOf(flag) + 1] : usual).split(",");
  const named = Object.keys(grids).filter((name) => args.includes(name));
  for (const seed of list("--seeds", "1,2,3")) {
    for (const task of named.length > 0 ? named : Object.keys(grids)) {
      for (const objective of list("--objectives", "TB,SubTB")) {
        for (const recipe of list("--recipes", "constant,falling")) {
          for (const program of list("--programs", "torchgfn,Sluice")) {
            const wanted = { task, objective, recipe, seed };
            if (isKnown(program, wanted)) continue;
            const run = program === "Sluice" ? runOwn(wanted) : runPeer(python, wanted);
            const line = { ...wanted, seed: Number(seed), interleaved: 1, ...await run };
            appendPeer("torchgfn", line);
            console.log(JSON.stringify(line));
          }
        }
      }
    }
  }
}

function isKnown(program: string, wanted: Wanted): boolean {
  return readPeers().some((one) =>
    String(one.program).startsWith(program) &&
    Object.entries(wanted).every(([name, value]) => String(one[name]) === value)
  );
}

async function runPeer(python: string, wanted: Wanted): Promise<PeerResult> {
  const { objective, seed, recipe, task } = wanted;
  const script = new URL("./peers/torchgfn_hypergrid.py", import.meta.url).pathname;
  const env = { OMP_NUM_THREADS: "1", MKL_NUM_THREADS: "1" };
  const { args: grid, epsilon } = grids[task];
  const explore = recipe === "falling" ? ["--epsilon", `${epsilon}`] : [];
  const args = [script, objective, seed, ...grid, "--recipe", recipe, ...explore];
  const command = new Deno.Command(python, { args, env });
  const { success, stdout, stderr } = await command.output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

async function runOwn({ task: id, objective, recipe, seed }: Wanted): Promise<PeerResult> {
  const task = tasks.find((one) => one.id === id)!;
  const variantId = variantOf[objective];
  const variant = task.variants.find((one): one is Variant => one.id === variantId)!;
  const quiet = ["stages.evaluate.baseline_repetitions=0", `seed=${seed}`];
  const logZ = objective === "TB" ? ["stages.train.stages.learn.log_z_start=0.0"] : [];
  const laid = recipe === "constant" ? [...constantSets, ...logZ] : [];
  const sets = [...task.sets, ...variant.sets, ...laid, ...quiet];
  const { evaluation, seconds, cpuSeconds } = await runInProcess(task.pipeline, sets);
  const last = evaluation.filter(({ stage }) => stage === "evaluate");
  return {
    program: "Sluice",
    variant: variantId,
    trajectories: Number(last[0].trajectories),
    tv: valueOf(last, "tv")!,
    seconds: Number(seconds.train.toFixed(2)),
    cpu_seconds: Number(cpuSeconds.train.toFixed(2)),
  };
}
