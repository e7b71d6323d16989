/** Constants are charged where an author writes numbers that no prior weighs, and nowhere else. */
import assert from "node:assert/strict";
import { elpdLooJudge, literalsJudge, logPriorJudge } from "../../src/engine/score/judges/mod.ts";
import { elpdHoldoutJudge } from "../../src/engine/score/judges/elpd_holdout.ts";
import { chargeOf, withLiterals } from "../../stages/target/literals.ts";

const digits = Array.from({ length: 10 }, (_, d) => ({ text: `${d}` }));
const grammar = (name: string, productions: readonly { readonly text: string }[]) => ({
  kind: "grammar",
  spec: { name, holes: [{ name: "h", productions }] },
});
const [loo, prior] = [elpdLooJudge, logPriorJudge].map((judge) => ({ judge, weight: 1 }));
const charges = (
  asked: boolean | undefined,
  environment: Parameters<typeof withLiterals>[1],
  judges = [loo, prior],
) => withLiterals(asked, environment, judges).some(({ judge }) => judge === literalsJudge);

Deno.test("language models, files and environments of one's own are charged by default", () => {
  assert.ok(charges(undefined, { kind: "tokens", spec: { mask: "language" } }));
  assert.ok(charges(undefined, grammar("program_files", [])));
  assert.ok(charges(undefined, { kind: "custom", spec: {} }));
});

Deno.test("grammars are not, unless they spell digits that no prior weighs", () => {
  assert.ok(!charges(undefined, grammar("growth curves", [{ text: "log(x)" }])));
  assert.ok(!charges(undefined, grammar("waves", digits)));
  assert.ok(charges(undefined, grammar("waves", digits), [loo]));
  const trie = { kind: "tokens", spec: { mask: "trie" } };
  assert.ok(!charges(undefined, trie));
});

Deno.test("a target says otherwise, and a judge that is named is not added twice", () => {
  assert.ok(charges(true, grammar("growth curves", [])));
  assert.ok(!charges(false, grammar("program_files", [])));
  const named = [loo, { judge: literalsJudge, weight: 2 }];
  assert.deepEqual(withLiterals(true, grammar("growth curves", []), named), named);
});

Deno.test("withheld rows tell digits where they reward", () => {
  assert.deepEqual(chargeOf([loo]), {});
  const charge = { judge: literalsJudge, weight: 1 };
  assert.deepEqual(chargeOf([loo, charge]), { literals: "scored" });
  const holdout = { judge: elpdHoldoutJudge, weight: 1 };
  assert.deepEqual(chargeOf([holdout, charge]), { literals: "all" });
});
