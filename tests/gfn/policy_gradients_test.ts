/** Gradients of whole policies: against finite differences, and of one backend against another. */
import assert from "node:assert/strict";
import { RandomStream } from "../../src/base/random.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { hypergridEnvironment } from "../../src/gfn/environments/hypergrid.ts";
import type { Policy } from "../../src/gfn/policies/policy.ts";
import { createPolicy, loadPolicy } from "../../src/gfn/policies/create_policy.ts";
import type { PolicyBackend, PolicyConfig } from "../../src/gfn/policies/create_policy.ts";
import { decodeTensors, encodeTensors } from "../../src/base/safetensors.ts";
import type { Batch, ScoreGradients } from "../../src/gfn/trajectories/trajectory.ts";
import { treeBatch, wholeTree } from "./tree_batch.ts";
import { mixedTree } from "./tree_environment.ts";

const grid = hypergridEnvironment({ ndim: 2, height: 3, r0: 0.5, r1: 1, r2: 0 }) as Environment;
const gridBatch = treeBatch(grid, [[0, 1, 0, 1, 2], [1, 1, 0, 0, 2], [2], [0, 2], [1, 0, 2]]);
const tree = wholeTree(mixedTree());
const transformer = { kind: "transformer", layers: 2, width: 16, heads: 2 } as const;
const wide = { kind: "mlp", layers: 2, width: 12, backward: "learned" } as const;

interface Subject {
  readonly label: string;
  readonly config: PolicyConfig;
  readonly batch: Batch;
  /** Step of finite differences: small where everything is in double precision. */
  readonly h: number;
}

const subjects: readonly Subject[] = [
  { label: "table", config: { kind: "table", backward: "learned" }, batch: gridBatch, h: 1e-5 },
  { label: "transformer", config: transformer, batch: tree, h: 4e-3 },
  { label: "mlp", config: wide, batch: gridBatch, h: 4e-3 },
  {
    label: "mlp with relu",
    config: { ...wide, activation: "relu", layers: 1 },
    batch: gridBatch,
    h: 4e-3,
  },
];

function forces({ B, T }: Batch): Required<ScoreGradients> {
  const random = new RandomStream("forces");
  const draw = () => Float64Array.from({ length: B * T }, () => 2 * random.uniform() - 1);
  return { logPf: draw(), logExit: draw(), logFlow: draw(), logPb: draw() };
}

/** Σ force · score over all states. */
async function loss(policy: Policy, batch: Batch): Promise<number> {
  const scores = await policy.score(batch, { grad: false });
  const force = forces(batch);
  let sum = 0;
  batch.states.index.forEach((state, at) => {
    if (state < 0) return;
    sum += force.logPf[at] * scores.logPf[at] + force.logExit[at] * scores.logExit[at] +
      force.logFlow[at] * scores.logFlow[at] + force.logPb[at] * (scores.logPb?.[at] ?? 0);
  });
  return sum;
}

/** The gradient of `loss`, read from Adam's first moment after one step: 0.1 times as large. */
async function gradientOf(policy: Policy, batch: Batch): Promise<ArrayLike<number>> {
  await policy.backward(await policy.score(batch, { grad: true }), forces(batch));
  await policy.step({ learningRate: 0, clipNorm: Infinity });
  const { tensors } = decodeTensors(await policy.saveOptimizer());
  return tensors.find(({ name }) => name === "first_moment")!.values.map((m) => 10 * m);
}

/** A policy whose parameters are all away from their first values. */
async function shaken(config: PolicyConfig, batch: Batch): Promise<Uint8Array> {
  const policy = await createPolicy(config, batch.environment, "gradients");
  for (let step = 0; step < 3; step++) {
    await policy.backward(await policy.score(batch, { grad: true }), forces(batch));
    await policy.step({ learningRate: 0.05, clipNorm: Infinity });
  }
  const bytes = await policy.save();
  policy.dispose();
  return bytes;
}

/** The policy of a file with one parameter moved. */
async function moved(bytes: Uint8Array, name: string, at: number, by: number): Promise<Policy> {
  const { tensors, metadata } = decodeTensors(bytes);
  tensors.find((tensor) => tensor.name === name)!.values[at] += by;
  return await loadPolicy(encodeTensors(tensors, metadata), { backend: "fused" });
}

for (const { label, config, batch, h } of subjects) {
  Deno.test(`the gradient of the ${label} is that of finite differences`, async () => {
    const bytes = await shaken(config, batch);
    const gradient = await gradientOf(await loadPolicy(bytes), batch);
    const middle = await loss(await loadPolicy(bytes), batch);
    const named = decodeTensors(bytes).tensors.filter(({ name }) => name !== "keys");
    const places = await placesOf(config, batch, named.map(({ name }) => name));
    let largest = 0;
    for (const { name, values } of named) {
      for (let i = 0; i < values.length; i += Math.ceil(values.length / 6)) {
        const slopes = await Promise.all([-h, h].map(async (by) => {
          const value = await loss(await moved(bytes, name, i, by), batch);
          return (value - middle) / by;
        }));
        const exact = gradient[places.get(name)! + i];
        largest = Math.max(largest, Math.abs(exact));
        // A rectifier may bend on one side; the mean of both sides is of second order.
        const candidates = [...slopes, (slopes[0] + slopes[1]) / 2];
        const error = Math.min(...candidates.map((slope) => Math.abs(slope - exact)));
        assert.ok(error < h * (2 + Math.abs(exact)), `${name}[${i}]: ${exact}, ${slopes}`);
      }
    }
    assert.ok(largest > 0.1);
  });
}

/** Where each tensor begins in the flat vector of the optimiser. */
async function placesOf(
  config: PolicyConfig,
  batch: Batch,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (config.kind === "table") return new Map([["rows", 0]]);
  const { NetworkPolicy } = await import("../../src/gfn/policies/network_policy.ts");
  const policy = await createPolicy(config, batch.environment, "places");
  assert.ok(policy instanceof NetworkPolicy);
  let offset = 0;
  const places = new Map(
    policy.network.tensors().map(({ name, values }) => {
      offset += values.length;
      return [name, offset - values.length];
    }),
  );
  assert.deepEqual([...places.keys()].sort(), [...names].sort());
  return places;
}

for (const { label, config, batch } of subjects.slice(1)) {
  Deno.test(`gradients of the ${label} on own kernels are those of the cpu backend`, async () => {
    const bytes = await shaken(config, batch);
    const [cpu, fused] = await Promise.all((["cpu", "fused"] as const).map(
      async (backend: PolicyBackend) => {
        const policy = await loadPolicy(bytes, { backend });
        assert.equal(policy.backend, backend);
        return await gradientOf(policy, batch);
      },
    ));
    const scale = Array.from(cpu).reduce((max, g) => Math.max(max, Math.abs(g)), 0);
    assert.ok(scale > 0.1);
    for (let i = 0; i < cpu.length; i++) {
      assert.ok(Math.abs(cpu[i] - fused[i]) < 1e-5 * scale, `${i}: ${cpu[i]} ${fused[i]}`);
    }
  });
}
