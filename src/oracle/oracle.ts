/** Interface of an oracle: token ids in, the log probability of each out. */
import type { ServiceProcess } from "../base/service_process.ts";
import type { NamedToken, ScoredText, TextIds } from "../models/text/mod.ts";

/** A text with its log probability, as a file lists it. */
export interface TableEntry {
  /** What the text is given; nothing if left out. */
  readonly given?: string;
  /** As it is. */
  readonly text: string;
  /** log p(text, its end | given), nats. */
  readonly log_prob: number;
}

/** How an oracle is described by a pipeline; the entries of a table stand in it. */
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
  /** What answers: a server. */
  readonly kind: "server";
  /** `http://127.0.0.1:8080`; `/v1` behind it may be left out. */
  readonly url: string;
  /** The name under which it is served. */
  readonly model: string;
  /** A model of the project that reads texts in the same tokens. */
  readonly tokenizer: string;
  /** A model of the project whose weights it serves, to be held against; none if left out. */
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
  /** Of a million tokens, in whatever currency. */
  readonly price: number;
  /** Nats by which calls that ask the same may differ. */
  readonly tolerance: number;
  /** T of p_T ∝ p^(1 / T) at every token; 1 if left out. */
  readonly temperature?: number | undefined;
  /** Of a run. */
  readonly most_calls?: number | undefined;
  /** Of a run, prompts among them. */
  readonly most_tokens?: number | undefined;
  /** Of a run, in the currency of `price`. */
  readonly most_cost?: number | undefined;
  /** Of a day of UTC, of all runs of the project. */
  readonly most_calls_per_day?: number | undefined;
  /** Of a day. */
  readonly most_tokens_per_day?: number | undefined;
  /** Of a day. */
  readonly most_cost_per_day?: number | undefined;
  /** What is started before it is asked, and stopped with the run; left out of a server of its own. */
  readonly service?: ServiceProcess | undefined;
}

/** What a server says of itself, and of a text that every model knows. */
export interface ServerIdentity {
  /** Its version; null if it has none. */
  readonly version: string | null;
  /** How it gives log probabilities of given tokens: of prompts, by an echo, or token by token. */
  readonly way: "prompt" | "echo" | "token";
  /** log p of each token of the text but the first, nats. */
  readonly trial: readonly number[];
}

/** What is known of an oracle that answers: the value that flows to targets, and a row of `oracle`. */
export interface OracleRecord {
  /** What answers, as the pipeline says it. */
  readonly config: OracleConfig;
  /** How the model is called, or `table`. */
  readonly model: string;
  /** SHA-256 of the model, or of the entries of a table. */
  readonly model_sha256: string;
  /** What computes: library and version, or `own kernels`. */
  readonly computes: string;
  /** The token given which the first of a text is scored; null if there is none. */
  readonly begin: NamedToken | null;
  /** Whether the tokenizer itself puts it there. */
  readonly begin_is_added: boolean;
  /** The token that ends a text; its probability counts. */
  readonly end: NamedToken | null;
  /** What the chat template says as `system` where a conversation does not. */
  readonly system_text: string | null;
  /** The model's template of conversations, Jinja. */
  readonly chat_template: string | null;
  /** Of a server: what it said of itself when it was opened. */
  readonly server?: ServerIdentity;
  /** Of a server: the model of the project whose tokens it is sent. */
  readonly tokenizer_sha256?: string;
  /** Digest of the tokenizer itself; none of a table. */
  readonly tokens_sha256?: string;
}

/** What is asked: log p of each of `ids`, given `prompt_ids` and the ids before it. */
export interface OracleCall {
  readonly prompt_ids: readonly number[];
  /** At least one. */
  readonly ids: readonly number[];
}

/** An answer that the oracle itself is to write. */
export interface OracleDraw {
  readonly prompt_ids: readonly number[];
  /** The token that ends an answer; null if there is none. */
  readonly end: number | null;
  /** After so many it is cut off. */
  readonly most_tokens: number;
  /** At which tokens are drawn; log probabilities are those at temperature 1. */
  readonly temperature: number;
  /** Names the random numbers. */
  readonly seed: string;
  /** The version of an adapter that writes it; the served model itself if left out. */
  readonly adapter?: string;
}

/** What an oracle says to a call. */
export interface OracleAnswer {
  /** Those that were scored: the ids of the call, or it is not believed. */
  readonly ids: readonly number[];
  /** nats, one for each id. */
  readonly log_probs: readonly number[];
  /** CPU seconds of its process, or what a server says; of a batch, the share by tokens. */
  readonly seconds: number;
  /** What it cost in the currency of whoever serves it; 0 on this machine. */
  readonly cost: number;
}

/** What the trial at the start of an oracle found. */
export interface OracleProbe {
  /** Tokens that were tried. */
  readonly tokens: number;
  /** How far log probabilities lie from those of the full distribution at most, nats. */
  readonly largest_difference: number;
  /** How far the full distribution's sum lies from 1 at most. */
  readonly largest_mass_error: number;
}

/**
 * Whoever answers for an oracle: a process of this machine, a table, or a server. Ids go in, so that
 * no two tokenizers have to agree; a batch may be answered in any order of work.
 */
export interface OracleBackend {
  /** The ids of texts. @throws InputError if a text is empty, or cannot be said in tokens. */
  encode(texts: readonly ScoredText[]): Promise<readonly TextIds[]>;
  /** Answers in the order of the calls. */
  score(calls: readonly OracleCall[], signal?: AbortSignal): Promise<readonly OracleAnswer[]>;
  /** Writes answers in the order of draws; left out by what cannot. */
  draw?(draws: readonly OracleDraw[]): Promise<readonly OracleAnswer[]>;
  /** Tries whether its answers are probabilities. @throws InputError if they are not. */
  probe(): Promise<OracleProbe>;
  close(): Promise<void>;
}
