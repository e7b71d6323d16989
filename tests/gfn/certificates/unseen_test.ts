/** Unscored objects, which a certificate cannot exclude: counted exactly under every verdict. */
import assert from "node:assert/strict";
import { Allowance, ScoredObjects } from "../../../src/gfn/certificates/scored_objects.ts";
import { unseenOf, unseenSet } from "../../../src/gfn/certificates/unseen.ts";
import type { TerminalObject } from "../../../src/gfn/environments/environment.ts";
import { equalWords } from "./equal_words.ts";

const environment = equalWords();
const objects = [...environment.enumerate()];
const ask = (some: readonly TerminalObject[]) => Promise.resolve(some.map(() => 0));

Deno.test("what nobody scored is told by its prior, and counted where objects are listed", async () => {
  const scored = new ScoredObjects(ask);
  await scored.ask(objects.slice(0, 1024), new Allowance(1024));
  const explored = { name: "a", consultsPolicy: false, samples: true, evaluations: 0 };
  const explorations = [59, undefined].map((draws) => {
    return { ...explored, found: new Map(), groups: [], ...(draws && { priorDraws: draws }) };
  });
  const unseen = unseenOf(explorations, scored, objects);
  assert.ok(Math.abs(unseen.prior - 0.75) < 1e-12);
  assert.deepEqual([unseen.objects, unseen.of, unseen.draws], [3072, 4096, 59]);
  assert.ok(Math.abs(0.05 - (1 - unseen.set) ** 59) < 1e-12);
  await scored.ask(objects, new Allowance(4096));
  assert.deepEqual([unseenOf(explorations, scored, objects).prior, unseenSet(0)], [0, 1]);
});

Deno.test("a draw counts only where there was room before it was drawn", () => {
  const allowance = new Allowance(3);
  const walks = [{ fromPrior: true }, { fromPrior: false }, { fromPrior: true }, {}];
  allowance.countPrior(walks, 3);
  assert.equal(allowance.priorDraws, 0);
  allowance.countPrior(walks, 4);
  assert.equal(allowance.priorDraws, 2);
});
