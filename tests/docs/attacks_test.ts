/** The page of attacks says what the tables of attacks hold, and none of them is open. */
import assert from "node:assert/strict";
import { attackPage } from "../../tools/attack_page.ts";
import { read } from "./markdown.ts";

/** A page without what its formatting adds. */
const plain = (text: string) => text.replace(/[-\s]+/g, " ").trim();

Deno.test("bench/results/attacks.md is the summary of the tables of attacks", () => {
  assert.equal(plain(read("bench/results/attacks.md")), plain(attackPage()));
});

Deno.test("no attempt of the tables is open or overpaid", () => {
  for (const name of ["doors", "further"]) {
    assert.doesNotMatch(read(`bench/results/attacks/${name}.csv`), /,(OPEN|OVERPAID)$/m);
  }
});
