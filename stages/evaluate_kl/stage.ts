/** Runs the stage kind `evaluate_kl`. */
import { defineStage } from "../../src/pipeline/contract/mod.ts";
import { lazyInstance } from "../common/lazy_instance.ts";
import declaration from "./mod.ts";

export default defineStage({
  ...declaration,
  async check({ inputs, unknown, params: { references = [] } }) {
    const { checkTargets } = await import("../common/check_targets.ts");
    checkTargets({ inputs, unknown }, "evaluate");
    const { target } = inputs;
    if (!target || references.length === 0) return {};
    const { referenceActions } = await import("./references.ts");
    referenceActions(target.environment, references);
    return {};
  },
  open: (params) =>
    lazyInstance(async () => new (await import("./evaluator.ts")).Evaluator(params)),
});
