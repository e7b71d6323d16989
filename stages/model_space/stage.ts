/** Runs the stage kind `model_space`: writes the grammar and checks its programs on the data. */
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { defineStage } from "../../src/pipeline/contract/stage.ts";
import declaration from "./mod.ts";

export default defineStage({
  ...declaration,
  async run(context, { data }, { formula, ...params }) {
    const { parseFormula } = await import("../../src/gfn/spaces/formula/parse.ts");
    const { regressionGrammar } = await import("../../src/gfn/spaces/regression/regression.ts");
    const { describeSpace } = await import("../../src/gfn/spaces/describe.ts");
    const { grammarEnvironment } = await import("../../src/gfn/grammar/environment.ts");
    const { checkGrammar } = await import("../../src/gfn/grammar/check.ts");
    const { checkAgainstData } = await import("../grammar/check_programs.ts");
    const spec = regressionGrammar(data, { formula: parseFormula(formula), ...params });
    checkGrammar(spec, () => undefined);
    const environment: Environment = grammarEnvironment(spec);
    checkAgainstData(environment, data);
    for (const message of describeSpace(spec, environment.count!)) {
      context.log(message);
      context.rows("event", [{ level: "info", kind: "model_space", message }]);
    }
    return { environment };
  },
});
