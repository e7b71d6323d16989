/** The messages between the runner and the process of a stage, one frame each. */
import type { Diagnostic } from "../../base/diagnostic.ts";
import type { FrameCaps } from "../../base/frames.ts";
import type { BestOf, Wires } from "../read/resolved.ts";
import type { Part } from "../store/checkpoints.ts";

/** Frames of a stage: rows are cut into small ones, artifacts and checkpoints may be large. */
export const stageFrameCaps: FrameCaps = { json: 1 << 28, payload: 2 ** 31 };

/** One stage, for its process. */
export interface UnitJob {
  /** `train.sample`. */
  readonly name: string;
  /** Key of the kind in the generated entry. */
  readonly kind: string;
  /** Parameters as written, file paths absolute; the process parses them with the kind's schema. */
  readonly params: unknown;
  readonly inputs: Wires;
  readonly wired: Readonly<Record<string, Wires>>;
  readonly every: number;
}

export interface LoopJob {
  readonly steps: number;
  readonly checkpointEvery: number;
  readonly keepEvery?: number;
  readonly best?: BestOf;
  readonly staleness: number;
  readonly state: Wires;
  readonly next: Wires;
  /** In topological order. */
  readonly stages: readonly UnitJob[];
}

/** An artifact of another stage; its bytes follow in the payload, in the order of the list. */
export interface ArtifactPart {
  /** `warm_start.policy`. */
  readonly key: string;
  readonly type: string;
  readonly bytes: number;
}

/** Job of a stage's process. */
export interface StageJob {
  readonly name: string;
  /** The stream key of everything random. */
  readonly seed: number;
  readonly backend?: string;
  readonly unit?: UnitJob;
  readonly loop?: LoopJob;
  readonly artifacts: readonly ArtifactPart[];
  /** A checkpoint to go on from; its parts follow the artifacts in the payload. */
  readonly resume?: { readonly step: number; readonly parts: readonly Part[] };
}

/** Stages to check in one process. */
export interface CheckJob {
  readonly units: readonly CheckUnit[];
  readonly seed: number;
}

/** One stage of a check; wires lead to the stages that give values, through states of loops too. */
export interface CheckUnit {
  readonly name: string;
  readonly kind: string;
  readonly params: unknown;
  readonly inputs: Wires;
  readonly wired: Readonly<Record<string, Wires>>;
  /** Of the loop that it is in. */
  readonly staleness?: number;
}

/** Finding of a check in a stage. */
export interface StageFinding {
  readonly stage: string;
  readonly diagnostic: Diagnostic;
}

export type ToStage =
  | { readonly type: "check"; readonly job: CheckJob }
  | { readonly type: "start"; readonly job: StageJob }
  /** A question to the module of an `answer` entry. */
  | { readonly type: "call"; readonly ask: unknown }
  /** The answer of a service, as a cell: see `encodeCell`. */
  | { readonly type: "answered"; readonly id: number; readonly answer: unknown }
  | { readonly type: "refused"; readonly id: number; readonly fault: StageFault }
  /** Finish the step, write a checkpoint, end. */
  | { readonly type: "stop" };

/** Why a stage ended without outputs. */
export interface StageFault {
  /** Name of the error: `InputError`, `NotCapable`, `MissingPartError`. */
  readonly name: string;
  /** Fault, in a sentence. */
  readonly message: string;
  /** The inner stage and step, where known. */
  readonly stage?: string;
  /** Step of the loop, from 1. */
  readonly step?: number;
  /** Stack trace of an error that is not the user's input. */
  readonly stack?: string;
  /** Findings of an InputError, with their places. */
  readonly diagnostics?: readonly Diagnostic[];
  /** How to get a part that the environment lacks. */
  readonly remedy?: string;
}

export type FromStage =
  | { readonly type: "rows"; readonly table: string; readonly rows: readonly EncodedRow[] }
  | {
    readonly type: "log";
    readonly stage: string;
    readonly step: number;
    readonly message: string;
    readonly level: "info" | "warning";
  }
  | {
    readonly type: "progress";
    readonly stage: string;
    readonly step: number;
    readonly steps: number;
    readonly distinct: number;
    readonly status: Readonly<Record<string, number | string>>;
  }
  /** An object that later requests name by its key, as a cell. */
  | { readonly type: "shared"; readonly key: number; readonly value: unknown }
  | {
    readonly type: "ask";
    readonly id: number;
    readonly stage: string;
    readonly step: number;
    /** Name of the service. */
    readonly service: string;
    /** Fields of the request as cells, but those that are objects. */
    readonly request: Readonly<Record<string, unknown>>;
    /** Keys of the fields that are objects: a data set is sent once, not with every request. */
    readonly shared: Readonly<Record<string, number>>;
  }
  | { readonly type: "checkpoint"; readonly step: number; readonly parts: readonly Part[] }
  /** The parts are the outputs by port; their types stand beside them. */
  | { readonly type: "done"; readonly outputs: readonly ArtifactPart[]; readonly maxRssKib: number }
  | { readonly type: "stopped"; readonly step: number }
  | { readonly type: "failed"; readonly fault: StageFault }
  /** Answer of a `check` entry. */
  | { readonly type: "checked"; readonly findings: readonly StageFinding[] }
  /** Answer of an `answer` entry. */
  | { readonly type: "result"; readonly value: unknown }
  /** Answer of a `describe` entry. */
  | { readonly type: "described"; readonly declaration: unknown };

/** A row as a frame carries it: see `encodeCell`. */
export type EncodedRow = Readonly<Record<string, unknown>>;

/** The pieces that `joinParts` joined, as copies. */
export function splitParts(payload: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  let at = 0;
  return lengths.map((length) => payload.slice(at, at += length));
}

/**
 * A cell as JSON: numbers that JSON lacks, typed arrays, dates and bytes keep their meaning.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { encodeCell } from "./messages.ts";
 * assert.deepEqual(encodeCell([1, Infinity]), [1, { $number: "Infinity" }]);
 * ```
 */
export function encodeCell(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : { $number: `${value}` };
  if (typeof value === "bigint") return { $bigint: `${value}` };
  if (value instanceof Date) return { $date: value.getTime() };
  if (ArrayBuffer.isView(value)) return [...value as unknown as Iterable<number>].map(encodeCell);
  if (Array.isArray(value)) return value.map(encodeCell);
  if (typeof value !== "object" || value === null) return value ?? null;
  const entries = Object.entries(value).filter(([, cell]) => cell !== undefined);
  return Object.fromEntries(entries.map(([key, cell]) => [key, encodeCell(cell)]));
}

/**
 * The cell that {@link encodeCell} encoded; typed arrays come back as arrays.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { decodeCell, encodeCell } from "./messages.ts";
 * assert.deepEqual(decodeCell(encodeCell([2n, NaN])), [2n, NaN]);
 * ```
 */
export function decodeCell(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decodeCell);
  if (typeof value !== "object" || value === null) return value;
  const { $number, $bigint, $date } = value as Record<string, unknown>;
  if (typeof $number === "string") return Number($number);
  if (typeof $bigint === "string") return BigInt($bigint);
  if (typeof $date === "number") return new Date($date);
  return Object.fromEntries(Object.entries(value).map(([key, cell]) => [key, decodeCell(cell)]));
}
