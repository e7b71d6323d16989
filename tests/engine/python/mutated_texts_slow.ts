/** 100,000 mutated texts: CPython accepts each one that the parser accepts, with the same tree. */
import assert from "node:assert/strict";
import { compareTexts } from "./fuzzed_texts.ts";

const golden = new URL("../../golden/python_fuzz_long.json", import.meta.url);

Deno.test("of 100,000 mutated texts the parser accepts only what CPython does, with its tree", () => {
  const { accepted, outside } = compareTexts(JSON.parse(Deno.readTextFileSync(golden)));
  assert.ok(
    accepted > 10_000 && outside < accepted / 50,
    `${accepted} accepted, ${outside} outside`,
  );
});
