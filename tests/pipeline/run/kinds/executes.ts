/** Has one program executed and gives its score. */
import { z } from "zod";
import { datasetToJson, makeDataset } from "../../../../src/base/dataset.ts";
import { defineStage } from "../../../../src/pipeline/contract/stage.ts";
import {
  defaultSchedule,
  type Execution,
} from "../../../../src/engine/score/execution/execution.ts";
import { number } from "./ports.ts";

export default defineStage({
  kind: "executes",
  version: 1,
  description: "Has one program executed.",
  params: z.strictObject({ program: z.string() }),
  inputs: {},
  outputs: { score: number },
  uses: ["executor"],
  async run(context, _inputs, { program }) {
    const values = Float64Array.of(1, 2);
    const y = { name: "y", role: "response", type: "real", values, resolution: 0.1 } as const;
    const dataset = datasetToJson(makeDataset("toy", [y]));
    const request = { programs: [program], dataset, executor: "native", schedule: defaultSchedule };
    const [execution] = await context.execute<Execution>(request);
    return { score: execution.score!.elpdLoo };
  },
});
