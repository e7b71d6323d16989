/** Counting within a budget: reckoned in objects, and what would be enough is said. */
import assert from "node:assert/strict";
import { grammarEnvironment } from "../../src/gfn/grammar/environment.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import { countBudget } from "../../stages/evaluate_kl/count_budget.ts";
import declaration from "../../stages/evaluate_kl/mod.ts";
import { Evaluator } from "../../stages/evaluate_kl/evaluator.ts";
import { mixedTree } from "../gfn/tree_environment.ts";
import { kernels } from "../gfn/grammar/nested/kernel_grammar.ts";
import { fakeContext } from "./fixtures.ts";

Deno.test("programs are counted at 60 a second, what states its reward at 10,000", () => {
  assert.equal(countBudget(250_000, { seconds: 600 }, true).limit, 36_000);
  assert.equal(countBudget(250_000, { seconds: 600 }, false).limit, 250_000);
  assert.equal(countBudget(250_000, { seconds: 10, per_second: 7 }, true).limit, 70);
});

Deno.test("a refusal says what would be enough, for any number of objects", () => {
  const { depth: _, ...endless } = kernels(1, 4);
  const messageOf = (spec: Parameters<typeof grammarEnvironment>[0], most = 250_000) =>
    countBudget(most, { seconds: 600 }, true).refusal(grammarEnvironment(spec)).message;
  assert.equal(
    messageOf(kernels(3, 4)),
    "147,563 objects exceed the limit (count.seconds = 600 at 60 a second are 36,000): divergences are estimated; " +
      "to count all, set count.seconds = 2460: 41 minutes",
  );
  assert.match(
    messageOf(kernels(3, 4), 1_000),
    /\(enumerate_at_most = 1000\).* enumerate_at_most = 147563: /,
  );
  assert.match(messageOf(endless), /e\+\d\d objects exceed the limit .* years$/);
});

Deno.test("what is beyond the budget is estimated, and an event says so", async () => {
  const environment = mixedTree();
  const policy = await createPolicy({ kind: "table" }, environment, "fresh");
  const params = declaration.params.parse({ count: { seconds: 2, per_second: 1 } });
  const context = fakeContext({ step: 1 });
  const trained = { policy, trajectories: 0, distinctEvaluations: 0 };
  await new Evaluator(params).run(context, { policy: trained, environment });
  const [[, [row]]] = context.told.tables.filter(([table]) => table === "event");
  assert.equal(row.kind, "count_budget");
  assert.equal((row.detail as Record<string, number>).limit, 2);
});

Deno.test("a budget of less than one object is refused", () => {
  const read = () => declaration.params.parse({ count: { seconds: 0.5, per_second: 1 } });
  assert.throws(read, /a budget of at least one object/);
});
