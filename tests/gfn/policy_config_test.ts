/** Policy configurations and files that are wrong, and what is said about them. */
import assert from "node:assert/strict";
import { RandomStream } from "../../src/base/random.ts";
import { InputError, MissingPartError } from "../../src/base/diagnostic.ts";
import type { Policy } from "../../src/gfn/policies/policy.ts";
import { decodeTensors, encodeTensors } from "../../src/base/safetensors.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { hypergridEnvironment } from "../../src/gfn/environments/hypergrid.ts";
import type { PolicyConfig } from "../../src/gfn/policies/create_policy.ts";
import { kernelLine } from "../../src/gfn/policies/fused.ts";
import {
  createPolicy,
  loadPolicy,
  parsePolicyConfig,
} from "../../src/gfn/policies/create_policy.ts";
import { mixedTree, threeLeaves } from "./tree_environment.ts";
import { wholeTree } from "./tree_batch.ts";

function findings(value: Record<string, unknown>): (string | undefined)[][] {
  try {
    parsePolicyConfig(value);
  } catch (error) {
    if (error instanceof InputError) return error.diagnostics.map((d) => [d.message, d.hint]);
  }
  return [];
}

Deno.test("every finding on a policy's configuration is reported with its mend", () => {
  assert.deepEqual(findings({ kind: "transformer", layers: 2, backend: "wasm" }), []);
  assert.deepEqual(findings({ kind: "transformer", layer: 2, width: 6.5, backend: "cuda" }), [
    [
      'Cannot read policy: unknown key "layer"',
      'did you mean "layers"? known keys: kind, layers, width, heads, backend, frozen',
    ],
    ["Cannot read policy: width is 6.5", "write an integer of 4 or more"],
    [
      'Cannot read policy: backend is "cuda"',
      'write one of "fused", "blas", "cpu", "wasm", "webgpu", "tensorflow"',
    ],
  ]);
  assert.deepEqual(findings({ kind: "transformer", width: 10 }), [
    ["Cannot read policy: width 10 is not a multiple of heads 4: change one of them", undefined],
  ]);
  assert.deepEqual(findings({ kind: "lstm" }), [
    [
      'Cannot read policy: kind is "lstm"',
      'write one of "amortised", "language_model", "mlp", "table", "tinker", "transformer"',
    ],
  ]);
  assert.deepEqual(findings({ kind: "mlp", activation: "tanh", backward: "both" }), [
    ['Cannot read policy: activation is "tanh"', 'write "relu" or "leaky_relu"'],
    ['Cannot read policy: backward is "both"', 'write "uniform" or "learned"'],
  ]);
});

Deno.test("a policy that cannot walk an environment is refused with a way out", async () => {
  const grid = hypergridEnvironment({ ndim: 2, height: 3, r0: 1, r1: 0, r2: 0 }) as Environment;
  const refusals: readonly (readonly [PolicyConfig, Environment, RegExp])[] = [
    [{ kind: "transformer" }, grid, /several ways lead to one of its states/],
    [{ kind: "mlp" }, mixedTree() as Environment, /describes no features/],
    [{ kind: "table", backward: "learned" }, mixedTree() as Environment, /it is a tree/],
  ];
  for (const [config, environment, message] of refusals) {
    await assert.rejects(createPolicy(config, environment, "refused"), (error) => {
      assert.ok(error instanceof InputError);
      assert.match(error.diagnostics[0].message, message);
      assert.ok(error.diagnostics[0].hint);
      return true;
    });
  }
});

Deno.test("a shape that own kernels do not cover falls back, and says so", async () => {
  const config = { kind: "transformer", width: 6, heads: 3, layers: 1 } as const;
  const policy = await createPolicy(config, threeLeaves(), "odd");
  assert.equal(policy.backend, "wasm");
  assert.match(policy.computes, /instead of fused: the size of a head is not a multiple of 4/);
  policy.dispose();
  const usual = await createPolicy({ kind: "transformer" }, threeLeaves(), "usual");
  assert.match(usual.computes, /^fused: own WebAssembly kernels/);
});

Deno.test("bytes that are not a policy are refused", async () => {
  await assert.rejects(loadPolicy(encodeTensors([], { format: "other" })), /not sluice_policy_2/);
});

Deno.test("a file whose tensors are not those of its shape is refused, and both sizes are said", async () => {
  const config = { kind: "transformer", width: 8, heads: 2, layers: 1 } as const;
  const policy = await createPolicy(config, threeLeaves(), "misfit");
  const { tensors, metadata } = decodeTensors(await policy.save());
  policy.dispose();
  const shorter = tensors.map((one) =>
    one.name === "head" ? { ...one, shape: [8], values: one.values.slice(0, 8) } : one
  );
  const missing = tensors.filter(({ name }) => name !== "head");
  for (
    const [wrong, said] of [[shorter, /"head" has 8 numbers, its shape wants 40/], [
      missing,
      /"head" is missing/,
    ]] as const
  ) {
    await assert.rejects(loadPolicy(encodeTensors(wrong, metadata)), (error) => {
      return error instanceof InputError && said.test(error.message);
    });
  }
});

Deno.test("a native backend that is not installed is a missing part with a remedy", async () => {
  const config = { kind: "transformer", backend: "tensorflow" } as const;
  await assert.rejects(createPolicy(config, mixedTree(), "native"), (error) => {
    assert.ok(error instanceof MissingPartError);
    assert.match(error.message, /tfjs-node-gpu/);
    assert.match(error.remedy, /sluice install tensorflow/);
    return true;
  });
});

Deno.test("a saved policy tells its configuration and environment, but not its backend", async () => {
  const config = { kind: "transformer", width: 8, heads: 2, layers: 1, backend: "cpu" } as const;
  const policy = await createPolicy(config, threeLeaves(), "header");
  const text = new TextDecoder("latin1").decode(await policy.save());
  assert.ok(text.includes(threeLeaves().digest));
  assert.ok(text.includes('\\"width\\":8'));
  assert.ok(!text.includes("cpu"));
  policy.dispose();
});

Deno.test("a policy refuses an environment of another shape, and says where they differ", async () => {
  const spec = { ndim: 2, height: 3, r0: 1, r1: 0, r2: 0 };
  const grid = (height: number, ndim = 2) =>
    hypergridEnvironment({ ...spec, height, ndim }) as Environment;
  const mlp = await createPolicy({ kind: "mlp", width: 8, backward: "learned" }, grid(3), "shape");
  const table = await createPolicy({ kind: "table" }, threeLeaves(), "shape");
  const refusals: readonly (readonly [Policy, Environment, RegExp])[] = [
    [table, grid(3), /4 actions instead of 3, at most 2 steps instead of 5/],
    [mlp, grid(4), /at most 5 steps instead of 7, 6 features instead of 8/],
    [mlp, grid(2, 3), /3 actions instead of 4, 2 backward actions instead of 3/],
  ];
  for (const [policy, environment, message] of refusals) {
    const options = { count: 1, random: new RandomStream("shape"), epsilon: 0, temperature: 1 };
    await assert.rejects(policy.sample(environment, options), (error) => {
      assert.ok(error instanceof InputError);
      assert.match(error.diagnostics[0].message, message);
      return true;
    });
  }
  await assert.rejects(table.score(wholeTree(mixedTree()), { grad: false }), InputError);
});

Deno.test("a kernel that computes wrongly is named where its replacement is announced", () => {
  const line = kernelLine("fused", "wrong results of adam");
  assert.equal(line, "wasm: TensorFlow.js, stock kernels, instead of fused: wrong results of adam");
  assert.equal(kernelLine("fused"), "fused: own WebAssembly kernels, one thread");
  assert.equal(kernelLine("webgpu"), "webgpu: TensorFlow.js, stock kernels");
});
