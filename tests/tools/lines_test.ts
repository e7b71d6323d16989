/** Plants growth beyond a budget, a wing without a budget, and a budget without a reason. */
import assert from "node:assert/strict";
import { type Budget, budgetFaults } from "../../tools/lines/budget.ts";
import { sizesAt, sizesOf, total } from "../../tools/lines/count.ts";

const budget: Budget = {
  "src/gfn": { lines: 1_200, files: 2, for: "walks" },
  stages: { lines: 300, files: 1, for: "kinds" },
};

function faultsOf(counted: readonly string[], own = budget): string[] {
  return budgetFaults(sizesOf(counted), own);
}

const within = ["src/gfn/a.ts:1000", "src/gfn/deep/b.ts:200", "stages/x/stage.ts:300"];

Deno.test("wings within their budgets have no fault", () => {
  assert.deepEqual(faultsOf(within), []);
});

Deno.test("a line or a file above the budget is red, with its figure", () => {
  assert.deepEqual(faultsOf([...within, "src/gfn/c.ts:1"]), [
    "src/gfn: 1,201 lines, the budget is 1,200: take away, or raise the budget and say for what in tools/lines/budget.json",
    "src/gfn: 3 files, the budget is 2: take away, or raise the budget and say for what in tools/lines/budget.json",
  ]);
});

Deno.test("a wing without a budget is red, and a budget without a wing", () => {
  assert.match(faultsOf([...within, "src/new/a.ts:1"]).join(), /^src\/new: no budget/);
  assert.match(faultsOf(within.slice(0, 2)).join(), /^stages: the budget names it/);
});

Deno.test("a budget without a reason is red", () => {
  const bare = { ...budget, stages: { lines: 400, files: 1, for: "" } };
  assert.match(faultsOf(within, bare).join(), /^stages: its budget gives no reason/);
});

Deno.test("libraries of the engine count apart, its own door too, at a commit as in the tree", async () => {
  const counted = [
    "HEAD:src/engine/loo/a.ts:3",
    "HEAD:src/engine/mod.ts:4",
    "HEAD:stages/mod.ts:5",
  ];
  assert.deepEqual(sizesOf(counted), {
    "src/engine": { lines: 4, files: 1 },
    "src/engine/loo": { lines: 3, files: 1 },
    stages: { lines: 5, files: 1 },
  });
  assert.deepEqual(total(sizesOf(counted)), { lines: 12, files: 3 });
  for (const commit of ["HEAD", undefined]) {
    assert(total(await sizesAt(commit) ?? {}).lines > 10_000);
  }
  assert.equal(await sizesAt("no-such-commit"), undefined);
});
