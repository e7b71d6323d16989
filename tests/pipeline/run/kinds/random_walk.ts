/** One step of a random walk that remembers its momentum: state in the port and in the instance. */
import { z } from "zod";
import { defineStage } from "../../../../src/pipeline/contract/stage.ts";
import { number, walk } from "./ports.ts";

export default defineStage({
  kind: "random_walk",
  version: 1,
  description: "Moves a walk by a random step with momentum.",
  params: z.strictObject({ milliseconds: z.number().default(0) }),
  inputs: { walk, drift: { ...number, optional: true } },
  outputs: { walk },
  random: true,
  open({ milliseconds }) {
    let momentum = 0;
    return {
      async run(context, inputs) {
        if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds));
        const moved = inputs.walk;
        momentum = 0.5 * momentum + context.random("move").uniform() - 0.5 + (inputs.drift ?? 0);
        moved.at += momentum;
        context.metric("at", moved.at);
        context.progress({ at: moved.at });
        return { walk: moved };
      },
      save: () => Promise.resolve(new TextEncoder().encode(JSON.stringify(momentum))),
      load: (bytes) => {
        momentum = JSON.parse(new TextDecoder().decode(bytes));
        return Promise.resolve();
      },
    };
  },
});
