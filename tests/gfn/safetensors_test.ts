/** Safetensors: round trips, canonical bytes, refusal of broken files. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { decodeTensors, encodeTensors } from "../../src/base/safetensors.ts";
import type { NamedTensor } from "../../src/base/safetensors.ts";

const values = fc.oneof(
  fc.float32Array({ maxLength: 9 }),
  fc.float64Array({ maxLength: 9 }),
  fc.int32Array({ maxLength: 9 }),
);

const tensors = fc.uniqueArray(
  fc.record({ name: fc.stringMatching(/^[a-z.0-9]{1,8}$/), values }),
  { selector: (tensor) => tensor.name, maxLength: 5 },
).map((list) =>
  list.map(({ name, values }): NamedTensor => ({ name, shape: [values.length], values }))
);

Deno.test("what is written is read back, bit for bit", () => {
  fc.assert(
    fc.property(tensors, fc.dictionary(fc.stringMatching(/^[a-z]+$/), fc.string()), (list, m) => {
      const file = decodeTensors(encodeTensors(list, m));
      assert.deepEqual(file.tensors, [...list].sort((a, b) => a.name < b.name ? -1 : 1));
      assert.deepEqual(file.metadata, Object.fromEntries(Object.entries(m)));
    }),
  );
});

Deno.test("the order of tensors and metadata does not change the bytes", () => {
  fc.assert(fc.property(tensors, (list) => {
    const forward = encodeTensors(list, { a: "1", b: "2" });
    assert.deepEqual(encodeTensors(list.toReversed(), { b: "2", a: "1" }), forward);
  }));
});

Deno.test("the layout is that of the format: length, padded header, data", () => {
  const bytes = encodeTensors([{ name: "w", shape: [1, 2], values: Float32Array.of(1, 2) }], {});
  const length = new DataView(bytes.buffer).getUint32(0, true);
  assert.equal(length % 8, 0);
  assert.deepEqual(JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length))), {
    __metadata__: {},
    w: { dtype: "F32", shape: [1, 2], data_offsets: [0, 8] },
  });
  assert.deepEqual([...bytes.subarray(8 + length)], [0, 0, 128, 63, 0, 0, 0, 64]);
});

Deno.test("a file is read from the middle of a Node buffer, too", () => {
  const bytes = encodeTensors([{ name: "w", shape: [2], values: Float64Array.of(1, 2) }], {});
  const buffer = Buffer.concat([Buffer.from("abc"), bytes]).subarray(3);
  assert.deepEqual([...decodeTensors(buffer).tensors[0].values], [1, 2]);
});

Deno.test("a file that is cut off or lies about its offsets is refused", () => {
  const bytes = encodeTensors([{ name: "w", shape: [2], values: Float32Array.of(1, 2) }], {});
  assert.throws(() => decodeTensors(bytes.subarray(0, 5)), /no whole header/);
  assert.throws(() => decodeTensors(bytes.subarray(0, 40)), /no whole header/);
  assert.throws(() => decodeTensors(bytes.subarray(0, bytes.length - 1)), /do not fit/);
  const text = new TextDecoder("latin1").decode(bytes).replace("[2]", "[3]");
  assert.throws(() => decodeTensors(Uint8Array.from(text, (c) => c.charCodeAt(0))), /do not fit/);
});
