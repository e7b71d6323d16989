/** The reward of the null program, and judges by name or path. */
import assert from "node:assert/strict";
import shortProgram from "../../docs/examples/short_program_judge.ts";
import { datasetToJson } from "../../src/base/dataset.ts";
import { InputError } from "../../src/base/diagnostic.ts";
import { resolveJudge } from "../../stages/judge/judges.ts";
import { nullReward } from "../../stages/target/null_reward.ts";
import { defaultSchedule, type Execution } from "../../src/engine/score/execution/execution.ts";
import { elpdLooJudge, logPriorJudge, nullProgram } from "../../src/engine/score/judges/reward.ts";
import { fakeContext, scored, threeAnimals } from "./fixtures.ts";

const data = threeAnimals();
const dataset = datasetToJson(data);
const request = { dataset, executor: "native", schedule: defaultSchedule };

Deno.test("the null program is judged by its execution, not by a prior that it does not have", async () => {
  const asked: string[] = [];
  const answer = (program: string) => (asked.push(program), scored(-20));
  const terms = [{ judge: elpdLooJudge, weight: 2 }, { judge: logPriorJudge, weight: 1 }];
  const reward = await nullReward(fakeContext({ answer }), request, terms, data);
  assert.deepEqual(reward, { logReward: -40, elpd: -20 });
  assert.deepEqual(asked, [nullProgram(data)]);
});

Deno.test("a null program that cannot be scored stops the target and says why", async () => {
  const diagnostic = { code: "x", severity: "error", message: "no finite start" } as const;
  const failed: Execution = {
    ...scored(0),
    status: "error",
    score: undefined,
    diagnostics: [diagnostic],
  };
  const context = fakeContext({ answer: () => failed });
  await assert.rejects(() => nullReward(context, request, [], data), {
    message: "Cannot score the null program, so no reward can be fixed: no finite start",
  });
});

Deno.test("data of too many rows for cross-validation are the user's to mend, and how is said", async () => {
  const hint = "score a sample of the rows";
  const diagnostic = { code: "budget/rows", severity: "error", message: "too many", hint } as const;
  const failed: Execution = {
    ...scored(0),
    status: "error",
    score: undefined,
    diagnostics: [diagnostic],
  };
  const context = fakeContext({ answer: () => failed });
  await assert.rejects(() => nullReward(context, request, [], data), (error) => {
    assert.ok(error instanceof InputError, `${error}`);
    assert.deepEqual(error.diagnostics.map((one) => one.hint), [hint]);
    return true;
  });
});

Deno.test("a judge is built in, or the default export of a module", () => {
  const context = fakeContext({
    plugins: { "/own/judge.ts": shortProgram, "/own/text.ts": "text" },
  });
  assert.equal(resolveJudge("elpd_loo", context), elpdLooJudge);
  assert.equal(resolveJudge("/own/judge.ts", context), shortProgram);
  for (const path of ["/own/text.ts", "/own/absent.ts"]) {
    assert.throws(() => resolveJudge(path, context), (error) => {
      assert.ok(error instanceof InputError);
      assert.equal(error.diagnostics[0].code, "plugin/judge");
      return true;
    });
  }
});
