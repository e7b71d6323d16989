/** The graph of a program whose data stood in another order, beside the one that is scored. */
import { isRecord } from "../../../base/record.ts";
import type { Extraction } from "./extraction.ts";
import { readExtraction } from "./read_extraction.ts";

/** Reading of the reordered data that the host adds to a graph. */
export interface Reordered {
  /** Row `order[i]` of the data stood at row `i`. */
  readonly order: readonly number[];
  /** Graph that the extraction script printed then. */
  readonly graph?: unknown;
  /** Why it printed none. */
  readonly failed?: string;
}

/** That graph as it was read, or why there is none. */
export interface OtherReading {
  readonly order: Int32Array;
  readonly extraction?: Extraction;
  readonly failed?: string;
}

/** The second reading beside a graph; undefined if there is none. */
export function readReordered(graph: unknown): OtherReading | undefined {
  const reordered = isRecord(graph) && graph.reordered;
  if (!isRecord(reordered)) return undefined;
  const order = Int32Array.from(reordered.order as readonly number[]);
  if (typeof reordered.failed === "string") return { order, failed: reordered.failed };
  const read = readExtraction(reordered.graph);
  if (read.kind === "model") return { order, extraction: read.extraction };
  return { order, failed: read.kind === "unsupported" ? read.construct : read.what };
}
