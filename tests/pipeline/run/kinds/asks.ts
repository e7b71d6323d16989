/** Asks a service twice with the same table, and gives the sum of its answers. */
import { z } from "zod";
import { defineStage } from "../../../../src/pipeline/contract/stage.ts";
import { number } from "./ports.ts";

export default defineStage({
  kind: "asks",
  version: 1,
  description: "Asks a service.",
  params: z.strictObject({ service: z.string().default("oracle") }),
  inputs: {},
  outputs: { sum: number },
  uses: ["oracle"],
  async run(context, _inputs, { service }) {
    const table = { a: 1, b: -Infinity };
    const ask = (key: string) => context.ask<number>(service, { key, table: { ...table } });
    return { sum: await ask("a") + Math.exp(await ask("b")) };
  },
});
