/** Rows of the tables `program`, `trajectory` and `judgement`. */
import { sha256 } from "../../src/base/digest.ts";
import type { TerminalObject, Trajectory } from "../../src/gfn/environments/mod.ts";
import type { Row, StageContext } from "../../src/pipeline/contract/mod.ts";
import type { Judgement } from "../../src/engine/score/judges/mod.ts";
import type { Target } from "../ports/values.ts";
import { stalenessOf } from "./staleness.ts";

/** A program and its log prior. */
export function programRow({ text, logPrior }: TerminalObject): Row {
  return { sha256: sha256(text), text, log_prior: logPrior };
}

/** One sampled trajectory; `trajectory_id` is (step, index). */
export function trajectoryRow(
  context: Pick<StageContext, "step">,
  trajectory: Trajectory,
  index: number,
  logReward: number | undefined,
  replayed = false,
): Row {
  return {
    staleness: stalenessOf(context, trajectory),
    idx: index,
    tokens: trajectory.actions,
    length: trajectory.actions.length,
    program: sha256(trajectory.text),
    log_pf: trajectory.logPf,
    log_pb: trajectory.logPb,
    log_prior: trajectory.logPrior,
    log_reward: logReward ?? null,
    replayed,
    ...(trajectory.prompt?.id && { prompt: trajectory.prompt.id }),
  };
}

/** One row per judge of the target. */
export function judgementRows(
  { terms = [] }: Pick<Target, "terms">,
  { text }: Trajectory,
  index: number,
  judgement: Judgement,
): Row[] {
  return terms.map(({ judge, version }) => ({
    idx: index,
    program: sha256(text),
    judge,
    version: String(version),
    score: judgement.components[judge],
    components: componentsOf(judge, judgement),
  }));
}

/** A judge's own components, without its name before them. */
function componentsOf(judge: string, { components, failed, raised }: Judgement): Row {
  const prefix = `${judge}.`;
  const own = Object.entries(components).filter(([name]) => name.startsWith(prefix));
  const named = Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value]));
  return { ...named, failed, raised };
}
