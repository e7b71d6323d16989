/** Each wrong program of the catalogue gets exactly the message that stands beside it. */
import assert from "node:assert/strict";
import { messageOf, readCases } from "./catalogue.ts";

const folder = new URL("./wrong/", import.meta.url);
const files = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
const all = files.flatMap((name) =>
  readCases(Deno.readTextFileSync(new URL(name, folder))).map((one) => ({ name, ...one }))
);

for (const name of files) {
  Deno.test(`messages of wrong/${name} are as accepted`, async (t) => {
    for (const one of all.filter((c) => c.name === name)) {
      await t.step(one.title, () => assert.equal(messageOf(one), one.message));
    }
  });
}

Deno.test("the catalogue has at least 150 wrong programs, each with another title", () => {
  assert.ok(all.length >= 150, `${all.length}`);
  assert.equal(new Set(all.map(({ title }) => title)).size, all.length);
});

Deno.test("each wrong program gets an error that a place belongs to", () => {
  for (const { title, message } of all) {
    const warned = title.startsWith("warning: ");
    assert.equal(message.split("\n")[0].endsWith("accepted"), warned, title);
    assert.match(message, /^program\.py:\d+:\d+: /m, title);
  }
});
