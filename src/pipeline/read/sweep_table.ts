/** The table `[sweep]` of a pipeline: which values its points set; a plain run passes it over. */
import { z } from "../../base/zod.ts";

const path = z.string().min(1);
const bounds = z.tuple([z.number(), z.number()]);

/** Distribution of random points for one path. */
const draws = z.union([
  z.strictObject({ uniform: bounds }),
  z.strictObject({ log_uniform: bounds }),
  z.strictObject({ integers: z.tuple([z.int(), z.int()]) }),
  z.strictObject({ choice: z.array(z.json()).min(1) }),
]);

/** `[sweep]`: the product of grid, list and random points, each with every seed. */
export const sweepParams = z.strictObject({
  seeds: z.union([z.int().min(1), z.string(), z.array(z.int().min(0)).min(1)]).optional().meta({
    description: 'Seeds of every point, paired: a count, "0..9", or a list.',
  }),
  grid: z.record(path, z.array(z.json()).min(1)).optional().meta({
    description: "Values by path, in quotes; every combination of them is a point.",
  }),
  list: z.array(z.record(path, z.json())).min(1).optional().meta({
    description: "Settings that are written out: a table of values by path for each.",
  }),
  random: z.strictObject({
    points: z.int().min(1).meta({ description: "How many settings are drawn." }),
    seed: z.int().min(0).default(0).meta({ description: "Changes the drawn values." }),
    draw: z.record(path, draws).meta({
      description: "By path: uniform, log_uniform, integers (both ends included), or choice.",
    }),
  }).optional().meta({ description: "Settings that are drawn at random." }),
  halving: z.strictObject({
    measure: z.string().min(1).meta({ description: "A measure of an evaluation, or a metric." }),
    want: z.enum(["least", "most"]).optional().meta({
      description: "Which end is best; known of measures such as tv.",
    }),
    steps: path.meta({ description: "The path of the loop's steps: stages.train.steps." }),
    rungs: z.array(z.int().min(1)).min(2).meta({ description: "Steps, rising: [100, 300, 900]." }),
    keep_one_in: z.int().min(2).default(3).meta({
      description: "How many settings of a rung there are for one that goes on.",
    }),
  }).refine(({ rungs }) => rungs.every((steps, i) => i === 0 || steps > rungs[i - 1]), {
    message: "wanted rungs that rise",
    path: ["rungs"],
  }).optional().meta({ description: "Trains all settings a little, and the best of them on." }),
});

/** The table as it is read. */
export type SweepTable = z.output<typeof sweepParams>;
