/** Interface of a kind of policy: its configuration, the environments that it works in, how it is opened. */
import { z } from "../../base/zod.ts";
import type { Environment } from "../environments/environment.ts";
import type { NamedTensor } from "../../base/safetensors.ts";
import type { TrainerLink } from "../../models/training/mod.ts";
import type { Network } from "./network.ts";
import type { Policy } from "./policy.ts";
import type { PolicyHeader } from "./network_policy.ts";

/**
 * Backend of a network: `fused` is own WebAssembly kernels, `blas` the same with a library for
 * matrix products; the others are backends of TensorFlow.js. No part of a saved policy.
 */
export const backend = z.enum(["fused", "blas", "cpu", "wasm", "webgpu", "tensorflow"])
  .default("fused")
  .describe("backend: own kernels, these with OpenBLAS, or a backend of TensorFlow.js");

/** Source of log P_B on graphs with several paths to one state; on trees it is 0. */
export const backward = z.enum(["uniform", "learned"]).default("uniform")
  .describe("backward policy P_B, where several trajectories lead to a state");

/** Lists, read-only in their type alone: `.readonly()` would mark them in the schema too. */
const names = z.array(z.string().min(1)) as z.ZodType<readonly string[], readonly string[]>;

/** Parameters that are not learned. */
export const frozen = names.optional()
  .describe("parameters that are not trained, by name or prefix");

/** One of {@linkcode backend}, or `cuda` of language models: own kernels, with weights on a GPU. */
export type PolicyBackend = z.output<typeof backend> | "cuda";

/** All of them. */
export const policyBackends: readonly PolicyBackend[] = backend.unwrap().options;

/** Arguments with which a network is opened. */
export interface Opening {
  /** Sizes of the environment that it is made for. */
  readonly header: PolicyHeader;
  /** Backend to compute with. */
  readonly backend: PolicyBackend;
  /** Tensors of a file, or the seed of first values. */
  readonly source: readonly NamedTensor[] | string;
  /** Folder of the project, where language models lie; the working directory if left out. */
  readonly project?: string;
  /** Asks servers that train; there is one in a run alone. */
  readonly trainer?: TrainerLink | undefined;
}

/** Why a policy does not work in an environment, and how to mend it. */
export interface Refusal {
  /** Text behind "Cannot use …". */
  readonly message: string;
  /** How to mend it. */
  readonly hint: string;
}

/** A built-in kind; a line in `registry.ts` makes it known. */
export interface PolicyKind<P extends z.ZodObject = z.ZodObject> {
  /** Name in a configuration. */
  readonly kind: string;
  /** Its configuration with defaults; `kind` is a part of it. */
  readonly parameters: P;
  /** True if it reads the features that an environment gives its states. */
  readonly readsFeatures: boolean;
  /** True if it reads the tokens of a language model, which lies here or on a server. */
  readonly readsTokens: boolean;
  /** Why it does not work in an environment, which messages call so; undefined if it does. */
  refusal(environment: Environment, called: string): Refusal | undefined;
  /** The network of a checked configuration, or a policy of its own make. */
  open(config: z.output<P>, opening: Opening): Promise<Network | Policy>;
}

/** Declares a built-in kind of policy, so that its fields are checked where it is written. */
export function policyKind<P extends z.ZodObject>(kind: PolicyKind<P>): PolicyKind<P> {
  return kind;
}
