/** Stage kind `grammar`: an environment whose every derivation is a PyMC program. */
import { z } from "../../src/base/zod.ts";
import { optionalPort, port, ports } from "../ports/mod.ts";
import { declareStage, filePath } from "../../src/pipeline/contract/mod.ts";

export default declareStage({
  kind: "grammar",
  version: 1,
  description: "Reads a weighted grammar; every derivation is a PyMC program, or a text.",
  params: z.strictObject({
    path: filePath().describe("the grammar, a TOML file"),
    check_seconds: z.number().min(0.02).default(20)
      .describe(
        "time limit for checking programs, counted as 600 programs a second; a larger grammar is checked on a subset with every choice",
      ),
  }),
  inputs: { data: optionalPort(ports.dataset, "the data on which its programs are checked") },
  checks: true,
  outputs: { environment: port(ports.environment, "the environment that the grammar spans") },
  uses: ["executor"],
});
