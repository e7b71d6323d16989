/** Runs the stage kind `model_space`: writes the grammar and checks its programs on the data. */
import type { Environment } from "../../src/gfn/environments/mod.ts";
import type { GrammarSpec } from "../../src/gfn/grammar/mod.ts";
import type { Dataset } from "../../src/base/dataset.ts";
import type { z } from "../../src/base/zod.ts";
import { atParameter } from "../common/at_parameter.ts";
import { checkingHere } from "../common/checked_here.ts";
import { defineStage, type StageContext } from "../../src/pipeline/contract/mod.ts";
import declaration from "./mod.ts";

export default defineStage({
  ...declaration,
  async run(context, { data }, params) {
    const { describeSpace } = await import("../../src/gfn/spaces/mod.ts");
    const { spec, environment } = await writtenSpace(context, data, params);
    for (const message of describeSpace(spec, environment.count!)) {
      context.log(message);
      context.rows("event", [{ level: "info", kind: "model_space", message }]);
    }
    for (const message of await warningsOf(data, params.formula)) {
      context.log(message, "warning");
    }
    return { environment };
  },
  async check({ context, inputs: { data }, params }) {
    if (data) {
      const { environment } = await writtenSpace(checkingHere(context), data, params);
      return { environment };
    }
    const { parseFormula } = await import("../../src/gfn/spaces/mod.ts");
    await atParameter(["formula"], () => parseFormula(params.formula));
    return {};
  },
});

/** @throws InputError about the formula, the families or the priors. */
async function writtenSpace(
  context: StageContext,
  data: Dataset,
  params: z.output<typeof declaration.params>,
): Promise<{ readonly spec: GrammarSpec; readonly environment: Environment }> {
  const { spaceGrammar } = await import("../../src/gfn/grammar/mod.ts");
  const { grammarEnvironment } = await import("../../src/gfn/grammar/mod.ts");
  const { checkGrammar } = await import("../../src/gfn/grammar/mod.ts");
  const { checkSpacePrograms } = await import("./check_programs.ts");
  return await atParameter(["formula"], async () => {
    const spec = spaceGrammar(data, params);
    checkGrammar(spec, () => undefined);
    const environment: Environment = grammarEnvironment(spec);
    await checkSpacePrograms(context, environment, data, params.space);
    return { spec, environment };
  });
}

/** Warnings for the user to decide about: effects that the data do not bound, or cannot distinguish. */
async function warningsOf(data: Dataset, formula: string): Promise<string[]> {
  const { separations } = await import("../../src/gfn/spaces/mod.ts");
  const { collinear } = await import("../../src/gfn/spaces/mod.ts");
  const { columnsIn } = await import("../../src/gfn/spaces/mod.ts");
  const { parseFormula } = await import("../../src/gfn/spaces/mod.ts");
  const named = columnsIn(parseFormula(formula));
  const separating = separations(data, named).map(({ column, how }) =>
    `${column} separates the response: ${how}. Its effect is as large as the prior lets it be: ` +
    "report that it separates, not how large it is"
  );
  const alike = collinear(data, named).slice(0, 3).map(({ columns: [a, b], correlation }) =>
    `${a} and ${b} say nearly the same (correlation ${
      correlation.toFixed(2)
    }): the data tell that ` +
    `one of them matters, hardly which; ask [${a} | ${b}], or leave one out`
  );
  return [...separating, ...alike];
}
