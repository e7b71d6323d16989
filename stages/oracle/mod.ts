/** Stage kind `oracle`: a model that gives log probabilities of texts, tried before it is used. */
import { modelName } from "../../src/base/model_name.ts";
import { serverUrl, variableName } from "../../src/base/server_name.ts";
import { z } from "../../src/base/zod.ts";
import { declareStage, filePath } from "../../src/pipeline/contract/mod.ts";
import { optionalPort, port, ports } from "../ports/mod.ts";

const model = modelName().describe("a model of the project: sluice model list");

const temperature = z.number().positive().max(100).optional()
  .describe("T: log p of p_T ∝ p^(1/T) at every token, normalised (default: 1)");

const llama = z.strictObject({
  kind: z.literal("llama_cpp").describe("llama.cpp: any GGUF, quantised weights as they are"),
  model,
  threads: z.int().positive().default(1).describe("threads of its process"),
  context: z.int().min(16).default(1024).describe("tokens of the longest text with its prompt"),
});

const policy = z.strictObject({
  kind: z.literal("policy").describe("Sluice's own decoder, in single precision"),
  model,
  backend: z.enum(["fused", "blas"]).default("fused")
    .describe("fused: own kernels, the same bits everywhere; blas: a BLAS library"),
  temperature,
});

const server = z.strictObject({
  kind: z.literal("server").describe("a model on a server: vLLM, or llama.cpp token by token"),
  url: serverUrl().optional()
    .describe(
      "URL of the server, unless a service is wired; the user is asked once: http://127.0.0.1:8080",
    ),
  model: z.string().min(1).describe("name under which the server has the model"),
  tokenizer: modelName().describe("a model of the project with the same tokens"),
  weights: modelName().optional()
    .describe(
      "a model of the project with the same weights, to check the server's answers",
    ),
  key: variableName().optional().describe("environment variable that holds the key"),
  max_concurrency: z.int().positive().max(256).default(8).describe("most concurrent requests"),
  retries: z.int().min(0).max(20).default(5).describe("attempts after the first"),
  timeout: z.number().positive().default(120).describe("seconds after which an attempt has failed"),
  pause: z.number().positive().default(1)
    .describe("seconds before the second attempt; doubled each time unless the server says when"),
  price: z.number().min(0).default(0).describe(
    "price of a million tokens, for the recorded cost of calls",
  ),
  tolerance: z.number().positive().default(0.01)
    .describe("nats by which equal calls may differ before the oracle is refused"),
  temperature,
  most_calls: z.int().positive().optional().describe("most calls of a run; then it ends"),
  most_tokens: z.int().positive().optional().describe("most tokens of a run, prompts included"),
  most_cost: z.number().positive().optional().describe(
    "most cost of a run, in the currency of price",
  ),
  most_calls_per_day: z.int().positive().optional()
    .describe("most calls of a day (UTC), by all runs of the project"),
  most_tokens_per_day: z.int().positive().optional().describe("most tokens of a day"),
  most_cost_per_day: z.number().positive().optional().describe("most cost of a day"),
}).superRefine(({ price, most_cost, most_cost_per_day }, context) => {
  if (price > 0 || (most_cost === undefined && most_cost_per_day === undefined)) return;
  const path = [most_cost === undefined ? "most_cost_per_day" : "most_cost"];
  context.addIssue({ code: "custom", path, message: "wanted a price beside it: 0 is never spent" });
});

const table = z.strictObject({
  kind: z.literal("table").describe("texts with their log probabilities"),
  path: filePath().describe("JSON, CSV, TSV or Parquet: columns text, log_prob and, if any, given"),
});

export default declareStage({
  kind: "oracle",
  version: 1,
  description: "Opens an oracle, which gives the probability of texts, and tests it.",
  params: z.strictObject({
    oracle: z.discriminatedUnion("kind", [llama, policy, server, table]).describe(
      "the oracle",
    ),
  }),
  inputs: {
    service: optionalPort(
      ports.service,
      "the service that is asked, started and stopped by the run",
    ),
  },
  checks: true,
  outputs: { oracle: port(ports.oracle, "the oracle, to be named in the terms of a target") },
  uses: ["oracle"],
});
