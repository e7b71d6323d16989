/** Texts of a column fit their width, and those that differ look different. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { columnTexts } from "../../../src/pipeline/store/column_texts.ts";

Deno.test("short texts stay, long ones are cut at their end", () => {
  assert.deepEqual(columnTexts(["short", "0123456789"], 8), ["short", "0123456…"]);
});

Deno.test("lines that several long texts share at the beginning are left out", () => {
  const head = "import pymc as pm\n\nwith pm.Model():\n    ";
  const texts = [`${head}a = 1\n    b = 2`, `${head}a = 3\n    b = 2`, "short"];
  assert.deepEqual(columnTexts(texts, 14), ["…⏎a = 1⏎b = 2", "…⏎a = 3⏎b = 2", "short"]);
});

Deno.test("equal texts, and lines that differ from the first on, keep their beginning", () => {
  const same = columnTexts(["one\ntwo three", "one\ntwo three"], 8);
  assert.deepEqual(same, ["one⏎two…", "one⏎two…"]);
  const other = columnTexts(["one\ntwo three", "six\ntwo three"], 8);
  assert.deepEqual(other, ["one⏎two…", "six⏎two…"]);
});

Deno.test("a text that another one continues is not lost", () => {
  const texts = ["first line\nsecond", "first line\nsecond and more"];
  assert.deepEqual(columnTexts(texts, 12), ["…⏎second", "…⏎second an…"]);
});

Deno.test("no text is wider than asked, or has a line break", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "\n", " ", "é") });
  fc.assert(fc.property(fc.array(text), fc.integer({ min: 2, max: 20 }), (texts, width) => {
    for (const line of columnTexts(texts, width)) {
      assert([...line].length <= width && !line.includes("\n"));
    }
  }));
});
