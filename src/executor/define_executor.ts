/** Executors of one's own: the default export of a module that a pipeline names by path. */
import type { ColumnRole, ColumnType, Dataset } from "../base/dataset.ts";
import { responseColumn } from "../base/dataset.ts";
import { digestOf } from "../base/digest.ts";
import { isRecord } from "../base/record.ts";
import type { SandboxLevel } from "../base/sandbox_level.ts";

/** A column as an executor sees it. */
export interface BlindColumn {
  /** As programs name it. */
  readonly name: string;
  /** Role of the column in programs. */
  readonly role: ColumnRole;
  /** Type of its values. */
  readonly type: ColumnType;
  /** Extents; one number for a column of scalars. */
  readonly shape: readonly number[];
  /** Absent of the response: the reader of a program does not see the values that it is scored against. */
  readonly values?: Float64Array;
}

/** An executor's reading of a program; the engine checks and scores this alone. */
export type Reading =
  /** A program in the language that the engine reads. */
  | { readonly kind: "text"; readonly text: string }
  /** A graph in the form in which `src/engine/language/graph_import/extract.py` prints PyMC's. */
  | { readonly kind: "graph"; readonly graph: unknown }
  /** No program; it fails, for the reason in the message. */
  | { readonly kind: "rejected"; readonly message: string };

/** How an executor of one's own reads programs. */
export interface ExecutorDefinition {
  /** Names it in artifacts; none of the built-in names. */
  readonly name: string;
  /**
   * Confinement of a program's text while it is read. `L1`: in the process of a stage, where every
   * executor of one's own runs, as data. `L0`: the text is evaluated there; no judge then sees the
   * result.
   */
  readonly level: "L0" | "L1";
  /** Digest of all that `read` depends on beside its arguments: a version, if nothing else. */
  readonly digest: string;
  /** Reads a program for the engine. The same arguments give the same reading. */
  read(program: string, columns: readonly BlindColumn[]): Reading | Promise<Reading>;
}

/**
 * Declares an executor of one's own: a target has `executor = "./mine.ts"`. It gives the engine
 * something to check, never a score.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../base/dataset.ts";
 * import { blindColumns, defineExecutor } from "./define_executor.ts";
 *
 * const formula = defineExecutor({
 *   name: "formula",
 *   level: "L1",
 *   digest: "1",
 *   read(program) {
 *     const [, y, x] = /^(\w+) ~ (\w+)$/.exec(program) ?? [];
 *     if (y === undefined) return { kind: "rejected", message: `"${program}" is no formula` };
 *     return {
 *       kind: "text",
 *       text: `import pymc as pm
 *
 * with pm.Model() as model:
 *     slope = pm.Normal("slope", mu=0, sigma=2)
 *     sigma = pm.HalfNormal("sigma", sigma=1)
 *     pm.Normal("${y}", mu=slope * data["${x}"], sigma=sigma, observed=data["${y}"])
 * `,
 *     };
 *   },
 * });
 *
 * const values = Float64Array.of(1, 2, 3);
 * const data = makeDataset("line", [
 *   { name: "age", role: "predictor", type: "real", values },
 *   { name: "length", role: "response", type: "real", values },
 * ]);
 * const columns = blindColumns(data);
 * assert.equal(columns[1].values, undefined);
 * const reading = await formula.read("length ~ age", columns);
 * assert(reading.kind === "text" && reading.text.includes('observed=data["length"]'));
 * ```
 */
export function defineExecutor(definition: ExecutorDefinition): ExecutorDefinition {
  return definition;
}

/** True for the default export of a module made with {@link defineExecutor}. */
export function isExecutorDefinition(value: unknown): value is ExecutorDefinition {
  if (typeof value !== "object" || value === null) return false;
  const { name, level, digest, read } = value as Partial<ExecutorDefinition>;
  return typeof name === "string" && typeof digest === "string" && typeof read === "function" &&
    (level === "L0" || level === "L1");
}

/** The columns of a data set without the values of the response, and without ignored ones. */
export function blindColumns(dataset: Dataset): readonly BlindColumn[] {
  const response = responseColumn(dataset);
  return dataset.columns.filter(({ role }) => role !== "ignore").map((column) => {
    const { name, role, type, values, shape = [values.length] } = column;
    return { name, role, type, shape, ...(column === response ? {} : { values: values.slice() }) };
  });
}

/** An executor of one's own for the runner, which never sees its code. */
export interface Reader {
  readonly name: string;
  readonly level: SandboxLevel;
  readonly digest: string;
}

/** SHA-256 of an executor of one's own whose engine has this digest. */
export function readerDigest(reader: Reader, engine: string): string {
  const { name, digest } = reader;
  return digestOf([engine, "own", name, levelOfReader(reader), digest]);
}

/** The level of an execution whose text was read by an executor of one's own. */
export function levelOfReader({ level }: Reader): "L0" | "L1" {
  return level === "L0" ? "L0" : "L1";
}

/** @throws TypeError if a reading is of no kind that there is. */
export function checkReading(reading: unknown, by: string): Reading {
  if (isRecord(reading)) {
    if (reading.kind === "text" && typeof reading.text === "string") return reading as never;
    if (reading.kind === "graph" && reading.graph !== undefined) return reading as never;
    if (reading.kind === "rejected" && typeof reading.message === "string") return reading as never;
  }
  throw new TypeError(
    `the executor "${by}" gave ${JSON.stringify(reading)?.slice(0, 100)}, which is no reading: ` +
      'return { kind: "text", text }, { kind: "graph", graph } or { kind: "rejected", message }',
  );
}
