/** Objects near the best known ones: new, distinct, near, and none where all are known. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { activeSurrogate } from "../../../src/gfn/baselines/active_surrogate.ts";
import { neighboursOf } from "../../../src/gfn/baselines/neighbours.ts";
import { BroadWalks } from "../../../src/gfn/certificates/broad_walks.ts";
import type { Environment, TerminalObject } from "../../../src/gfn/environments/environment.ts";
import {
  defaultRegressions,
  regressionsEnvironment,
} from "../../../src/gfn/environments/regressions.ts";
import { defaultSurrogate } from "../../../src/gfn/evaluation/surrogate/reward_surrogate.ts";

function spaceOf(terms: number) {
  const environment = regressionsEnvironment({ ...defaultRegressions, terms }) as Environment;
  return { environment, objects: [...environment.enumerate()] };
}

/** Terms in which two regressions differ. */
function apart(a: TerminalObject, b: TerminalObject): number {
  const [one, other] = [a, b].map(({ features }) => new Set(features));
  return one.symmetricDifference(other).size;
}

Deno.test("neighbours are new and distinct, and mostly a few terms from where they start", () => {
  const { environment, objects } = spaceOf(10);
  const random = new RandomStream("near");
  const base = new BroadWalks(environment, random);
  const best = objects[700];
  const found = neighboursOf(base, [{ object: best, logReward: 0 }], 40, random);
  assert.equal(found.length, 40);
  assert.equal(new Set([best, ...found].map(({ text }) => text)).size, 41);
  const distances = found.map((one) => apart(best, one)).sort((a, b) => a - b);
  const any = objects.slice(0, 200).map((one) => apart(best, one)).sort((a, b) => a - b);
  assert.ok(distances[20] < any[100], `${distances[20]} of ${any[100]}`);
});

Deno.test("the last new object is found, and none where all are known", () => {
  const { environment, objects } = spaceOf(5);
  const random = new RandomStream("all");
  const base = new BroadWalks(environment, random);
  const scored = objects.map((object) => ({ object, logReward: 0 }));
  assert.deepEqual(neighboursOf(base, scored, 5, random), []);
  const but = neighboursOf(base, scored.slice(1), 30, random);
  assert.deepEqual(but.map(({ text }) => text), [objects[0].text]);
});

Deno.test("a surrogate asks for nothing twice, up to its budget, to the last object of a space", async () => {
  const { environment, objects } = spaceOf(7);
  for (const budget of [90, 128, 500]) {
    const asked: string[] = [];
    await activeSurrogate({
      ...defaultSurrogate,
      ...{ environment, objects, budget, first: 30, growth: 0.4 },
      ask: (some) => {
        asked.push(...some.map(({ text }) => text));
        return Promise.resolve(some.map(({ logReward }) => logReward!));
      },
      random: new RandomStream("to the end"),
    });
    assert.equal(asked.length, Math.min(budget, 128));
    assert.equal(new Set(asked).size, asked.length);
  }
});
