/** Programs of an author who was shown the response are rewarded by rows that were shown to no author. */
import assert from "node:assert/strict";
import { InputError } from "../../src/base/diagnostic.ts";
import { dugongs } from "../engine/density/data.ts";
import { withholdRows } from "../../src/data/holdout.ts";
import { builtInJudges } from "../../src/engine/score/judges/built_in_judges.ts";
import { authorOf, requireUnseenRows } from "../../stages/target/author.ts";

const judges = (...names: readonly string[]) => names.map((name) => builtInJudges.get(name)!);
const split = withholdRows(dugongs(0.01), { share: 0.2 });

function refusal(run: () => void): { readonly message: string; readonly hint?: string } {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof InputError);
    return error.diagnostics[0];
  }
  assert.fail("nothing was refused");
}

Deno.test("a grammar is blind, an environment of one's own is not known to be", () => {
  assert.equal(authorOf(undefined, { kind: "grammar", spec: null }), "blind");
  assert.equal(authorOf(undefined, { kind: "custom", spec: null }), "informed");
  assert.equal(authorOf("blind", { kind: "custom", spec: null }), "blind");
  assert.equal(authorOf("informed", { kind: "grammar", spec: null }), "informed");
});

Deno.test("an informed author is rewarded by withheld rows only", () => {
  requireUnseenRows("blind", judges("elpd_loo", "log_prior"), dugongs());
  requireUnseenRows("informed", judges("elpd_holdout", "log_prior"), split);
  const byLoo = refusal(() => requireUnseenRows("informed", judges("elpd_loo"), split));
  assert.match(byLoo.message, /Cannot reward by elpd_loo: .* \(author = "informed"\)/);
  assert.match(
    byLoo.hint!,
    /write \{ judge = "elpd_holdout" \} in log_reward; or author = "blind"/,
  );
});

Deno.test("without withheld rows the lines to add are named", () => {
  const both = refusal(() => requireUnseenRows("informed", judges("elpd_loo"), dugongs()));
  assert.match(both.hint!, /"elpd_holdout" \} in log_reward, and holdout = \{ share = 0\.2 \}/);
  const one = refusal(() => requireUnseenRows("informed", judges("elpd_holdout"), dugongs()));
  assert.match(one.message, /Cannot reward the programs/);
  assert.match(one.hint!, /^write holdout = /);
});
