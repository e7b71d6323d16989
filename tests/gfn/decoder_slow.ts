/** The decoder's hand-written backward pass against finite differences of its forward pass. */
import assert from "node:assert/strict";
import { RandomStream } from "../../src/base/random.ts";
import { fillNormal } from "../../src/numerics/math/random_normal.ts";
import { DecoderNetwork } from "../../src/gfn/tensor/decoder_network.ts";
import type { HostTensor } from "../../src/gfn/parameters/parameter_layout.ts";

const shape = { layers: 2, width: 8, heads: 2, outputs: 5 };
const [B, T] = [3, 4];

function normals(name: string, size: number, deviation: number): Float32Array {
  const values = new Float64Array(size);
  fillNormal(new RandomStream("decoder", name), values);
  return Float32Array.from(values, (z) => deviation * z);
}

function tensor(name: string, dimensions: number[], deviation = 0.4): HostTensor {
  const size = dimensions.reduce((product, n) => product * n, 1);
  const values = normals(name, size, deviation);
  return {
    name,
    shape: dimensions,
    values: name.endsWith("norm") ? values.map((x) => 1 + x) : values,
  };
}

const d = shape.width;
const weights = [
  ...[0, 1].flatMap((i) => [
    tensor(`layers.${i}.attention_norm`, [d]),
    tensor(`layers.${i}.query_key_value`, [d, 3 * d]),
    tensor(`layers.${i}.attention_out`, [d, d]),
    tensor(`layers.${i}.mlp_norm`, [d]),
    tensor(`layers.${i}.mlp_in`, [d, 4 * d]),
    tensor(`layers.${i}.mlp_out`, [4 * d, d]),
  ]),
  tensor("final_norm", [d]),
  tensor("head", [d, shape.outputs]),
  tensor("head_bias", [shape.outputs]),
];

const embedded = normals("embedded", B * T * d, 1);
const force = normals("force", B * T * shape.outputs, 1);

/** Σ force · values, summed in f64. */
async function loss(network: DecoderNetwork, input: Float32Array): Promise<number> {
  const { values } = await network.forward(input, B, T, false);
  return values.reduce((sum, value, i) => sum + value * force[i], 0);
}

/** Slopes to the left and to the right of entry `i` of `values`: a ReLU may bend on one side. */
async function slopes(values: Float32Array, i: number, evaluate: () => Promise<number>) {
  const [original, h] = [values[i], 2e-3];
  const middle = await evaluate();
  const both: number[] = [];
  for (const step of [-h, h]) {
    values[i] = original + step;
    both.push((await evaluate() - middle) / (values[i] - original));
    values[i] = original;
  }
  return both;
}

for (const backend of ["cpu", "wasm"] as const) {
  Deno.test(`the decoder's gradients on ${backend} are those of finite differences`, async () => {
    const network = await DecoderNetwork.open(backend, shape);
    network.upload(weights);
    const { kept } = await network.forward(embedded, B, T, true);
    const gradients = await network.backward(kept!, force);
    const inputs = [...weights, { name: "embedded", shape: [B * T, d], values: embedded }];
    assert.deepEqual([...gradients.keys()].sort(), inputs.map((t) => t.name).sort());
    for (const { name, values } of inputs) {
      const gradient = gradients.get(name)!;
      assert.equal(gradient.length, values.length);
      for (let i = 0; i < values.length; i += Math.ceil(values.length / 7)) {
        const numeric = await slopes(values, i, () => {
          network.upload(weights);
          return loss(network, embedded);
        });
        const error = Math.min(...numeric.map((slope) => Math.abs(slope - gradient[i])));
        const tolerance = 0.02 * Math.abs(gradient[i]) + 0.03; // f32 and a step of 0.002
        assert.ok(error < tolerance, `${name}[${i}]: ${gradient[i]}, differences ${numeric}`);
      }
    }
    network.dispose();
  });
}

Deno.test("no position of the decoder sees a later one", async () => {
  const network = await DecoderNetwork.open("wasm", shape);
  network.upload(weights);
  const before = (await network.forward(embedded, B, T, false)).values;
  const changed = embedded.slice();
  changed.fill(9, 2 * d, 3 * d); // row 0, position 2
  const after = (await network.forward(changed, B, T, false)).values;
  const position = (t: number) => [t * shape.outputs, (t + 1) * shape.outputs] as const;
  assert.deepEqual(after.subarray(0, 2 * shape.outputs), before.subarray(0, 2 * shape.outputs));
  assert.notDeepEqual(after.subarray(...position(2)), before.subarray(...position(2)));
  assert.notDeepEqual(after.subarray(...position(3)), before.subarray(...position(3)));
  assert.deepEqual(after.subarray(T * shape.outputs), before.subarray(T * shape.outputs));
  network.dispose();
});
