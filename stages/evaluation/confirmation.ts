/** Scores the likeliest programs once on the rows that a target keeps from rewards and choices. */
import { aboutConfirmation, confirmationOf, type ConfirmedProgram } from "../../src/answers/mod.ts";
import { confirmingDataset } from "../../src/data/holdout.ts";
import type { Execution } from "../../src/engine/score/execution/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { executePrograms } from "../common/execute_programs.ts";
import type { ProgramTarget } from "../ports/values.ts";
import { heldBy, likeliestOf, type ScoredProgram } from "./effects.ts";

/**
 * Has the programs that hold most of the target scored on the rows that confirm, and writes an event of kind
 * `confirmation` with what they promised and what came of it. Nothing, where the target keeps no rows.
 */
export async function describeConfirmation(
  context: StageContext,
  target: ProgramTarget,
  scored: readonly ScoredProgram[],
): Promise<void> {
  if (!target.dataset.confirm || scored.length === 0) return;
  const chosen = likeliestOf(scored);
  const { literals: _, evidence: __, ...schedule } = target.schedule;
  const dataset = confirmingDataset(target.dataset);
  const executions = await executePrograms(context, { ...target, dataset, schedule }, {
    programs: chosen.map(({ object }) => object.text),
    purpose: "check",
  });
  const told = chosen.flatMap(({ logReward, object }, i) => {
    const scores = scoresOf(executions[i]);
    return scores ? [{ object, logReward, program: { ...scores, logWeight: logReward } }] : [];
  });
  context.rows("event", [
    told[0]?.object === chosen[0].object
      ? confirmed(context, told.map(({ program }) => program), heldBy(told, scored))
      : notConfirmed(context, executions[0]),
  ]);
}

function scoresOf({ score }: Execution): Omit<ConfirmedProgram, "logWeight"> | undefined {
  if (!score?.holdoutPointwise) return undefined;
  const promised = score.rewardPointwise ?? score.elpdPointwise;
  return { promised, confirmed: score.holdoutPointwise };
}

function confirmed(context: StageContext, programs: readonly ConfirmedProgram[], share: number) {
  const detail = confirmationOf(programs, share);
  const message = aboutConfirmation(detail);
  context.log(message);
  return { level: "info", kind: "confirmation", message, detail };
}

function notConfirmed(context: StageContext, { diagnostics }: Execution) {
  const why = diagnostics.at(-1)?.message ??
    "it is tied to the rows that it was fitted to";
  const message =
    `The withheld rows confirm nothing: the likeliest program cannot predict them (${why})`;
  context.log(message, "warning");
  return { level: "warning", kind: "confirmation", message };
}
