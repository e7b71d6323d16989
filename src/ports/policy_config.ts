/** The parameters by which a pipeline describes a policy. */
import { z } from "zod";

export const tensorBackends = ["cpu", "wasm", "webgpu", "tensorflow"] as const;

const table = z.strictObject({ kind: z.literal("table") });

const transformer = z.strictObject({
  kind: z.literal("transformer"),
  layers: z.int().min(1).max(64).default(2).describe("decoder blocks"),
  width: z.int().min(4).default(64).describe("size of the residual stream"),
  heads: z.int().min(1).default(4).describe("attention heads; divides width"),
  backend: z.enum(tensorBackends).default("wasm").describe("which tensor library computes"),
});

/** `{ kind = "table" }` or `{ kind = "transformer", layers, width, heads, backend }`. */
export const policyConfig = z.discriminatedUnion("kind", [table, transformer])
  .refine((p) => p.kind !== "transformer" || p.width % p.heads === 0, {
    message: "width must be a multiple of heads",
  });

/** A learning rate: a number, or `{ start, schedule, end }` over the steps of the stage. */
export const learningRate = z.union([
  z.number().positive(),
  z.strictObject({
    start: z.number().positive(),
    schedule: z.enum(["constant", "linear", "cosine"]).default("cosine"),
    end: z.number().min(0).default(0),
  }),
]);

export type LearningRate = z.output<typeof learningRate>;
