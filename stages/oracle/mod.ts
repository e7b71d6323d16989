/** Stage kind `oracle`: what says how probable a text is, tried before it is used. */
import { modelName } from "../../src/base/model_name.ts";
import { z } from "../../src/base/zod.ts";
import { declareStage, filePath } from "../../src/pipeline/contract/mod.ts";
import { port, ports } from "../ports/mod.ts";

const model = modelName().describe("a model of the project: sluice model list");

const llama = z.strictObject({
  kind: z.literal("llama_cpp").describe("llama.cpp: any GGUF, quantised weights as they are"),
  model,
  threads: z.int().positive().default(1).describe("of its process"),
  context: z.int().min(16).default(1024).describe("tokens of the longest text with its prompt"),
});

const policy = z.strictObject({
  kind: z.literal("policy").describe("Sluice's own decoder, in single precision"),
  model,
  backend: z.enum(["fused", "blas"]).default("fused")
    .describe("own kernels, the same bits everywhere, or a BLAS library"),
});

const table = z.strictObject({
  kind: z.literal("table").describe("texts with their log probabilities"),
  path: filePath().describe("JSON, CSV, TSV or Parquet: columns text, log_prob and, if any, given"),
});

export default declareStage({
  kind: "oracle",
  version: 1,
  description: "Opens an oracle, which says how probable texts are, and tries it.",
  params: z.strictObject({
    oracle: z.discriminatedUnion("kind", [llama, policy, table]).describe(
      "the policy that answers",
    ),
  }),
  inputs: {},
  checks: true,
  outputs: { oracle: port(ports.oracle, "the oracle, to be named in the terms of a target") },
  uses: ["oracle"],
});
