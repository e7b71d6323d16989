/** Runs the stage kind `simulate`. */
import { defineStage } from "../../src/pipeline/contract/mod.ts";
import declaration from "./mod.ts";

export default defineStage({
  ...declaration,
  async run(context, _inputs, params) {
    const { drawDataSets, questionsEnvironment, simulation } = await import(
      "../../src/gfn/train/mod.ts"
    );
    const { heldOutTables } = await import("./tables.ts");
    const { data_sets, held_out, programs, most_predictors, space, tables } = params;
    const random = context.random("data sets");
    const total = data_sets + held_out;
    const drawn = drawDataSets({
      simulation: simulation.parse(ofSimulation(params, simulation.shape)),
      training: data_sets,
      heldOut: held_out,
      programs,
      seed: `drawn ${random.uint32()} ${random.uint32()}`,
      onDrawn: (count) => {
        if (count % 50 === 0) context.progress({ "data sets": `${count}/${total}` });
      },
    });
    const real = await heldOutTables(tables, random);
    const { overflowed, unusable } = drawn;
    const redrawn = { overflowed, unusable };
    for (const [name, count] of Object.entries(redrawn)) context.metric(`${name}_draws`, count);
    if (overflowed + unusable > 0) {
      context.log(
        `${overflowed} draws overflowed and ${unusable} had a constant column or too few complete ` +
          "rows: drawn again",
      );
    }
    const datasets = { ...drawn, heldOut: [...drawn.heldOut, ...real] };
    context.log(`${data_sets} data sets to learn from, ${datasets.heldOut.length} held out`);
    const questions = questionsEnvironment({ space, predictors: most_predictors });
    return { datasets, questions };
  },
});

/** The parameters that say how data sets are drawn. */
function ofSimulation(params: Readonly<Record<string, unknown>>, shape: object) {
  return Object.fromEntries(Object.keys(shape).map((key) => [key, params[key]]));
}
