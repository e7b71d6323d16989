/** Finds what the constants of a program were computed from, and what that costs to write. */
import type { GraphBuilder } from "./builder.ts";
import { choice, digit, lengthOf, lengthOfArray } from "./code_length.ts";
import type { GraphNode, NodeId } from "./node.ts";
import type { Origin } from "./program.ts";
import { sizeOf } from "./shape.ts";

/** Nats of a step that makes a number of others: one of eight that there are, ln 8. */
export const ofStep = 2.0794415416798357;
/** Nats of a number that a function makes of a column: one of two that there would be, ln 2. */
export const ofDataStep = 0.6931471805599453;

/**
 * Origins of the constants among `nodes` that were computed.
 *
 * @param graph where they were made.
 * @param nodes of the canonical graph, whose constants are those of `graph`.
 * @param stated numbers that the data state.
 */
export function originsOf(
  graph: GraphBuilder,
  nodes: readonly GraphNode[],
  stated: ReadonlySet<number>,
): ReadonlyMap<NodeId, Origin> {
  const idOf = new Map(graph.nodes.map((node, id) => [node, id]));
  const origins = new Map<NodeId, Origin>();
  const search = new Search(graph, stated);
  for (const [at, node] of nodes.entries()) {
    const id = node.kind === "constant" ? idOf.get(node) : undefined;
    if (id === undefined || search.isWritten(id)) continue;
    origins.set(at, { ofData: search.ofData(id), parts: search.partsOf(id) });
  }
  return origins;
}

class Search {
  readonly #ofData = new Map<NodeId, boolean>();
  readonly #hasWritten = new Map<NodeId, boolean>();
  readonly #parts = new Map<NodeId, ReadonlyMap<string, number>>();
  readonly #open = new Set<NodeId>();

  constructor(
    private readonly graph: GraphBuilder,
    private readonly stated: ReadonlySet<number>,
  ) {}

  /** Whether a column is below it. */
  ofData(id: NodeId): boolean {
    const known = this.#ofData.get(id);
    if (known !== undefined) return known;
    this.#ofData.set(id, false);
    const found = this.graph.nodes[id].kind === "column" ||
      this.graph.originOf(id).sources.some((one) => this.ofData(one));
    this.#ofData.set(id, found);
    return found;
  }

  /** Whether it was written entry by entry: from nothing, or put in their places without the data. */
  isWritten(id: NodeId): boolean {
    const { sources, arranged } = this.graph.originOf(id);
    if (this.graph.nodes[id].kind === "column") return false;
    if (sources.length === 0) return this.graph.written.has(id);
    return arranged && this.hasWritten(id) && !this.ofData(id);
  }

  /** Whether written numbers are among its sources. */
  hasWritten(id: NodeId): boolean {
    const known = this.#hasWritten.get(id);
    if (known !== undefined) return known;
    this.#hasWritten.set(id, this.graph.written.has(id));
    const { sources } = this.graph.originOf(id);
    const found = this.graph.nodes[id].kind !== "column" &&
      (sources.length === 0
        ? this.graph.written.has(id)
        : sources.some((one) => this.hasWritten(one)));
    this.#hasWritten.set(id, found);
    return found;
  }

  /** Nats of everything that was written below a constant, and of the steps between. */
  partsOf(id: NodeId): ReadonlyMap<string, number> {
    return this.#parts.get(id) ?? this.#description(id);
  }

  /** The shorter of a constant's own description and that of its sources; cycles add nothing. */
  #description(id: NodeId): ReadonlyMap<string, number> {
    const parts = new Map<string, number>();
    if (this.graph.nodes[id].kind === "column") return parts;
    const own = this.ofData(id) || !this.hasWritten(id)
      ? Infinity
      : lengthOfWritten(this.graph, id, this.stated);
    if (this.isWritten(id) || own === 0) return this.#keep(id, parts.set(`${id}`, own));
    const { sources, arranged } = this.graph.originOf(id);
    this.#open.add(id);
    const isCircular = sources.some((one) => this.#open.has(one));
    for (const one of isCircular ? [] : sources) {
      for (const [part, length] of this.partsOf(one)) parts.set(part, length);
    }
    this.#open.delete(id);
    const step = this.#lengthOfStep(id, sources, arranged);
    if (step > 0) parts.set(`step ${id}`, step);
    if (!isCircular && sumOf(parts) <= own) return this.#keep(id, parts);
    parts.clear();
    return this.#keep(id, own < Infinity ? parts.set(`${id}`, own) : parts);
  }

  /** Nats of choosing a number that costs nothing by itself: a statistic, a regular number, a digit, one that is there. */
  #lengthOfChoice(id: NodeId, isThere: boolean): number {
    if (this.ofData(id) || isThere) return choice;
    if (!this.isWritten(id) || lengthOfWritten(this.graph, id, this.stated) > 0) return 0;
    return Math.max(choice, lengthOf(this.graph.valueOf(id)?.values[0] ?? 0, this.stated));
  }

  #keep(id: NodeId, parts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
    this.#parts.set(id, parts);
    return parts;
  }

  /** Arrays of the data are there to be computed with; arithmetic on numbers can make any number of few. */
  #lengthOfStep(id: NodeId, sources: readonly NodeId[], arranged: boolean): number {
    const entries = sizeOf(this.graph.shapeOf(id));
    const areNumbers = sources.every((one) => sizeOf(this.graph.shapeOf(one)) === 1);
    const choices = areNumbers && entries === 1 && sources.length > 1
      ? sources.reduce(
        (sum, one, i) => sum + this.#lengthOfChoice(one, sources.indexOf(one) < i),
        0,
      )
      : 0;
    if (!this.ofData(id)) return this.hasWritten(id) ? ofStep + choices : 0;
    if (!areNumbers) return 0;
    if (entries === 1) return sources.length > 1 ? ofStep + choices : 0;
    return arranged && entries > sources.length ? entries * ofStep : 0;
  }
}

function sumOf(parts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const length of parts.values()) sum += length;
  return sum;
}

/** Nats of a constant; a written whole number of one digit is part of a function's form, and costs nothing. */
function lengthOfWritten(graph: GraphBuilder, id: NodeId, stated: ReadonlySet<number>): number {
  const value = graph.valueOf(id);
  if (!value) return 0;
  const { values, shape } = value;
  if (values.length > 1) return lengthOfArray(values, shape.at(-1));
  const length = values.length === 1 ? lengthOf(values[0], stated) : 0;
  const isDigit = length <= digit && Number.isInteger(values[0]);
  return isDigit && graph.originOf(id).sources.length === 0 ? 0 : length;
}
