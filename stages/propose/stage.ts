/** Runs the stage kind `propose`. */
import { defineStage } from "../../src/pipeline/contract/stage.ts";
import { lazyInstance } from "../common/lazy_instance.ts";
import declaration from "./mod.ts";

export default defineStage({
  ...declaration,
  open: (params) =>
    lazyInstance(async () => new (await import("./proposing.ts")).Proposing(params)),
});
