/** Runs the stage kind `propose`. */
import { defineStage } from "../../src/pipeline/contract/mod.ts";
import { lazyInstance } from "../common/lazy_instance.ts";
import declaration from "./mod.ts";

export default defineStage({
  ...declaration,
  async check({ inputs: { target }, params: { programs } }) {
    if (!programs || !target) return {};
    const { readDerivations } = await import("./read_derivations.ts");
    readDerivations(target.environment, programs.path);
    return {};
  },
  open: (params) =>
    lazyInstance(async () => new (await import("./proposing.ts")).Proposing(params)),
});
