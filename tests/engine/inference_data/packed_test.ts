/** Tests of InferenceData as bytes: round trips, and bytes that are no InferenceData. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import {
  packInferenceData,
  unpackInferenceData,
} from "../../../src/engine/score/inference_data/packed.ts";
import { sampleProgram } from "../../../src/engine/score/sample_program.ts";
import { zarrFiles } from "../../../src/engine/score/inference_data/zarr.ts";

const values = Float64Array.of(1.2, 0.7, 1.9, 1.1, 0.4, 1.6);
const dataset = makeDataset("six", [{ name: "y", role: "response", type: "real", values }]);
const text = `import pymc as pm

with pm.Model() as model:
    mu = pm.Normal("mu", 0, 2)
    pm.Normal("y", mu=mu, sigma=0.5, observed=data["y"])
`;
const data = sampleProgram(text, dataset).data!;

Deno.test("what is unpacked makes the same store to the byte", () => {
  const there = zarrFiles(unpackInferenceData(packInferenceData(data))!);
  assert.deepEqual([...there], [...zarrFiles(data)]);
});

Deno.test("bytes that are cut, grown or changed in their head are none", () => {
  const packed = packInferenceData(data);
  const grown = new Uint8Array(packed.length + 8);
  grown.set(packed);
  const broken = [
    new Uint8Array(0),
    packed.slice(0, packed.length - 8),
    grown,
    ...["[4,125]", '"f8"', '"posterior"', '"variables"'].map((found) => changed(packed, found)),
  ];
  for (const [i, bytes] of broken.entries()) {
    assert.equal(unpackInferenceData(bytes), undefined, `${i}`);
  }
});

/** The bytes with one byte of this text in the head turned into a brace. */
function changed(packed: Uint8Array, found: string): Uint8Array {
  const out = packed.slice();
  const at = new TextDecoder("latin1").decode(out).indexOf(found);
  assert.ok(at > 0, found);
  out[at] = "{".charCodeAt(0);
  return out;
}
