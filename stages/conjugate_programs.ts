/** Stage kind `conjugate_programs`: linear models whose posterior probabilities are known. */
import { z } from "zod";
import { port, ports } from "../src/ports/mod.ts";
import { defineStage } from "../src/runner/stage.ts";

const term = z.enum(["linear", "quadratic", "cubic", "absolute", "exponential", "sigmoid"]);

export default defineStage({
  kind: "conjugate_programs",
  version: 1,
  description: "PyMC programs with conjugate priors; the reward is prior × marginal likelihood.",
  params: z.strictObject({
    terms: z.array(term).default(term.options).describe("what a program may take, in this order"),
    x: z.array(z.number()).optional().describe("predictor; sixteen points if left out"),
    y: z.array(z.number()).optional().describe("response, as many"),
  }),
  inputs: {},
  outputs: { environment: port(ports.environment, "the programs") },
  async run(_context, _inputs, params) {
    const { builtInEnvironments } = await import("../src/gfn/environments/mod.ts");
    const { defaultConjugatePrograms } = await import(
      "../src/gfn/environments/conjugate_programs.ts"
    );
    const given = params.x || params.y ? { x: params.x ?? [], y: params.y ?? [] } : {};
    const spec = { ...defaultConjugatePrograms, ...given, terms: params.terms };
    return { environment: builtInEnvironments.get("conjugate_programs")!(spec) };
  },
});
