/** Networks whose products a library computes: against own kernels, and what happens without one. */
import assert from "node:assert/strict";
import { RandomStream } from "../../src/base/random.ts";
import { makeBatch } from "../../src/gfn/trajectories/batch.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { hypergridEnvironment } from "../../src/gfn/environments/hypergrid.ts";
import type { Blas, Operand } from "../../src/numerics/blas/blas.ts";
import { coreFor, coreRemark } from "../../src/numerics/blas/blas_core.ts";
import {
  blasCandidates,
  type OpenLibrary,
  searchBlas,
} from "../../src/numerics/blas/blas_library.ts";
import { selfTest } from "../../src/gfn/kernels/self_test.ts";
import { Machine } from "../../src/gfn/kernels/machine.ts";
import { EngineNetwork, type NetworkPlan } from "../../src/gfn/policies/engine_network.ts";
import { kernelsAround, ownKernels } from "../../src/gfn/policies/fused.ts";
import { fusedTransformer } from "../../src/gfn/policies/fused_decoder.ts";
import { fusedMlp } from "../../src/gfn/policies/fused_mlp.ts";
import { mlpLayout } from "../../src/gfn/policies/mlp_layout.ts";
import { layout } from "../../src/gfn/policies/transformer_layout.ts";
import type { Kernels } from "../../src/gfn/policies/fused.ts";
import type { Batch } from "../../src/gfn/trajectories/trajectory.ts";
import { gather, initialise, type Slot } from "../../src/gfn/parameters/parameter_layout.ts";
import { wholeTree } from "./tree_batch.ts";
import { mixedTree } from "./tree_environment.ts";

/** The contract of a library, in plain code. */
const plain: Blas = {
  name: "plain code",
  multiply(memory, { rows, columns, depth, a, b, c, accumulate }) {
    const numbers = new Float32Array(memory);
    const at = ({ address, stride, transposed }: Operand, i: number, j: number) =>
      numbers[address / 4 + (transposed ? j * stride + i : i * stride + j)];
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) {
        const place = c.address / 4 + i * c.stride + j;
        let sum = accumulate ? numbers[place] : 0;
        for (let k = 0; k < depth; k++) sum += at(a, i, k) * at(b, k, j);
        numbers[place] = sum;
      }
    }
  },
};

const byPlain = kernelsAround({ blas: plain });
const grid = hypergridEnvironment({ ndim: 2, height: 5, r0: 1, r1: 1, r2: 0 }) as Environment;
const tree = wholeTree(mixedTree());
const transformer = {
  layers: 2,
  width: 16,
  heads: 2,
  actions: tree.environment.actionNames.length,
  positions: tree.environment.maxActions,
};
const mlp = {
  layers: 2,
  width: 12,
  activation: "leaky_relu" as const,
  actions: grid.actionNames.length,
  backward: 2,
  inputs: grid.features!.size,
};

function gridBatch(): Batch {
  const walks = [[0, 1, 0, 1, 2], [1, 1, 0, 0, 2], [2], [0, 2], [1, 0, 2]];
  return makeBatch(grid, walks.map((actions) => ({ actions })));
}

/** Outputs of a batch, parameters after two steps, and what a sampling session says. */
async function course<K>(plan: NetworkPlan<K>, slots: readonly Slot[], batch: Batch) {
  const first = initialise(slots, "blas").map((x, i) => x + 0.05 * Math.sign((i % 7) - 3));
  const network = await EngineNetwork.open(plan, Float32Array.from(first));
  const random = new RandomStream("forces");
  const optimiser = network.optimiser();
  let values = new Float32Array();
  for (let step = 0; step < 2; step++) {
    const { values: now, kept } = await network.engine.forward(batch, true);
    values = Float32Array.from(now);
    const force = Float64Array.from({ length: now.length }, () => 2 * random.uniform() - 1);
    await network.engine.backward(kept!, force);
    optimiser.step({ learningRate: 0.01, clipNorm: Infinity });
    network.parametersChanged();
  }
  return { values, parameters: gather(slots, network.tensors()), computes: network.computes };
}

function assertNear(found: Float32Array, wanted: Float32Array): void {
  assert.equal(found.length, wanted.length);
  const worst = found.findIndex((x, i) => !(Math.abs(x - wanted[i]) < 1e-4));
  assert.equal(worst, -1, `number ${worst}: ${found[worst]}, ${wanted[worst]}`);
}

const subjects: readonly (readonly [
  string,
  (kernels: Kernels) => NetworkPlan<never>,
  readonly Slot[],
  () => Batch,
])[] = [
  [
    "transformer",
    (kernels) => fusedTransformer(transformer, kernels) as NetworkPlan<never>,
    layout(transformer),
    () => tree,
  ],
  ["mlp", (kernels) => fusedMlp(mlp, kernels) as NetworkPlan<never>, mlpLayout(mlp), gridBatch],
];

for (const [name, plan, slots, batch] of subjects) {
  Deno.test(`a ${name} with a library's products computes what own kernels compute`, async () => {
    const own = await course(plan(ownKernels()), slots, batch());
    const library = await course(plan(byPlain), slots, batch());
    assertNear(library.values, own.values);
    assertNear(library.parameters, own.parameters);
    assert.ok(own.values.some((x) => Math.abs(x) > 0.1));
    assert.equal(library.computes, "blas: own kernels, products by plain code, one thread");
  });
}

Deno.test("a library is proved before it is used, and own kernels stand in for a wrong one", () => {
  assert.equal(selfTest(() => new Machine(plain)), "");
  const multiply: Blas["multiply"] = (memory, product) =>
    plain.multiply(memory, { ...product, accumulate: false });
  const forgetful = kernelsAround({ blas: { name: "forgetful", multiply } });
  assert.equal(forgetful.backend, "fused");
  assert.match(forgetful.computes, /^fused: .*, instead of blas: forgetful: wrong results of /);
});

const nothing = {} as ReturnType<OpenLibrary>;

Deno.test("without a library the search says so and how to get one", () => {
  const open: OpenLibrary = () => {
    throw new Error("no such file");
  };
  for (const found of [searchBlas(["a", "b"], open), searchBlas(["a"], () => nothing)]) {
    assert.match(
      "problem" in found ? found.problem : "",
      /found; see `deno task sluice install blas`$/,
    );
    assert.match(kernelsAround(found).computes, /^fused: .*, instead of blas: neither/);
  }
  const refused: OpenLibrary = () => {
    throw new Deno.errors.NotCapable("no");
  };
  assert.deepEqual(searchBlas(["a"], refused), { problem: "it may not load libraries" });
});

Deno.test("libraries are told to use one thread, whatever prefix their functions have", () => {
  for (const prefix of ["", "scipy_"]) {
    const threads: number[] = [];
    const symbols = {
      [`${prefix}cblas_sgemm`]: () => {},
      [`${prefix}openblas_set_num_threads`]: (count: number) => threads.push(count),
    } as unknown as ReturnType<OpenLibrary>;
    const found = searchBlas(["missing", "libsome.so"], (path) => {
      if (path === "missing") throw new Error(path);
      return symbols;
    });
    assert.equal("blas" in found && found.blas.name, "BLAS in libsome.so");
    assert.deepEqual(threads, [1]);
  }
});

Deno.test("every system has candidates, and the installed one is among them", () => {
  for (const os of ["linux", "darwin", "windows"] as const) {
    assert.ok(blasCandidates(os).some((path) => path.includes(".sluice/blas/")), os);
  }
});

Deno.test("new processors get new kernels, and old kernels there are remarked on", () => {
  const wide = "avx2 fma avx512f avx512dq avx512bw avx512vl";
  assert.equal(coreFor(wide), "SkylakeX");
  assert.equal(coreFor("avx2 fma avx512f"), "Haswell");
  assert.equal(coreFor(""), undefined);
  assert.equal(coreRemark("Prescott", "Haswell"), " (slow here: set OPENBLAS_CORETYPE=Haswell)");
  assert.equal(coreRemark("Zen", "Haswell"), "");
  assert.equal(coreRemark("Prescott", undefined), "");
});
