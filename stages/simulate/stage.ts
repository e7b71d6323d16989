/** Runs the stage kind `simulate`. */
import { defineStage, type StageContext } from "../../src/pipeline/contract/mod.ts";
import type {
  DataSets,
  GrowthSimulation,
  Simulation,
  UnscoredGrowth,
} from "../../src/gfn/train/mod.ts";
import type { z } from "../../src/base/zod.ts";
import { drawnKeys, simulationSchema } from "./drawn_keys.ts";
import declaration from "./mod.ts";
import type { ReadTable } from "./tables.ts";

type Params = z.output<typeof declaration.params>;

export default defineStage({
  ...declaration,
  async run(context, _inputs, params) {
    const { questionsOf } = await import("../../src/gfn/train/mod.ts");
    const { most_predictors, space } = params;
    const given = simulationSchema(space).parse(drawnKeys(params));
    const { outsideOf, readTables } = await import("./tables.ts");
    const tables = await readTables(params.tables);
    for (const line of outsideOf(tables, given)) context.log(line, "warning");
    const datasets = space === "growth"
      ? await grown(context, given as GrowthSimulation, params, tables)
      : await regressed(context, given as Simulation, params, tables);
    tellRedrawn(context, datasets);
    const { training, heldOut } = datasets;
    context.log(`${training.length} data sets to learn from, ${heldOut.length} held out`);
    return { datasets, questions: questionsOf(space, most_predictors) };
  },
});

async function regressed(
  context: StageContext,
  simulation: Simulation,
  { data_sets, held_out, programs }: Params,
  tables: readonly ReadTable[],
): Promise<DataSets> {
  const { drawDataSets } = await import("../../src/gfn/train/mod.ts");
  const { parted, scoredTable } = await import("./tables.ts");
  const random = context.random("data sets");
  const seed = `drawn ${random.uint32()} ${random.uint32()}`;
  const [learned, kept] = parted(tables, (one) => scoredTable(one, simulation.family, random));
  const total = data_sets + held_out;
  const drawn = drawDataSets({
    simulation,
    training: data_sets,
    heldOut: held_out,
    programs,
    seed,
    onDrawn: (count) => progress(context, count, { every: 50, total }),
  });
  return {
    ...drawn,
    training: [...drawn.training, ...learned],
    heldOut: [...drawn.heldOut, ...kept],
  };
}

async function grown(
  context: StageContext,
  simulation: GrowthSimulation,
  { data_sets, held_out, programs, rewards }: Params,
  tables: readonly ReadTable[],
): Promise<DataSets> {
  const { drawGrowth, growthCount, scoredByDraws } = await import(
    "../../src/gfn/train/mod.ts"
  );
  const { engineRewards } = await import("./engine_rewards.ts");
  const { growthTable } = await import("./growth_tables.ts");
  const { parted } = await import("./tables.ts");
  const random = context.random("data sets");
  const seed = `drawn ${random.uint32()} ${random.uint32()}`;
  const [learned, kept] = parted(tables, growthTable);
  const some = { simulation, seed };
  const drawn = [
    drawGrowth({ ...some, count: data_sets, programs, called: "training" }),
    drawGrowth({ ...some, count: held_out, programs: growthCount, called: "simulated" }),
  ];
  const total = data_sets + held_out + tables.length;
  let count = 0;
  const onScored = () => progress(context, ++count, { every: 10, total });
  const byDraws = (one: UnscoredGrowth) => {
    onScored();
    return scoredByDraws(one);
  };
  const simulated = rewards === "engine"
    ? await engineRewards(context, drawn[0].sets, onScored)
    : drawn[0].sets.map(byDraws);
  const training = [...simulated, ...await engineRewards(context, learned, onScored)];
  const heldOut = await engineRewards(context, [...drawn[1].sets, ...kept], onScored);
  const sum = (of: (one: (typeof drawn)[number]) => number) => of(drawn[0]) + of(drawn[1]);
  return {
    space: "growth",
    simulation,
    training,
    heldOut,
    overflowed: sum(({ overflowed }) => overflowed),
    unusable: sum(({ unusable }) => unusable),
  };
}

interface Told {
  readonly every: number;
  readonly total: number;
}

function progress(context: StageContext, count: number, { every, total }: Told): void {
  if (count % every === 0) context.progress({ "data sets": `${count}/${total}` });
}

function tellRedrawn(context: StageContext, { overflowed, unusable }: DataSets): void {
  for (const [name, count] of Object.entries({ overflowed, unusable })) {
    context.metric(`${name}_draws`, count);
  }
  if (overflowed + unusable === 0) return;
  context.log(
    `${overflowed} draws overflowed and ${unusable} had nothing to explain or too few complete ` +
      "rows: drawn again",
  );
}
