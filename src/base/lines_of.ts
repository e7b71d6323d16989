/** Lines of a stream of bytes, as they arrive. */

/**
 * The lines of UTF-8, without their ends; a last one that has no end is a line unless it is empty.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { linesOf } from "./lines_of.ts";
 * const lines = await Array.fromAsync(linesOf(new Blob(["one\n\ntwo"]).stream()));
 * assert.deepEqual(lines, ["one", "", "two"]);
 * ```
 *
 * @param longest Letters after which a line is split, so that one without end takes no
 * memory.
 */
export async function* linesOf(
  stream: ReadableStream<Uint8Array>,
  longest = Infinity,
): AsyncGenerator<string> {
  let pieces: string[] = [];
  let letters = 0;
  const decoder = new TextDecoder();
  for await (const bytes of stream) {
    const [first, ...rest] = decoder.decode(bytes, { stream: true }).split("\n");
    pieces.push(first);
    letters += first.length;
    for (const piece of rest) {
      yield pieces.join("");
      [pieces, letters] = [[piece], piece.length];
    }
    if (letters >= longest) {
      yield pieces.join("");
      [pieces, letters] = [[], 0];
    }
  }
  const last = pieces.join("") + decoder.decode();
  if (last !== "") yield last;
}
