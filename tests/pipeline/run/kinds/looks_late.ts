/** Reads a walk, waits, and counts its steps: a stage that runs ahead in a loop. */
import { z } from "zod";
import { defineStage, type StageContext } from "../../../../src/pipeline/contract/stage.ts";
import { number, walk } from "./ports.ts";

/** Milliseconds of a step: a later one may be done first. */
const wait = (longest: number, { step }: StageContext) =>
  new Promise((resolve) => setTimeout(resolve, longest * (step * 7 % 5) / 4));

export default defineStage({
  kind: "looks_late",
  version: 1,
  description: "Gives a hundredth of the place of a walk, some time later.",
  params: z.strictObject({ milliseconds: z.number().default(0), remembers: z.boolean() }),
  inputs: { walk },
  outputs: { place: number },
  open({ milliseconds, remembers }) {
    let looks = 0;
    return {
      async run(context, inputs) {
        await wait(milliseconds, context);
        if (remembers) looks++;
        context.metric("looks", looks);
        context.metric("behind", context.behind);
        context.metric("seen", inputs.walk.at);
        context.log(`looked`, "warning");
        return { place: inputs.walk.at / 100 };
      },
      ...(remembers && {
        save: () => Promise.resolve(new TextEncoder().encode(JSON.stringify(looks))),
        load: (bytes: Uint8Array) => {
          looks = JSON.parse(new TextDecoder().decode(bytes));
          return Promise.resolve();
        },
      }),
    };
  },
});
