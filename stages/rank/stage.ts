/** Runs the stage kind `rank`: executes the models of a space in the order of their prior. */
import { inputError } from "../../src/base/diagnostic.ts";
import { defineStage } from "../../src/pipeline/contract/mod.ts";
import { atParameter } from "../common/at_parameter.ts";
import type { CandidateSpace } from "../evaluation/candidates.ts";
import type { ProgramTarget } from "../ports/values.ts";
import declaration from "./mod.ts";

export default defineStage({
  ...declaration,
  async run(context, inputs, { at_most, executions, seconds, searched, policy }) {
    const { enumerateUpTo } = await import("../evaluation/enumerated.ts");
    const { candidatesOf, spaceEvent } = await import("../evaluation/candidates.ts");
    const { Ranking } = await import("./ranking.ts");
    const { requirePrograms } = await import("../common/require_programs.ts");
    const hint = "evaluate_kl counts what oracles reward";
    const target = requirePrograms(inputs.target, "rank programs", hint);
    const { environment } = target;
    if (!target.dataset) throw noPrograms();
    const objects = enumerateUpTo(environment, at_most);
    if (!objects) throw tooMany(environment.count, at_most);
    const space = candidatesOf(environment, objects);
    context.rows("event", [spaceEvent(space, target, searched)]);
    const answer = policy === undefined ? undefined : await answerOf(policy, target, space);
    if (answer) context.rows("event", [answer.event]);
    if (executions === 0 && answer) {
      if (!answer.likeness.isLike) throw (await import("./by_policy.ts")).unlike(answer);
      return {};
    }
    if (answer && !answer.likeness.isLike) {
      const why = answer.likeness.reasons.join("; ");
      context.log(`the policy is not used: ${why}`, "warning");
    }
    await new Ranking(context, target, space, answer).run({ executions, seconds });
    return {};
  },
});

/** A policy's answer about a target, and its event. */
async function answerOf(path: string, target: ProgramTarget, space: CandidateSpace) {
  const { policyAnswer, policyAt } = await import("../common/policy_answer.ts");
  const { policyEvent } = await import("./by_policy.ts");
  return await atParameter(["policy"], async () => {
    const answer = policyAnswer(await policyAt(path), target, space);
    return { ...answer, event: policyEvent(answer, path) };
  });
}

function noPrograms(): Error {
  const message = "Cannot score programs: the target rewards texts by oracles alone";
  return inputError("rank/texts", message, undefined, "wire a target with data and log_reward");
}

function tooMany(count: number | undefined, limit: number): Error {
  const many = count === undefined ? "more" : count.toLocaleString("en");
  const message = `Cannot score every program: there are ${many}, and at_most is ` +
    `${limit.toLocaleString("en")}`;
  const hint = "let a policy learn them: sluice run with a pipeline that trains; or ask fewer " +
    "questions at once";
  return inputError("rank/too-many", message, undefined, hint);
}
