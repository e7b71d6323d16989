/** Times of the policies: training steps, sampling, growth with every size, beside PyTorch. */
import process from "node:process";
import { RandomStream } from "../src/base/random.ts";
import type { Environment } from "../src/gfn/environments/environment.ts";
import { makeBatch } from "../src/gfn/trajectories/batch.ts";
import { hypergridEnvironment } from "../src/gfn/environments/hypergrid.ts";
import { trajectoryBalance } from "../src/gfn/objectives/trajectory_balance.ts";
import { createPolicy, policyBackends } from "../src/gfn/policies/create_policy.ts";
import type { PolicyBackend } from "../src/gfn/policies/create_policy.ts";
import type { Policy } from "../src/gfn/policies/policy.ts";
import type { Batch } from "../src/gfn/trajectories/trajectory.ts";
import { choiceEnvironment, randomBatch } from "./choice_environment.ts";

/** Backends of networks; a GPU computes language models alone. */
type NetworkBackend = Exclude<PolicyBackend, "cuda">;

// deno task bench policy [backend …] [--peer=PYTHON] [--grid] [--growth]
// PYTHON is an interpreter with PyTorch, as bench/peers/torch_step.py says. Figures are medians of
// the processor time of a step, all threads of the process together: on a quiet machine that is
// the time on the clock, and on a busy one it still compares.

interface Shape {
  readonly layers: number;
  readonly width: number;
  readonly heads: number;
  readonly actions: number;
  readonly length: number;
  readonly batch: number;
}

const small: Shape = { layers: 2, width: 64, heads: 4, actions: 64, length: 48, batch: 64 };
const large: Shape = { layers: 4, width: 128, heads: 4, actions: 256, length: 64, batch: 64 };

interface Figures {
  readonly stepMs: number;
  readonly scoreMs: number;
  readonly tokensPerSecond: number;
}

/** One line per backend and shape; then, if asked for, PyTorch, the grid, and the growth. */
export async function benchPolicy(args: readonly string[]): Promise<void> {
  const named = args.filter((arg) => policyBackends.includes(arg as NetworkBackend));
  const backends = (named.length > 0 ? named : ["fused"]) as NetworkBackend[];
  const peer = args.find((arg) => arg.startsWith("--peer="))?.slice("--peer=".length);
  const measured = new Map<string, number>();
  for (const shape of [small, large]) {
    for (const backend of backends) {
      const figures = await measure(shape, backend, backend === "cpu" ? 1 : 9);
      console.log(line(backend, shape, figures));
      measured.set(`${backend} ${shape.layers}`, figures.stepMs);
    }
  }
  if (peer) await comparePeer(peer, backends, measured);
  if (args.includes("--grid")) await benchGrid(backends);
  if (args.includes("--growth")) await benchGrowth(backends[0]);
}

function line(name: string, shape: Shape, figures: Figures): string {
  const { layers, width, actions, length, batch } = shape;
  const { stepMs, scoreMs, tokensPerSecond } = figures;
  return `${name.padEnd(10)} L${layers} d${width} V${actions} T${length} B${batch}: ` +
    `step ${stepMs.toFixed(1)} ms, score ${scoreMs.toFixed(1)} ms, ` +
    `sampling ${Math.round(tokensPerSecond)} tokens/s; at most ${peakMb()} MB so far`;
}

/** Most memory that this process has had in use. */
function peakMb(): number {
  return Math.round(process.resourceUsage().maxRSS / 1024);
}

async function measure(
  shape: Shape,
  backend: NetworkBackend,
  repetitions: number,
): Promise<Figures> {
  const { layers, width, heads, actions, length, batch: B } = shape;
  const environment = choiceEnvironment(actions, length);
  const config = { kind: "transformer", layers, width, heads, backend } as const;
  const policy = await createPolicy(config, environment as Environment, "bench");
  if (policy.backend !== backend) throw new Error(policy.computes);
  const random = new RandomStream("bench");
  const batch = randomBatch(environment, B, random);
  const stepMs = await median(repetitions, () => trainingStep(policy, batch));
  const scoreMs = await median(repetitions, () => policy.score(batch, { grad: false }));
  const options = { count: B, random, epsilon: 0, temperature: 1 };
  const sample = () => policy.sample(environment as Environment, options);
  const sampleMs = await median(Math.ceil(repetitions / 3), sample);
  policy.dispose();
  return { stepMs, scoreMs, tokensPerSecond: 1000 * B * length / sampleMs };
}

async function trainingStep(policy: Policy, batch: Batch): Promise<void> {
  const scores = await policy.score(batch, { grad: true });
  const ones = new Float64Array(batch.B * batch.T).fill(0.01);
  await policy.backward(scores, { logPf: ones, logExit: ones, logFlow: ones });
  await policy.step({ learningRate: 1e-3, clipNorm: 10 });
}

async function median(repetitions: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < repetitions + 2; i++) {
    const start = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(start);
    if (i >= 2) times.push((user + system) / 1000);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
}

/** The peer's output, a line per shape. */
interface PeerLine {
  readonly layers: number;
  readonly step_ms: number;
  readonly tokens_per_s: number;
  readonly rss_mb: number;
  readonly version: string;
}

async function comparePeer(
  python: string,
  backends: readonly NetworkBackend[],
  measured: ReadonlyMap<string, number>,
): Promise<void> {
  const script = new URL("./peers/torch_step.py", import.meta.url).pathname;
  const env = { OMP_NUM_THREADS: "1", MKL_NUM_THREADS: "1" };
  const command = new Deno.Command(python, { args: [script], env, stderr: "null" });
  const lines = new TextDecoder().decode((await command.output()).stdout).trim().split("\n");
  for (const peer of lines.map((text) => JSON.parse(text) as PeerLine)) {
    const ratios = backends.map((backend) => {
      const ratio = measured.get(`${backend} ${peer.layers}`)! / peer.step_ms;
      return `${backend} takes ${ratio.toFixed(2)} times as long`;
    });
    console.log(
      `PyTorch ${peer.version} eager, 1 thread, L${peer.layers}: step ${peer.step_ms.toFixed(1)} ` +
        `ms, sampling ${Math.round(peer.tokens_per_s)} tokens/s, ${Math.round(peer.rss_mb)} MB; ` +
        ratios.join(", "),
    );
  }
}

/** Steps of 16 trajectories on the 16 × 16 grid, sampling and objective included. */
async function benchGrid(backends: readonly NetworkBackend[]): Promise<void> {
  const spec = { ndim: 2, height: 16, r0: 0.1, r1: 0.5, r2: 2 };
  const environment = hypergridEnvironment(spec) as Environment;
  for (const backend of backends) {
    const policy = await createPolicy({ kind: "mlp", backend }, environment, "bench");
    const random = new RandomStream("grid");
    const options = { count: 16, random, epsilon: 0.05, temperature: 1 };
    const state = { logZ: 4, parameters: { residual_loss: "squared" } };
    const ms = await median(200, async () => {
      const batch = makeBatch(environment, await policy.sample(environment, options));
      const scores = await policy.score(batch, { grad: true });
      await policy.backward(scores, trajectoryBalance.evaluate(scores, batch, state).gradients);
      await policy.step({ learningRate: 1e-3, clipNorm: 1 });
    });
    const seconds = (2 * ms).toFixed(1);
    console.log(
      `${backend} mlp 2 × 256 on the 16 × 16 grid: ${ms.toFixed(2)} ms for 16 trajectories, ` +
        `${seconds} s for 32,000`,
    );
    policy.dispose();
  }
}

const growth: readonly (readonly [keyof Shape, readonly number[]])[] = [
  ["batch", [16, 64, 256]],
  ["length", [12, 48, 192]],
  ["width", [32, 64, 128]],
  ["layers", [1, 2, 4]],
  ["actions", [16, 64, 256, 1024]],
];

/** The small shape with one size changed at a time. */
async function benchGrowth(backend: NetworkBackend): Promise<void> {
  for (const [size, values] of growth) {
    for (const value of values) {
      const shape = { ...small, [size]: value };
      const figures = await measure(shape, backend, 5);
      const { stepMs, scoreMs, tokensPerSecond } = figures;
      console.log(
        `${size} ${value}: step ${stepMs.toFixed(1)} ms, score ${scoreMs.toFixed(1)} ms, ` +
          `sampling ${Math.round(tokensPerSecond)} tokens/s`,
      );
    }
  }
}
