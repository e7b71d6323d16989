/** Messages to the processes of oracles, one frame each: requests in, answers out. */
import { commandLine } from "../base/command_name.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import type { FrameCaps } from "../base/frames.ts";
import type { ScoredText, TextIds } from "../models/text/mod.ts";
import type { TrainerRequest } from "../models/training/mod.ts";
import type {
  OracleAnswer,
  OracleCall,
  OracleDraw,
  OracleProbe,
  ServerIdentity,
} from "./oracle.ts";

/** The text by which a server is known, and its ids by the tokenizer of the project. */
export interface ServerTrial {
  readonly text: string;
  readonly ids: readonly number[];
}

/** A version of an adapter, and the folder that its server reads it from. */
export interface ServedAdapter {
  readonly name: string;
  readonly path: string;
  /** Ids of the text by which the server is identified. */
  readonly ids: readonly number[];
}

/** Requests to a process, with the type of each answer. */
export interface OracleWork {
  readonly encode: { readonly asked: readonly ScoredText[]; readonly answer: readonly TextIds[] };
  readonly score: {
    readonly asked: readonly OracleCall[];
    readonly answer: readonly OracleAnswer[];
  };
  readonly draw: {
    readonly asked: readonly OracleDraw[];
    readonly answer: readonly OracleAnswer[];
  };
  readonly identify: { readonly asked: ServerTrial; readonly answer: ServerIdentity };
  readonly probe: { readonly asked: readonly OracleCall[]; readonly answer: OracleProbe };
  readonly adapt: { readonly asked: ServedAdapter; readonly answer: null };
  /** Request to a server that trains; null releases all models. */
  readonly train: { readonly asked: TrainerRequest | null; readonly answer: unknown };
}

/** A request; answers come in the order of requests. */
export type OracleRequest = {
  readonly [K in keyof OracleWork]: { readonly op: K; readonly asked: OracleWork[K]["asked"] };
}[keyof OracleWork];

/** An answer, or why there is none. */
export type OracleReply =
  | { readonly kind: "answer"; readonly answer: unknown }
  | {
    readonly kind: "refused";
    readonly message: string;
    readonly diagnostics?: readonly Diagnostic[];
    readonly remedy?: string;
  };

/** Batches of texts and of numbers. */
export const oracleCaps: FrameCaps = { json: 1 << 28, payload: 0 };

/** Remedy by which a process reports a missing library as its only fault. */
export const blasRemedy: string = commandLine("install", "blas");
