/** Stage kind `program_files`: an environment whose objects are programs that stand in files. */
import { z } from "../../src/base/zod.ts";
import { declareStage, filePath } from "../../src/pipeline/contract/mod.ts";
import { port, ports } from "../ports/mod.ts";

export default declareStage({
  kind: "program_files",
  version: 1,
  description: "Reads PyMC programs from files, with equal prior probabilities.",
  params: z.strictObject({
    paths: z.array(filePath()).min(1).describe("files of the programs, .py"),
  }),
  inputs: {},
  checks: true,
  outputs: { environment: port(ports.environment, "one object for each file") },
});
