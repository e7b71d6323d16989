/** The messages that a supervisor and its worker exchange, one JSON frame each. */
import type { DatasetJson } from "../base/dataset.ts";
import { isRecord } from "../base/record.ts";
import type { Schedule } from "../engine/score/execution/mod.ts";
import type { FrameCaps } from "../base/frames.ts";
import type { TheoryAsk } from "./theories/messages.ts";

/** Probes: forbidden actions that a worker tries from inside. */
export const probeNames = ["read", "write", "net", "run", "env", "sys", "codegen"] as const;
export type ProbeName = (typeof probeNames)[number];
export type Probes = Readonly<Record<ProbeName, "denied" | "open">>;

/** First frame of a worker, sent before it reads anything. */
interface HelloMessage {
  readonly kind: "hello";
  readonly denoVersion: string;
  readonly probes: Probes;
}

/** First frame to a worker: data that all its jobs share. */
export interface SetupMessage {
  readonly kind: "setup";
  readonly dataset: DatasetJson;
  readonly schedule: Schedule;
  /** Milliseconds of CPU time per program, which the worker itself keeps an eye on. */
  readonly cpuMs: number;
}

/** How a worker's fault begins when a program has used up its CPU time. */
export const cpuLimitFault = "CPU limit: ";

/** Program to score. */
export interface Job {
  /** Its text. */
  readonly program: string;
  /** The graph that PyMC built of it, as the front end printed it; the engine reads the text else. */
  readonly graph?: unknown;
  /** Name of the program in diagnostics; `program.py` if left out. */
  readonly file?: string;
  /** Replaces the setup's schedule. */
  readonly schedule?: Schedule;
  /** Result wanted beside the score, or instead of it; none if left out. */
  readonly wanted?: Wanted;
}

/** Results that a job may ask for. */
type Wanted =
  /** The findings of the check alone; nothing is scored. */
  | { readonly kind: "check" }
  /** Findings of the check in each of these texts, in the payload; nothing is scored. */
  | { readonly kind: "checks"; readonly programs: readonly string[] }
  /** Whether the likelihood is a distribution, in the payload; nothing is scored. */
  | { readonly kind: "likelihood"; readonly draws: number }
  /** The graph as text in the payload, as JSON of a `PrintedGraph`; nothing is scored. */
  | { readonly kind: "printed" }
  /** Whether the text may run in PyMC, with other packages too; nothing is scored. */
  | { readonly kind: "allowed"; readonly packages?: readonly string[] }
  /** Summaries of parameters and predictive checks. */
  | { readonly kind: "summaries" }
  /** Summaries, and all draws in the payload, as `packInferenceData` packs them. */
  | { readonly kind: "inference_data" }
  /**
   * Predictive draws `[draws, rows]` at new rows in the payload, as numbers of eight bytes; averages of
   * expected responses `[draws, blocks]`, where each block has so many rows.
   */
  | {
    readonly kind: "predictions";
    readonly rows: number;
    readonly each?: number;
    /** `[rows]` by column. */
    readonly columns: Readonly<Record<string, readonly number[]>>;
  }
  /** Densities of outcomes at new rows for each draw `[rows, draws, points]`, as numbers of four bytes. */
  | {
    readonly kind: "outcomes";
    readonly rows: number;
    /** `[rows]` by column. */
    readonly columns: Readonly<Record<string, readonly number[]>>;
    /** Outcomes of each row. */
    readonly points: number;
    /** `[rows, points]`. */
    readonly values: readonly number[];
    /** Draws at most. */
    readonly draws: number;
  }
  /** Answer of the program, or of theories that the request names, about rows: JSON in the payload. */
  | { readonly kind: "theory"; readonly ask: TheoryAsk };

/** One program to score. */
export interface JobMessage extends Job {
  readonly kind: "job";
  readonly id: number;
}

/** The answer to a job: an execution in the form of `encodeExecution`. */
interface ResultMessage {
  readonly kind: "result";
  readonly id: number;
  readonly execution: unknown;
  /** By the worker's own account; information, never a limit. */
  readonly cpuMs: number;
  readonly rssKib: number;
}

/** The engine threw: a bug, or memory; never the program's doing. */
interface FaultMessage {
  readonly kind: "fault";
  readonly id: number;
  readonly message: string;
}

/** Limits of a worker's input: a data set of up to 64 MiB. */
export const workerInputCaps: FrameCaps = { json: 64 << 20, payload: 0 };

/** The hello in a frame, or undefined if the frame is anything else. */
export function readHello(json: unknown): HelloMessage | undefined {
  if (!isRecord(json) || json.kind !== "hello" || typeof json.denoVersion !== "string") return;
  const probes = json.probes;
  if (!isRecord(probes)) return;
  const known = probeNames.every((name) => probes[name] === "denied" || probes[name] === "open");
  return known ? json as unknown as HelloMessage : undefined;
}

/** The answer in a frame to job `id`, or undefined if the frame is anything else. */
export function readAnswer(json: unknown, id: number): ResultMessage | FaultMessage | undefined {
  if (!isRecord(json) || json.id !== id) return undefined;
  const fault = json.kind === "fault" && typeof json.message === "string";
  const result = json.kind === "result" && isNatural(json.cpuMs) && isNatural(json.rssKib);
  return fault || result ? json as unknown as ResultMessage | FaultMessage : undefined;
}

function isNatural(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
