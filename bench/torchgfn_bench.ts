/** torchgfn and Sluice on the same grids, one after the other: divergences, seconds, processor time. */
import { runInProcess, valueOf } from "./pipeline_in_process.ts";
import { tasks, type Variant } from "./learning/experiments.ts";
import { appendPeer, type PeerResult } from "./learning/results.ts";

// deno task bench torchgfn PYTHON [grid …] [--objectives TB,SubTB] [--seeds 1,2,3]
// PYTHON is an interpreter with torchgfn, as bench/peers/torchgfn_hypergrid.py says. Lines are kept
// in bench/results/learning/peer_torchgfn.jsonl, from where docs/learning.md takes them.

/** Arguments of the peer's program for each task that it is run on. */
const grids: Readonly<Record<string, readonly string[]>> = {
  hypergrid_16: ["--height", "16", "--r0", "0.1"],
  hypergrid_16_sparse: ["--height", "16", "--r0", "0.001"],
  hypergrid_8_4: ["--ndim", "4", "--height", "8", "--r0", "0.1", "--trajectories", "64000"],
};

/** Our variant of each of its objectives. */
const variantOf: Readonly<Record<string, string>> = {
  TB: "tb",
  VarGrad: "vargrad",
  SubTB: "subtb",
  DB: "db",
};

/** Runs what is asked for, and appends one line per grid, objective and seed. */
export async function benchTorchgfn([python, ...args]: readonly string[]): Promise<void> {
  const valueOf = (flag: string) => args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined;
  const named = Object.keys(grids).filter((name) => args.includes(name));
  const objectives = (valueOf("--objectives") ?? "TB,SubTB").split(",");
  for (const seed of (valueOf("--seeds") ?? "1,2,3").split(",")) {
    for (const task of named.length > 0 ? named : Object.keys(grids)) {
      for (const objective of objectives) {
        const peer = await runPeer(python, objective, seed, grids[task]);
        const line = { task, ...peer, ...await runOwn(task, variantOf[objective], seed) };
        appendPeer("torchgfn", line);
        console.log(JSON.stringify(line));
      }
    }
  }
}

async function runPeer(
  python: string,
  objective: string,
  seed: string,
  grid: readonly string[],
): Promise<PeerResult> {
  const script = new URL("./peers/torchgfn_hypergrid.py", import.meta.url).pathname;
  const env = { OMP_NUM_THREADS: "1", MKL_NUM_THREADS: "1" };
  const command = new Deno.Command(python, { args: [script, objective, seed, ...grid], env });
  const { success, stdout, stderr } = await command.output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** The same task right after it: our own figures under names that begin with `own_`. */
async function runOwn(id: string, variantId: string, seed: string): Promise<PeerResult> {
  const task = tasks.find((one) => one.id === id)!;
  const variant = task.variants.find((one): one is Variant => one.id === variantId)!;
  const quiet = ["stages.evaluate.baseline_repetitions=0", `seed=${seed}`];
  const sets = [...task.sets, ...variant.sets, ...quiet];
  const { evaluation, seconds, cpuSeconds } = await runInProcess(task.pipeline, sets);
  const last = evaluation.filter(({ stage }) => stage === "evaluate");
  return {
    own_variant: variantId,
    own_tv: valueOf(last, "tv")!,
    own_seconds: Number(seconds.train.toFixed(2)),
    own_cpu_seconds: Number(cpuSeconds.train.toFixed(2)),
  };
}
