/** Every attempt at a door has the outcome that it may have. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { outcomeOf } from "./attack.ts";
import { doors } from "./doors.ts";

Deno.test("every door of this folder is in the table", () => {
  const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
  const names = readdirSync(new URL(".", import.meta.url));
  const files = names.filter((name) => /^export const \w+: Door\b/m.test(read(name)));
  assert.equal(files.length, doors.length);
  for (const name of files) assert.ok(read("doors.ts").includes(`"./${name}"`), name);
});

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
