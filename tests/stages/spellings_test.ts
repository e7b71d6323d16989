/** Spellings of one model are executed once, and get the same bits, whatever their priors. */
import assert from "node:assert/strict";
import { sha256 } from "../../src/base/digest.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { grammarEnvironment } from "../../src/gfn/grammar/environment.ts";
import { elpdLooJudge, logPriorJudge } from "../../src/engine/score/judges/reward.ts";
import { defaultSchedule } from "../../src/engine/score/execution/execution.ts";
import type { StageContext } from "../../src/pipeline/contract/stage.ts";
import { standingExecutions } from "../../stages/common/execute_objects.ts";
import { RewardsAsked } from "../../stages/common/rewards_asked.ts";
import { spellingsOf } from "../../stages/common/spellings.ts";
import { scoreEveryObject } from "../../stages/evaluation/enumerated.ts";
import type { ProgramTarget } from "../../stages/ports/values.ts";
import { grammarWith, production } from "../gfn/grammar/nested/kernel_grammar.ts";
import { fakeContext, scored, threeAnimals } from "./fixtures.ts";

const spelled = { class: "partial" };

/** Two models: one program, and one in three spellings whose weights differ. */
function fourPrograms(): Environment {
  const productions = [
    production("none", "0"),
    ...["1", "2", "3"].map((text, i) => ({
      ...production(`s${text}`, text, spelled),
      weight: i + 1,
    })),
  ];
  const hole = { name: "x", type: "expression", productions } as const;
  return grammarEnvironment(grammarWith([hole])) as Environment;
}

function targetOf(environment: Environment): ProgramTarget {
  const terms = [{ judge: elpdLooJudge, weight: 1 }, { judge: logPriorJudge, weight: 1 }];
  return {
    ...{ environment, dataset: threeAnimals(), executor: "native", schedule: defaultSchedule },
    terms: terms.map(({ judge, weight }) => ({ judge: judge.name, version: 1, weight })),
    rule: { terms, failure: { logReward: -40 } },
    nullElpd: -30,
  };
}

/** Scores differ from program to program; those of `broken` have none. */
function counting(broken: readonly string[] = []) {
  const asked: string[] = [];
  const failed = { ...scored(0), status: "rejected", score: undefined } as const;
  const told = fakeContext();
  const execute = (request: { readonly programs: readonly string[] }) => {
    asked.push(...request.programs.map((text) => text.trim()));
    return Promise.resolve(request.programs.map((text) => {
      return broken.includes(text.trim()) ? failed : scored(0 - Number(text.trim().slice(-1)));
    }));
  };
  return { context: { ...told, execute } as unknown as StageContext, asked, told: told.told };
}

Deno.test("of the spellings of a model the first is executed, for all of them", async () => {
  const environment = fourPrograms();
  const objects = [...environment.enumerate()];
  const { context, asked, told } = counting();
  const found = await standingExecutions(context, targetOf(environment), objects.toReversed());
  assert.deepEqual(asked.toSorted(), ["k = 0", "k = 1"]);
  assert.deepEqual(found.map(({ execution }) => execution.score?.elpdLoo), [-1, -1, -1, 0]);
  const [[table, rows]] = told.tables;
  assert.equal(table, "program");
  const [, first, second, third] = objects.map(({ text }) => sha256(text));
  assert.deepEqual(rows.map(({ sha256, scored_as }) => [sha256, scored_as]), [
    [third, first],
    [second, first],
  ]);
});

Deno.test("training and counting give two spellings rewards that differ by their priors alone", async () => {
  const environment = fourPrograms();
  const objects = [...environment.enumerate()];
  const target = targetOf(environment);
  const [one, other] = [counting(), counting()];
  const trained = await new RewardsAsked(one.context, { environment, target }, "training")
    .ofAll([objects[3], objects[1]]);
  assert.deepEqual(one.asked, ["k = 1"]);
  const prior = (i: number) => objects[i].logPrior;
  assert.deepEqual(trained, [-1 + prior(3), -1 + prior(1)]);
  const counted = await scoreEveryObject(other.context, objects, { environment, target });
  assert.deepEqual(other.asked, ["k = 0", "k = 1"]);
  assert.deepEqual([counted.logReward[3], counted.logReward[1]], trained);
});

Deno.test("where the first spelling has no score the next stands for it", async () => {
  const environment = fourPrograms();
  const objects = [...environment.enumerate()];
  const { context, asked } = counting(["k = 1"]);
  const found = await standingExecutions(context, targetOf(environment), [objects[1], objects[3]]);
  assert.deepEqual(asked, ["k = 1", "k = 2"]);
  assert.deepEqual(found.map(({ object }) => object.text.trim()), ["k = 2", "k = 2"]);
  const all = counting(["k = 1", "k = 2", "k = 3"]);
  const none = await standingExecutions(all.context, targetOf(environment), [objects[2]]);
  assert.deepEqual(all.asked, ["k = 1", "k = 2", "k = 3"]);
  assert.equal(none[0].execution.score, undefined);
});

Deno.test("a grammar without classes is not listed", () => {
  const hole = { name: "x", type: "expression", productions: [production("a", "a")] } as const;
  const environment = grammarEnvironment(grammarWith([hole])) as Environment;
  const unlisted = { ...environment, enumerate: () => assert.fail("it was listed") };
  assert.equal(spellingsOf(unlisted), undefined);
});
