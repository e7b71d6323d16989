/** The kind `tinker`: a language model of which a server trains an adapter, over Tinker's protocol. */
import { modelName } from "../../../base/model_name.ts";
import { serverUrl, variableName } from "../../../base/server_name.ts";
import type { ServiceProcess } from "../../../base/service_process.ts";
import { z } from "../../../base/zod.ts";
import { type PolicyKind, policyKind } from "../policy_kind.ts";
import { languageModel } from "./language_model.ts";

const parameters = z.strictObject({
  kind: z.literal("tinker"),
  url: serverUrl().optional()
    .describe("URL of the server, unless a service is wired: http://127.0.0.1:8093"),
  key: variableName().optional().describe("environment variable that holds the key"),
  base_model: z.string().min(1).describe("name of the model on the server"),
  model: modelName().describe("a model of the project with the same tokens: sluice model list"),
  rank: z.int().positive().default(16).describe("rank of the adapter"),
  context: z.int().min(2).default(512).describe(
    "most tokens of a text, the beginning token included",
  ),
  adapters: z.int().min(2).default(2)
    .describe("most adapters in the server's memory"),
  max_concurrency: z.int().positive().default(8).describe("most concurrent requests"),
  retries: z.int().nonnegative().default(5).describe("attempts after the first"),
  timeout: z.number().positive().default(330)
    .describe("seconds after which an attempt has failed; servers may be silent for 300"),
  pause: z.number().positive().default(1).describe("seconds before the second attempt"),
  service: z.custom<ServiceProcess>().optional()
    .describe("filled in by a stage to which a service is wired"),
});

/** Its configuration with the defaults. */
export type TinkerConfig = z.output<typeof parameters>;

/** A language model on a server that trains, for environments in its tokens. */
export const tinker: PolicyKind<typeof parameters> = policyKind({
  kind: "tinker",
  parameters,
  readsFeatures: false,
  readsTokens: true,
  refusal: languageModel.refusal,
  open: async (config, opening) =>
    (await import("../language_model/open_served.ts")).openServed(config, opening),
});
