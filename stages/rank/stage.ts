/** Runs the stage kind `rank`: executes the models of a space in the order of their prior. */
import { inputError } from "../../src/base/diagnostic.ts";
import { defineStage } from "../../src/pipeline/contract/mod.ts";
import declaration from "./mod.ts";

export default defineStage({
  ...declaration,
  async run(context, inputs, { at_most, executions, seconds, searched }) {
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
    await new Ranking(context, target, space).run({ executions, seconds });
    return {};
  },
});

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
