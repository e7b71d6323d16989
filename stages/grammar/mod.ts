/** Stage kind `grammar`: an environment whose every derivation is a PyMC program. */
import { z } from "../../src/base/zod.ts";
import { optionalPort, port, ports } from "../ports/mod.ts";
import { filePath } from "../../src/pipeline/contract/path_param.ts";
import { declareStage } from "../../src/pipeline/contract/stage.ts";

export default declareStage({
  kind: "grammar",
  version: 1,
  description: "Reads a weighted grammar; every derivation is a PyMC program, or a text.",
  params: z.strictObject({ path: filePath().describe("the grammar, a TOML file") }),
  inputs: { data: optionalPort(ports.dataset, "what its programs are checked on") },
  checks: true,
  outputs: { environment: port(ports.environment, "the environment that the grammar spans") },
});
