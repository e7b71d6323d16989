/** Runs the stage kind `benchmark`. */
import { defineStage } from "../../src/pipeline/contract/mod.ts";
import declaration from "./mod.ts";

export default defineStage({
  ...declaration,
  async check({ inputs, unknown, params }) {
    const { checkTargets } = await import("../common/check_targets.ts");
    checkTargets({ inputs, unknown }, "benchmark");
    const { benchmarked, requireSubject } = await import("../common/subject_of.ts");
    requireSubject({ inputs, unknown }, benchmarked);
    const { target, environment = target?.environment } = inputs;
    const { checkHeldOut } = await import("./held_out.ts");
    checkHeldOut(environment, params);
    return {};
  },
  async run(context, inputs, params) {
    const { benchmark } = await import("./benchmark.ts");
    return { evaluation: { measures: await benchmark(context, inputs, params) } };
  },
});
