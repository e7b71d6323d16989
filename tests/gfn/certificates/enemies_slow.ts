/** Plants of an author who has read how certificates work are bounded where no list is given, and never above the truth. */
import assert from "node:assert/strict";
import { enemies, furtherEnemies } from "./enemies.ts";
import { tryPlant } from "./trial.ts";

const tried = [
  "a random half at 11 %, just above what is thin",
  "every second object missing, as on a board",
  "the target read from the other end",
];

Deno.test("faults beside what is there are bounded, and no bound is above the truth", async () => {
  const plants = [...enemies(), ...furtherEnemies()]
    .filter(({ space, what }) => space.name.startsWith("strings") && tried.includes(what));
  assert.equal(plants.length, tried.length);
  for (const plant of plants) {
    const { certificate, truth } = await tryPlant(plant, { seed: 1, listed: false });
    const { value } = certificate.bounds.totalVariation;
    assert.equal(certificate.verdict, "bounded", plant.what);
    assert.ok(value >= 0.8 * truth.totalVariation, `${plant.what}: ${value}`);
    assert.ok(value <= truth.totalVariation, `${plant.what}: ${value}`);
  }
});
