/** Interface of an oracle: token ids in, the log probability of each out. */
import type { ServiceProcess } from "../base/service_process.ts";
import type { NamedToken, ScoredText, TextIds } from "../models/text/mod.ts";

/** A text with its log probability, as a file lists it. */
export interface TableEntry {
  /** Text before, which is conditioned on; none if left out. */
  readonly given?: string;
  /** Text that is scored, as it is. */
  readonly text: string;
  /** log p(text, its end | given), nats. */
  readonly log_prob: number;
}

/** Description of an oracle in a pipeline; the entries of a table stand in it. */
export type OracleConfig =
  | {
    readonly kind: "llama_cpp";
    readonly model: string;
    readonly threads: number;
    readonly context: number;
  }
  | {
    readonly kind: "policy";
    readonly model: string;
    readonly backend: "fused" | "blas";
    /** T of p_T ∝ p^(1 / T) at every token; 1 if left out. */
    readonly temperature?: number | undefined;
  }
  | ServerConfig
  | { readonly kind: "table"; readonly entries: readonly TableEntry[] };

/** A model on a server that gives log probabilities of given tokens over HTTP. */
export interface ServerConfig {
  /** Kind of the oracle: a server. */
  readonly kind: "server";
  /** `http://127.0.0.1:8080`; `/v1` behind it may be left out. */
  readonly url: string;
  /** The name under which it is served. */
  readonly model: string;
  /** A model of the project that reads texts in the same tokens. */
  readonly tokenizer: string;
  /** A model of the project whose weights it serves, to compare with; none if left out. */
  readonly weights?: string | undefined;
  /** A variable of the environment that holds the key; none if left out. */
  readonly key?: string | undefined;
  /** Requests that are under way at a time. */
  readonly max_concurrency: number;
  /** Attempts after the first. */
  readonly retries: number;
  /** Seconds after which an attempt has failed. */
  readonly timeout: number;
  /** Seconds before the second attempt; they double. */
  readonly pause: number;
  /** Price of a million tokens, in any currency. */
  readonly price: number;
  /** Nats by which calls that ask the same may differ. */
  readonly tolerance: number;
  /** T of p_T ∝ p^(1 / T) at every token; 1 if left out. */
  readonly temperature?: number | undefined;
  /** Most calls of a run. */
  readonly most_calls?: number | undefined;
  /** Most tokens of a run, prompts among them. */
  readonly most_tokens?: number | undefined;
  /** Most cost of a run, in the currency of `price`. */
  readonly most_cost?: number | undefined;
  /** Most calls of a day of UTC, over all runs of the project. */
  readonly most_calls_per_day?: number | undefined;
  /** Most tokens of a day. */
  readonly most_tokens_per_day?: number | undefined;
  /** Most cost of a day. */
  readonly most_cost_per_day?: number | undefined;
  /** Service that is started before it is asked, and stopped with the run; none if left out. */
  readonly service?: ServiceProcess | undefined;
}

/** Version of a server, and its log probabilities of a text that every model knows. */
export interface ServerIdentity {
  /** Its version; null if it has none. */
  readonly version: string | null;
  /** Method by which it scores given tokens: of prompts, by an echo, or token by token. */
  readonly way: "prompt" | "echo" | "token";
  /** log p of each token of the text but the first, nats. */
  readonly trial: readonly number[];
}

/** Identity of an opened oracle: the value that flows to targets, and a row of `oracle`. */
export interface OracleRecord {
  /** The oracle, as the pipeline describes it. */
  readonly config: OracleConfig;
  /** Name of the model, or `table`. */
  readonly model: string;
  /** SHA-256 of the model, or of the entries of a table. */
  readonly model_sha256: string;
  /** Library that computes, with its version, or `own kernels`. */
  readonly computes: string;
  /** The token given which the first of a text is scored; null if there is none. */
  readonly begin: NamedToken | null;
  /** Whether the tokenizer itself puts it there. */
  readonly begin_is_added: boolean;
  /** The token that ends a text; its probability counts. */
  readonly end: NamedToken | null;
  /** `system` message of the chat template where a conversation has none. */
  readonly system_text: string | null;
  /** The model's template of conversations, Jinja. */
  readonly chat_template: string | null;
  /** Identity of a server when it was opened. */
  readonly server?: ServerIdentity;
  /** SHA-256 of the project's model whose tokens a server is sent. */
  readonly tokenizer_sha256?: string;
  /** Digest of the tokenizer itself; none of a table. */
  readonly tokens_sha256?: string;
}

/** Request for log p of each of `ids`, given `prompt_ids` and the ids before it. */
export interface OracleCall {
  readonly prompt_ids: readonly number[];
  /** Ids to score, at least one. */
  readonly ids: readonly number[];
}

/** An answer that the oracle itself is to write. */
export interface OracleDraw {
  readonly prompt_ids: readonly number[];
  /** The token that ends an answer; null if there is none. */
  readonly end: number | null;
  /** Most tokens, after which it is cut off. */
  readonly most_tokens: number;
  /** Temperature of the draws; log probabilities are those at temperature 1. */
  readonly temperature: number;
  /** Names the random numbers. */
  readonly seed: string;
  /** The version of an adapter that writes it; the served model itself if left out. */
  readonly adapter?: string;
}

/** Answer of an oracle to a call. */
export interface OracleAnswer {
  /** Ids that were scored; answers with other ids than the call's are refused. */
  readonly ids: readonly number[];
  /** nats, one for each id. */
  readonly log_probs: readonly number[];
  /** CPU seconds of its process, or seconds that a server reports; of a batch, the share by tokens. */
  readonly seconds: number;
  /** Cost in the currency of the server's price; 0 on this machine. */
  readonly cost: number;
}

/** Result of the trial at the start of an oracle. */
export interface OracleProbe {
  /** Tokens that were tried. */
  readonly tokens: number;
  /** Largest difference of log probabilities to those of the full distribution, nats. */
  readonly largest_difference: number;
  /** Largest distance of the full distribution's sum from 1. */
  readonly largest_mass_error: number;
}

/**
 * Backend of an oracle: a process of this machine, a table, or a server. Requests are ids, so that
 * no two tokenizers have to agree; a batch may be computed in any order.
 */
export interface OracleBackend {
  /** The ids of texts. @throws InputError if a text is empty, or cannot be encoded. */
  encode(texts: readonly ScoredText[]): Promise<readonly TextIds[]>;
  /** Answers in the order of the calls. */
  score(calls: readonly OracleCall[], signal?: AbortSignal): Promise<readonly OracleAnswer[]>;
  /** Writes answers in the order of draws; left out by backends that cannot. */
  draw?(draws: readonly OracleDraw[]): Promise<readonly OracleAnswer[]>;
  /** Tries whether its answers are probabilities. @throws InputError if they are not. */
  probe(): Promise<OracleProbe>;
  close(): Promise<void>;
}
