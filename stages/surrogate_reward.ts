/** Stage kind `surrogate_reward`: log rewards of trajectories by a surrogate; nothing is executed. */
import { z } from "../src/base/zod.ts";
import { defineStage } from "../src/pipeline/contract/mod.ts";
import { port, ports } from "./ports/mod.ts";

export default defineStage({
  kind: "surrogate_reward",
  version: 1,
  description: "Gives trajectories the log rewards of a surrogate, so that training costs nothing.",
  params: z.strictObject({
    states: z.enum(["terminable", "terminal"]).default("terminable")
      .describe(
        "rewarded states: every complete prefix, which exact flows need, or final states alone",
      ),
  }),
  inputs: {
    trajectories: port(ports.trajectories, "whose rewards are guessed"),
    surrogate: port(ports.surrogate, "the surrogate of their rewards; exact where one was scored"),
  },
  outputs: { log_reward: port(ports.log_reward, "log rewards, marked as guesses") },
  async run(
    context,
    { trajectories: { environment, trajectories, shown }, surrogate: given },
    { states },
  ) {
    const { terminablePrefixes } = await import("../src/gfn/environments/mod.ts");
    const { inputError } = await import("../src/base/diagnostic.ts");
    const { surrogate } = given;
    if (shown !== undefined) {
      const message =
        `Cannot reward answers to prompt "${shown}": it shows values of the response, ` +
        "and a surrogate does not say by which rows it judges";
      const hint = "reward them by an informed target: sandbox_execute and judge";
      throw inputError("target/informed", message, undefined, hint);
    }
    if (given.environment.digest !== environment.digest) {
      const message =
        `Cannot reward trajectories of this ${environment.kind}: the surrogate is of ` +
        "another environment";
      const hint = "wire sample and surrogate to the same environment";
      throw inputError("surrogate/environment", message, undefined, hint);
    }
    const ends = trajectories.map(({ actions }) => {
      const all = terminablePrefixes(environment, actions).map(({ object }) => object);
      return states === "terminable" ? all : all.slice(-1);
    });
    const objects = new Map(ends.flat().map((object) => [object.text, object]));
    const logRewards = surrogate.logRewards([...objects.values()]);
    const byText = new Map([...objects.keys()].map((text, i) => [text, logRewards[i]]));
    const { floor } = surrogate.json;
    const values = ends.map((own) => {
      return Float64Array.from(own, ({ text }) => Math.max(floor, byText.get(text)!));
    });
    const last = values.map((own) => own[own.length - 1]);
    const mean = last.reduce((sum, one) => sum + one, 0) / Math.max(1, last.length);
    context.metric("mean_log_reward", mean);
    return { log_reward: { values, guessed: { by: "a surrogate", evaluations: surrogate.size } } };
  },
});
