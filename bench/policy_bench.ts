/** Times of the policies: a training step, a batch of samples, and the scoring of many objects. */

// deno run --allow-read=node_modules/@tensorflow bench/policy_bench.ts [backend]
// Medians; the shape is that of a program grammar: 10 actions of a vocabulary of 80.

import { RandomStream } from "../src/base/random.ts";
import { makeBatch } from "../src/gfn/batch.ts";
import type { Environment, TerminalObject } from "../src/gfn/environment.ts";
import { createPolicy } from "../src/gfn/policies/mod.ts";
import type { PolicyBackend } from "../src/gfn/policies/mod.ts";
import type { Policy } from "../src/gfn/policy.ts";
import type { Batch } from "../src/gfn/trajectory.ts";

const CHOICES = 8;
const LENGTH = 10;
const ACTIONS = 80;

/** Nine free choices among eight actions of their own, then the exit. */
const environment: Environment<number> = {
  kind: "bench",
  spec: null,
  digest: "bench",
  actionNames: Array.from({ length: ACTIONS }, (_, a) => `action ${a}`),
  exitAction: 0,
  maxActions: LENGTH,
  initialState: () => 0,
  legalActions(t) {
    const mask = new Uint8Array(ACTIONS);
    if (t === LENGTH - 1) mask[0] = 1;
    else mask.fill(1, 1 + CHOICES * t, 1 + CHOICES * (t + 1));
    return mask;
  },
  step: (t) => t + 1,
  logPrior: () => new Float64Array(ACTIONS),
  terminal: (): TerminalObject => ({ text: "", logPrior: 0, actions: [], features: [] }),
  enumerate: () => [],
};

function randomBatch(B: number, random: RandomStream): Batch {
  const rows = Array.from({ length: B }, () => {
    const choices = Array.from({ length: LENGTH - 1 }, (_, t) => {
      return 1 + CHOICES * t + random.below(CHOICES);
    });
    return { actions: [...choices, 0] };
  });
  return makeBatch(environment, rows);
}

async function median(repetitions: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < repetitions + 2; i++) {
    const start = performance.now();
    await work();
    if (i >= 2) times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
}

async function trainingStep(policy: Policy, batch: Batch): Promise<void> {
  const scores = await policy.score(batch, { grad: true });
  const ones = new Float64Array(batch.B * batch.T).fill(0.01);
  await policy.backward(scores, { logPf: ones, logExit: ones, logFlow: ones });
  await policy.step({ learningRate: 1e-3, clipNorm: 10 });
}

const backend = (Deno.args[0] ?? "wasm") as PolicyBackend;
const random = new RandomStream("bench");
const shapes = [{ layers: 2, width: 64, heads: 4 }, { layers: 1, width: 32, heads: 4 }];
for (const shape of shapes) {
  const policy = await createPolicy({ kind: "transformer", ...shape, backend }, environment, "b");
  const batch = randomBatch(40, random);
  const step = await median(20, () => trainingStep(policy, batch));
  const options = { count: 32, random, epsilon: 0.1, temperature: 1 };
  const sample = await median(20, () => policy.sample(environment, options));
  const many = randomBatch(5000, random);
  const score = await median(1, () => policy.score(many, { grad: false }));
  console.log(
    `${backend} L${shape.layers} d${shape.width} H${shape.heads} (${policy.size} parameters): ` +
      `step B=40 ${step.toFixed(1)} ms, sample of 32 ${sample.toFixed(1)} ms, ` +
      `score of 5000 ${score.toFixed(0)} ms`,
  );
  policy.dispose();
}
