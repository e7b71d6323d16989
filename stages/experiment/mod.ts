/** Stage kind `experiment`: a theory whose rows may be asked for, from a file. */
import { z } from "../../src/base/zod.ts";
import { declareStage, filePath, modulePath } from "../../src/pipeline/contract/mod.ts";
import { port, ports } from "../ports/mod.ts";

export default declareStage({
  kind: "experiment",
  version: 1,
  description: "Reads an experiment, and tests whether its simulator and its density agree.",
  params: z.strictObject({
    path: filePath().optional().describe("the experiment, a TOML file"),
    module: modulePath().optional()
      .describe("instead of path: a module made with defineExperiment"),
    calibration: z.int().min(0).max(10_000).default(200)
      .describe("simulated transcripts by which simulator and density are compared; 0 for none"),
  }).refine(({ path, module }) => (path === undefined) !== (module === undefined), {
    message: "wanted path or module, one of them",
  }),
  inputs: {},
  checks: true,
  outputs: { experiment: port(ports.experiment, "the experiment") },
  uses: ["world"],
});
