/** Lines of a stream: put together from pieces, of letters too. */
import assert from "node:assert/strict";
import { linesOf } from "../../src/base/lines_of.ts";

/** Lines of bytes that come one by one. */
function byBytes(bytes: Iterable<number>): Promise<string[]> {
  const stream = ReadableStream.from([...bytes].map((byte) => Uint8Array.of(byte)));
  return Array.fromAsync(linesOf(stream as ReadableStream<Uint8Array>));
}

Deno.test("lines of a stream are put together from pieces", async () => {
  const lines = await byBytes(new TextEncoder().encode("one\ntwo é\n\nthree"));
  assert.deepEqual(lines, ["one", "two é", "", "three"]);
  assert.deepEqual(await byBytes([]), []);
});

Deno.test("a letter that is cut off at the end is shown as such", async () => {
  assert.deepEqual(await byBytes([0x61, 0x0a, 0xc3]), ["a", "\ufffd"]);
});
