/** Dotted paths: reading gives back what was written. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { formatPath, parsePath } from "../../../src/pipeline/toml/path.ts";

const part = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("steps", "a.b", "0", "007", '"', "'", "\\", "é", ""),
  fc.nat(),
);

Deno.test("parsePath() reads back every path that formatPath() writes", () => {
  fc.assert(fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (path) => {
    const read = parsePath(formatPath(path));
    assert.ok(read.kind === "path");
    assert.deepEqual(read.parts.map((p) => p.name), path);
  }));
});

Deno.test("parsePath() takes quotes of both kinds and spaces around dots", () => {
  const read = parsePath(`a . "b.c" . 'd"e'.2`);
  assert.ok(read.kind === "path");
  assert.deepEqual(read.parts.map((p) => p.name), ["a", "b.c", 'd"e', 2]);
  assert.deepEqual(read.parts.map((p) => p.start), [0, 4, 12, 18]);
});

Deno.test("parsePath() says where a path goes wrong", () => {
  const at = (text: string) => {
    const read = parsePath(text);
    return read.kind === "error" ? read.at : undefined;
  };
  assert.deepEqual(["", "a..b", "a.", "a b", '"a'].map(at), [0, 2, 2, 2, 0]);
});
