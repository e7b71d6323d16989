/** Stage kind `oracle`: what says how probable a text is, tried before it is used. */
import { modelName } from "../../src/base/model_name.ts";
import { serverUrl, variableName } from "../../src/base/server_name.ts";
import { z } from "../../src/base/zod.ts";
import { declareStage, filePath } from "../../src/pipeline/contract/mod.ts";
import { optionalPort, port, ports } from "../ports/mod.ts";

const model = modelName().describe("a model of the project: sluice model list");

const temperature = z.number().positive().max(100).optional()
  .describe("T: log p of p_T ∝ p^(1/T) at every token, normalised; 1 if left out");

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
  temperature,
});

const server = z.strictObject({
  kind: z.literal("server").describe("a model on a server: vLLM, or llama.cpp token by token"),
  url: serverUrl().optional()
    .describe(
      "where it is, http://127.0.0.1:8080, unless a service is wired; the user is asked once",
    ),
  model: z.string().min(1).describe("the name under which it is served"),
  tokenizer: modelName().describe("a model of the project that reads texts in the same tokens"),
  weights: modelName().optional()
    .describe(
      "a model of the project with the weights that it serves, to hold its answers against",
    ),
  key: variableName().optional().describe("the variable of the environment that holds the key"),
  max_concurrency: z.int().positive().max(256).default(8).describe("requests under way at a time"),
  retries: z.int().min(0).max(20).default(5).describe("attempts after the first"),
  timeout: z.number().positive().default(120).describe("seconds after which an attempt has failed"),
  pause: z.number().positive().default(1)
    .describe("seconds before the second attempt; they double, unless the server says when"),
  price: z.number().min(0).default(0).describe(
    "of a million tokens, by which the cost of calls is recorded",
  ),
  tolerance: z.number().positive().default(0.01)
    .describe("nats by which calls that ask the same may differ: more than a server's batches do"),
  temperature,
  most_calls: z.int().positive().optional().describe("calls of a run; then it ends"),
  most_tokens: z.int().positive().optional().describe("tokens of a run, prompts among them"),
  most_cost: z.number().positive().optional().describe("of a run, in the currency of price"),
  most_calls_per_day: z.int().positive().optional()
    .describe("calls of a day (UTC), of all runs of the project"),
  most_tokens_per_day: z.int().positive().optional().describe("tokens of a day"),
  most_cost_per_day: z.number().positive().optional().describe("cost of a day"),
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
  description: "Opens an oracle, which says how probable texts are, and tries it.",
  params: z.strictObject({
    oracle: z.discriminatedUnion("kind", [llama, policy, server, table]).describe(
      "the policy that answers",
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
