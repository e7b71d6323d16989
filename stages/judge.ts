/** Stage kind `judge`: turns executions into log rewards by the target's judges. */
import { z } from "zod";
import { port, ports } from "../src/ports/mod.ts";
import { judgementRows, trajectoryRow } from "../src/ports/trajectory_rows.ts";
import { defineStage } from "../src/runner/stage.ts";
import { logRewardOf } from "../src/score/reward.ts";

export default defineStage({
  kind: "judge",
  version: 1,
  description: "Turns executions into log rewards by the target's judges and its failure rule.",
  params: z.strictObject({}),
  inputs: {
    executions: port(ports.executions, "what was executed"),
    target: port(ports.target, "its judges and failure rule"),
  },
  outputs: { log_reward: port(ports.log_reward, "one log reward per complete prefix") },
  run(context, { executions, target }) {
    const judged = executions.states.map((states) =>
      states.map(({ object, execution }) =>
        logRewardOf(target.rule, execution, object, target.dataset)
      )
    );
    const values = judged.map((row) => Float64Array.from(row, (one) => one.logReward));
    const ends = judged.map((row) => row[row.length - 1]);
    const fresh = executions.trajectories;
    context.rows("trajectory", fresh.map((one, i) => trajectoryRow(one, i, ends[i].logReward)));
    context.rows("judgement", fresh.flatMap((one, i) => judgementRows(target, one, i, ends[i])));
    context.metric("mean_log_reward", mean(ends.map((one) => one.logReward)));
    context.metric("failed", ends.filter((one) => one.failed).length);
    context.metric("raised", ends.filter((one) => one.raised).length);
    return Promise.resolve({ log_reward: { values } });
  },
});

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
