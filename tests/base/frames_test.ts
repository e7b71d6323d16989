/** Tests of the frame codec: round trips in any chunking, and every breach of the protocol. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeFrame, FrameReader, FrameWriter } from "../../src/base/frames.ts";
import type { FrameRead } from "../../src/base/frames.ts";

const caps = { json: 1 << 16, payload: 1 << 16 };

function streamOf(bytes: Uint8Array, chunk = 7): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + chunk));
      at += chunk;
    },
  });
}

async function readAll(bytes: Uint8Array, chunk = 7): Promise<FrameRead[]> {
  const reader = new FrameReader(streamOf(bytes, chunk), caps);
  const found: FrameRead[] = [];
  for (;;) {
    const read = await reader.read();
    found.push(read);
    if (read.kind !== "frame") return found;
  }
}

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

const frameArbitrary = fc.record({
  json: fc.jsonValue(),
  payload: fc.option(fc.uint8Array({ maxLength: 50 }), { nil: undefined }),
});

Deno.test("frames survive any chunking of the stream", async () => {
  const property = fc.asyncProperty(
    fc.array(frameArbitrary, { maxLength: 4 }),
    fc.integer({ min: 1, max: 60 }),
    async (frames, chunk) => {
      const bytes = concat(frames.map((f) => encodeFrame(f.json, f.payload)));
      const reads = await readAll(bytes, chunk);
      assert.equal(reads.at(-1)?.kind, "end");
      const found = reads.slice(0, -1).map((read) => read.kind === "frame" && read.frame);
      assert.deepEqual(found, frames.map(plain));
    },
  );
  await fc.assert(property, { numRuns: 200 });
});

function plain({ json, payload }: { json: unknown; payload: Uint8Array | undefined }): unknown {
  const value: unknown = JSON.parse(JSON.stringify(json));
  return payload === undefined ? { json: value } : { json: value, payload };
}

Deno.test("every proper prefix of a stream ends in a fault or at a frame's edge", async () => {
  const frames = [encodeFrame({ a: "é" }), encodeFrame([1, 2], new Uint8Array([0, 255]))];
  const bytes = concat(frames);
  for (let length = 0; length < bytes.length; length++) {
    const last = (await readAll(bytes.slice(0, length), 5)).at(-1);
    const edge = length === 0 || length === frames[0].length;
    assert.equal(last?.kind, edge ? "end" : "fault", `prefix of ${length} bytes`);
  }
});

Deno.test("random bytes end in a fault or an end, never in a throw", async () => {
  const digits = fc.constantFrom(...ascii("0123456789,\n{}[]"));
  const bytes = fc.array(fc.oneof(digits, fc.nat(255)), { maxLength: 80 });
  const property = fc.asyncProperty(bytes, async (values) => {
    const reads = await readAll(new Uint8Array(values), 11);
    assert.ok(["end", "fault"].includes(reads.at(-1)!.kind));
    assert.ok(reads.length - 1 <= values.length / 3, "a frame takes at least three bytes");
  });
  await fc.assert(property, { numRuns: 300 });
});

const faults: readonly (readonly [string, string, string])[] = [
  ["a word for a length", "hello\n", "header"],
  ["a leading zero", '07\n{"a":1}', "header"],
  ["a sign", "+2\n{}", "header"],
  ["a space", " 2\n{}", "header"],
  ["a carriage return", "2\r\n{}", "header"],
  ["an empty header", "\n{}", "header"],
  ["a header without end", "1".repeat(200), "header"],
  ["a number beyond 2^53", "99999999999999999\n", "header"],
  ["a frame over the cap", "70000\n{}", "over_cap"],
  ["a payload over the cap", "2,70000\n{}", "over_cap"],
  ["a short body", "9\n{}", "truncated"],
  ["a short payload", "2,3\n{}ab", "truncated"],
  ["bytes that are no JSON", "2\n{]", "invalid_json"],
  ["an empty text", "0\n", "invalid_json"],
];

for (const [what, text, fault] of faults) {
  Deno.test(`${what} is the fault ${fault}`, async () => {
    const [read] = await readAll(ascii(text), 3);
    assert.equal(read.kind === "fault" && read.fault, fault);
  });
}

Deno.test("bytes that are no UTF-8 are the fault invalid_json", async () => {
  const [read] = await readAll(new Uint8Array([0x33, 0x0a, 0x22, 0xff, 0x22]));
  assert.equal(read.kind === "fault" && read.fault, "invalid_json");
});

Deno.test("a fault is final: the reader repeats it", async () => {
  const reader = new FrameReader(streamOf(ascii("x\n2\n{}")), caps);
  const first = await reader.read();
  assert.deepEqual(await reader.read(), first);
  assert.deepEqual(await reader.readEnd(), first);
});

Deno.test("readEnd() tells a clean end from trailing bytes", async () => {
  const clean = new FrameReader(streamOf(encodeFrame(1)), caps);
  await clean.read();
  assert.deepEqual(await clean.readEnd(), { kind: "end" });
  const dirty = new FrameReader(streamOf(concat([encodeFrame(1), ascii("!")])), caps);
  await dirty.read();
  const end = await dirty.readEnd();
  assert.equal(end.kind === "fault" && end.fault, "trailing");
});

Deno.test("a writer says false when the other end is gone", async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  await readable.cancel();
  assert.equal(await new FrameWriter(writable).write({}), false);
});
