/** Stage kind `grammar`: an environment whose every derivation is a PyMC program. */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { port, ports } from "../ports/mod.ts";
import { filePath } from "../../src/pipeline/contract/path_param.ts";
import { defineStage } from "../../src/pipeline/contract/stage.ts";

export default defineStage({
  kind: "grammar",
  version: 1,
  description: "Reads a weighted grammar; every derivation is a PyMC program.",
  params: z.strictObject({ path: filePath().describe("the grammar, a TOML file") }),
  inputs: {},
  outputs: { environment: port(ports.environment, "the environment that the grammar spans") },
  async run(context, _inputs, { path }) {
    const { parseTomlFile } = await import("../../src/pipeline/toml/parse.ts");
    const { readGrammar } = await import("../../src/gfn/grammar/read.ts");
    const { grammarEnvironment } = await import("../../src/gfn/grammar/environment.ts");
    const document = parseTomlFile(await readFile(path, "utf8"), path);
    const { checkEveryProgram } = await import("./check_programs.ts");
    const spec = readGrammar(document, path);
    const environment: Environment = grammarEnvironment(spec);
    for (const { message } of checkEveryProgram(spec, environment)) context.log(message, "warning");
    context.log(
      `${environment.actionNames.length} actions, at most ${environment.maxActions} each`,
    );
    return { environment };
  },
});
