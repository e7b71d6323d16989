/** Every attempt at a door, by whoever would like it open: what comes of it is what may. */
import assert from "node:assert/strict";
import { outcomeOf } from "./attack.ts";
import { doors } from "./doors.ts";

Deno.test("doors are tried, each by several", () => {
  for (const { door, attacks } of doors) assert.ok(attacks.length >= 3, door);
});

for (const { door, attacks } of doors) {
  for (const attack of attacks) {
    Deno.test(`${door}: ${attack.name}`, async () => {
      assert.match(await outcomeOf(attack), attack.holds);
    });
  }
}
