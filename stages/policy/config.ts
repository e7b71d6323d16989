/** The parameters by which a pipeline describes a policy. */
import { z } from "zod";
import { modulePath } from "../../src/pipeline/contract/path_param.ts";

const backend = z.enum(["fused", "blas", "cpu", "wasm", "webgpu", "tensorflow"]).default("fused")
  .describe("what computes: own kernels, these with OpenBLAS, or a backend of TensorFlow.js");

const backward = z.enum(["uniform", "learned"]).default("uniform")
  .describe("log P_B where several ways lead to one state");

const table = z.strictObject({ kind: z.literal("table"), backward });

const mlp = z.strictObject({
  kind: z.literal("mlp"),
  layers: z.int().min(1).max(16).default(2).describe("hidden layers"),
  width: z.int().min(1).default(256).describe("width of each hidden layer"),
  activation: z.enum(["relu", "leaky_relu"]).default("leaky_relu").describe("of hidden layers"),
  backward,
  backend,
});

const transformer = z.strictObject({
  kind: z.literal("transformer"),
  layers: z.int().min(1).max(64).default(2).describe("decoder blocks"),
  width: z.int().min(4).default(64).describe("size of the residual stream"),
  heads: z.int().min(1).default(4).describe("attention heads; divides width"),
  backend,
}).refine(({ width, heads }) => width % heads === 0, {
  message: "width must be a multiple of heads",
});

const own = z.strictObject({
  kind: modulePath().describe("a module made with definePolicy"),
  parameters: z.record(z.string(), z.unknown()).default({}).describe("what `create` is given"),
});

/** `{ kind = "table" }`, `"mlp"` or `"transformer"`, or the path of a policy of one's own. */
export const policyConfig = z.union([table, mlp, transformer, own]);

/** What a stage that makes a policy is given. */
export type PolicyParams = z.output<typeof policyConfig>;
