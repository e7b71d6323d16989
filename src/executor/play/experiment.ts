/** An experiment: a theory whose rows may be asked for, the final questions, and its words. */
import { z } from "../../base/zod.ts";
import type { LatentGoal } from "./latent_goal.ts";

const name = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "letters, digits and underscores");
const text = z.string().min(1);

/** Declaration of one input. */
const inputParams = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("real"),
    low: z.number().meta({ description: "Least value that may be asked." }),
    high: z.number().meta({ description: "Largest value that may be asked." }),
    round: z.number().positive().optional()
      .meta({ description: "Step of the values that random inputs and grids have." }),
    unit: text.optional(),
  }),
  z.strictObject({
    type: z.literal("integer"),
    low: z.int(),
    high: z.int(),
    each: z.boolean().default(false)
      .meta({ description: "A query is answered at every value of it." }),
    unit: text.optional(),
  }),
  z.strictObject({
    type: z.literal("category"),
    levels: z.array(text).min(2),
    each: z.boolean().default(false)
      .meta({ description: "A query is answered at every level of it." }),
  }),
]);

/** Which rows there are, where inputs are no free choice. */
const catalogueParams = z.union([
  z.literal("all").meta({ description: "Every combination of the inputs, each once." }),
  z.strictObject({
    entries: z.int().min(1).meta({
      description: "Entries that an episode draws, each asked once.",
    }),
  }),
  z.strictObject({
    rows: z.array(z.record(z.string(), z.union([z.number(), z.string()]))).min(1)
      .meta({ description: "The entries, each asked once." }),
  }),
]);

/** How values of an input are drawn. */
const drawParams = z.discriminatedUnion("draw", [
  z.strictObject({ draw: z.literal("uniform"), low: z.number(), high: z.number() }),
  z.strictObject({
    draw: z.literal("normal").meta({ description: "Within the bounds of the input." }),
    mean: z.number(),
    sd: z.number().positive(),
  }),
  z.strictObject({
    draw: z.literal("beta"),
    a: z.number().positive(),
    b: z.number().positive(),
    low: z.number().default(0),
    high: z.number().default(1),
    round: z.number().positive().optional(),
  }),
]);

/** Results that were published of an experiment, in its own error. */
const publishedParams = z.strictObject({
  source: text,
  mean: z.number().optional().meta({ description: "By which the source centres errors." }),
  sd: z.number().positive().optional().meta({ description: "By which the source divides them." }),
  results: z.array(z.strictObject({
    agent: text,
    queries: z.int().min(0),
    error: z.number(),
    se: z.number().optional(),
    remark: text.optional(),
  })).default([]),
});

/** `experiments/NAME.toml`. */
export const experimentParams = z.strictObject({
  format: z.literal(1),
  name,
  program: text.meta({
    description:
      "The theory: latents are drawn once an episode from their priors, responses row by row.",
  }),
  response: z.strictObject({
    name,
    type: z.enum(["real", "count", "binary"]),
    unit: text.optional(),
    round: z.number().positive().optional().meta({ description: "Decimals of what is told." }),
  }),
  inputs: z.object({ catalogue: catalogueParams.optional() }).catchall(inputParams),
  rules: z.array(z.string()).default([])
    .meta({ description: '"immediate <= delayed": sums of inputs and numbers.' }),
  questions: z.object({
    count: z.int().min(1).max(10_000).default(10),
    balanced: z.boolean().default(false).meta({
      description: "Of binary responses: as many questions whose answer is 0 as of those with 1.",
    }),
  }).catchall(drawParams).prefault({}),
  goal: z.union([
    z.literal("predictions"),
    z.strictObject({
      latents: z.array(name).min(1).meta({ description: "Latents whose values are asked." }),
      alike: z.array(z.array(name).min(1)).max(6).default([]).meta({
        description: "Groups of them that the theory does not tell apart, in one order.",
      }),
    }),
  ]).default("predictions"),
  error: z.enum(["squared", "absolute", "wrong"]).optional(),
  story: text,
  plain_story: text,
  words: text,
  published: publishedParams.optional(),
});

/** A module whose functions replace a program. */
export interface WorldModule {
  /** Absolute path, where its process finds it. */
  readonly path: string;
  /** Raised when the world changes otherwise than by the module's text. */
  readonly version: number;
  /** Whether it has the density of a response. */
  readonly has_density: boolean;
}

/** An experiment as its file has it, defaults filled in; of a module, whose text is the program. */
export type Experiment = z.output<typeof experimentParams> & { readonly module?: WorldModule };

/** All that worlds and transcripts depend on: an experiment without the place of its module. */
export function identityOf({ module, ...experiment }: Experiment): unknown {
  const { path: _, ...world } = module ?? { path: "" };
  return module ? { ...experiment, module: world } : experiment;
}

/** One input of an experiment. */
export type Input = z.output<typeof inputParams>;
/** How an input of the questions is drawn. */
export type InputDraw = z.output<typeof drawParams>;

/** The inputs by name; `catalogue` is none. */
export function inputsOf({ inputs }: Pick<Experiment, "inputs">): ReadonlyMap<string, Input> {
  const { catalogue: _, ...rest } = inputs;
  return new Map(Object.entries(rest as Record<string, Input>));
}

/** How the inputs of the questions are drawn, where the file sets it. */
export function questionDraws(
  { questions }: Pick<Experiment, "questions">,
): ReadonlyMap<string, InputDraw> {
  const { count: _, balanced: __, ...rest } = questions;
  return new Map(Object.entries(rest as Record<string, InputDraw>));
}

/** The latents that are asked, where the goal is latents. */
export function latentGoal({ goal }: Pick<Experiment, "goal">): LatentGoal | undefined {
  return goal === "predictions" ? undefined : goal;
}

/** How far an answer is from the truth. */
export function errorKind(
  { error, response, goal }: Experiment,
): "squared" | "absolute" | "wrong" {
  if (goal !== "predictions") return error ?? "squared";
  return error ?? (response.type === "binary" ? "wrong" : "squared");
}
