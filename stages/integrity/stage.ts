/** Runs the stage kind `integrity`. */
import { defineStage } from "../../src/pipeline/contract/mod.ts";
import declaration from "./mod.ts";

export default defineStage({
  ...declaration,
  async run(context, { policy, target }, params) {
    const { checkIntegrity } = await import("./integrity.ts");
    const { requirePrograms } = await import("../common/require_programs.ts");
    const programs = requirePrograms(target, "check likelihoods", "leave the stage out");
    return await checkIntegrity(context, { policy, target: programs }, params);
  },
});
