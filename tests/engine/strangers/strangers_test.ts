/** Programs in the styles of forums, courses and other packages are read, or refused by a rule that they break. */
import assert from "node:assert/strict";
import { faultsOf, strangers } from "./score_strangers.ts";

/** Programs that a rule refuses, with the one message that says so. */
const refused: Readonly<Record<string, RegExp>> = {
  "careers: three words become two": /Cannot observe a value computed from the response/,
  "ratings: raters in a hierarchy, words by astype": /Cannot observe a value computed from/,
  "plants: one species is left out of the model":
    /^Cannot leave rows out: the condition holds in 40/,
  "lifetimes: censored from above": /^Cannot use "time" here/,
};

for (const stranger of strangers()) {
  Deno.test(`${stranger.title}: read, or refused once`, async () => {
    const found = await faultsOf(stranger);
    const rule = refused[stranger.title];
    assert.equal(found.length, rule ? 1 : 0, JSON.stringify(found));
    if (rule) assert.match(found[0].message, rule);
  });
}
