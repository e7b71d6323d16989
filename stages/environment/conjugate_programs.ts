/** Stage kind `conjugate_programs`: linear models whose posterior probabilities are known. */
import type { Dataset } from "../../src/base/dataset.ts";
import { inputError } from "../../src/base/diagnostic.ts";
import { conjugatePrograms, type ConjugateProgramsSpec } from "../../src/gfn/environments/mod.ts";
import { optionalPort, port, ports } from "../ports/mod.ts";
import { defineStage } from "../../src/pipeline/contract/mod.ts";

export default defineStage({
  kind: conjugatePrograms.kind,
  version: 1,
  description: conjugatePrograms.description,
  params: conjugatePrograms.parameters,
  inputs: {
    data: optionalPort(ports.dataset, "one predictor and the response; sixteen points if left out"),
  },
  outputs: { environment: port(ports.environment, conjugatePrograms.called) },
  check: "run",
  run(_context, { data }, params) {
    const spec = conjugatePrograms.specOf(params) as ConjugateProgramsSpec;
    const environment = conjugatePrograms.fromSpec({ ...spec, ...(data && columnsOf(data)) });
    return Promise.resolve({ environment });
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
