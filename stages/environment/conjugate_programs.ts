/** Stage kind `conjugate_programs`: linear models whose posterior probabilities are known. */
import { z } from "zod";
import type { Dataset } from "../../src/base/dataset.ts";
import { inputError } from "../../src/base/diagnostic.ts";
import { optionalPort, port, ports } from "../ports/mod.ts";
import { defineStage } from "../../src/pipeline/contract/stage.ts";

const term = z.enum(["linear", "quadratic", "cubic", "absolute", "exponential", "sigmoid"]);

export default defineStage({
  kind: "conjugate_programs",
  version: 1,
  description: "PyMC programs with conjugate priors; the reward is prior × marginal likelihood.",
  params: z.strictObject({
    terms: z.array(term).default(term.options).describe("what a program may take, in this order"),
  }),
  inputs: {
    data: optionalPort(ports.dataset, "one predictor and the response; sixteen points if left out"),
  },
  outputs: { environment: port(ports.environment, "the programs") },
  async run(_context, { data }, { terms }) {
    const { builtInEnvironments } = await import("../../src/gfn/environments/mod.ts");
    const { defaultConjugatePrograms } = await import(
      "../../src/gfn/environments/conjugate_programs.ts"
    );
    const spec = { ...defaultConjugatePrograms, ...(data && columnsOf(data)), terms };
    return { environment: builtInEnvironments.get("conjugate_programs")!(spec) };
  },
});

function columnsOf({ name, columns }: Dataset) {
  const [predictor, another] = columns.filter((column) => column.role === "predictor");
  const response = columns.find((column) => column.role === "response");
  if (predictor && !another && response) {
    const [x, y] = [predictor, response].map((column) => [...column.values]);
    return { columns: [predictor.name, response.name] as const, x, y };
  }
  const message = `Cannot use the data set "${name}": conjugate programs read one predictor`;
  throw inputError("environment/data", message, undefined, "ignore the others in its stage");
}
