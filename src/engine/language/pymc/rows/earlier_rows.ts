/** Rows that follow each other in time: a row's term may look at earlier rows of the response, and at no others. */
import { eventRankOf } from "../../distributions/table.ts";
import type { GraphBuilder } from "../../ir/builder.ts";
import type { GraphNode, NodeId } from "../../ir/node.ts";
import { distributionNodes } from "../../ir/canonical.ts";
import type { Distribution } from "../../ir/program.ts";
import { broadcastIndex, type Shape, sizeOf, stridesOf } from "../../ir/shape.ts";
import type { ModelState } from "../model_state.ts";

/** No row of the response. */
const never = -1;

/**
 * Refuses a program in which the term of a row depends on that row of the response or on a later one, in which a
 * prior depends on any, or whose first observed row is one that is judged. Decided element by element on the graph,
 * so that no spelling matters.
 */
export function checkEarlierRows(checking: ModelState, first: number): void {
  const { likelihood, response, graph } = checking;
  if (!likelihood || !response) return;
  const { from = 0, distribution } = likelihood;
  if (from > first) return refuseLongLags(checking, from, first);
  const latest = new LatestRows(graph, response.name);
  const later = firstLater(latest, distribution, from);
  if (later) {
    const message = `Cannot score the program: the term of row ${later.row + 1} looks at row ` +
      `${later.sees + 1} of "${response.name}", which is not earlier`;
    const hint =
      `lag it: ${response.name}[:-1] predicts ${response.name}[1:], and nothing else may look ` +
      "at the response";
    return refuse(checking, message, hint, later.node);
  }
  checking.parameters.forEach(({ name, prior }, k) => {
    const node = distributionNodes(prior).find((id) => latest.of(id).some((row) => row !== never));
    if (node === undefined) return;
    const message =
      `Cannot score the program: the prior of "${name}" looks at rows of "${response.name}"`;
    const hint = "earlier rows may come into the likelihood's arguments alone";
    checking.error("lh/protected-use-before-score", message, checking.parameterPlaces[k], hint);
  });
}

function refuse(checking: ModelState, message: string, hint: string, node: NodeId): void {
  const place = checking.placeOf(node) ?? checking.modelPlace ?? { start: 0, end: 0 };
  checking.error("lh/protected-use-before-score", message, place, hint);
}

function refuseLongLags(checking: ModelState, from: number, first: number): void {
  const message = `Cannot score the program: it observes rows from ${from + 1} on, but rows from ` +
    `${first + 1} on are judged`;
  const hint =
    `use fewer lags, or leave ${from} rows unjudged: time_first = ${from} in the target, ` +
    `--time-first ${from}`;
  checking.error("data/lags", message, checking.modelPlace ?? { start: 0, end: 0 }, hint);
}

/** A row whose term depends on one that is not earlier. */
interface Later {
  readonly row: number;
  readonly sees: number;
  readonly node: NodeId;
}

function firstLater(
  latest: LatestRows,
  distribution: Distribution,
  from: number,
): Later | undefined {
  for (const { node, seen } of seenByRow(latest, distribution)) {
    const k = seen.findIndex((row, i) => row >= i + from);
    if (k >= 0) return { row: k + from, sees: seen[k], node };
  }
  return undefined;
}

/** By argument, the latest row of the response that each row's part of it depends on. */
function* seenByRow(
  latest: LatestRows,
  distribution: Distribution,
): Generator<{ readonly node: NodeId; readonly seen: Int32Array }> {
  const { shape, args, components = [] } = distribution;
  const rows = shape[0] ?? 1;
  const event = eventRankOf(distribution);
  const isJoint = event > 0 && event === shape.length;
  const axes = Math.max(1, shape.length - event);
  for (const [k, node] of args.entries()) {
    const elements = latest.of(node);
    // Of one normal vector only the location belongs to rows.
    const apart = isJoint && k > 0
      ? undefined
      : byRow(elements, latest.graph.shapeOf(node), rows, axes);
    yield { node, seen: apart ?? new Int32Array(rows).fill(maximum(elements)) };
  }
  for (const one of components) {
    const own = one.shape[0] === rows ? one : { ...one, shape: [rows, ...one.shape] };
    yield* seenByRow(latest, own);
  }
}

/** The latest of each row, if the first axis of an argument is that of the rows. */
function byRow(
  elements: Int32Array,
  own: Shape,
  rows: number,
  axes: number,
): Int32Array | undefined {
  if (own[0] !== rows || own.length < axes) return undefined;
  const width = elements.length / rows;
  return Int32Array.from(
    { length: rows },
    (_, row) => maximum(elements.subarray(row * width, (row + 1) * width)),
  );
}

function maximum(rows: Int32Array): number {
  return rows.reduce((most, row) => Math.max(most, row), never);
}

/** The latest row of the response that each element of a node depends on, −1 for none. */
class LatestRows {
  readonly #known = new Map<NodeId, Int32Array>();

  constructor(readonly graph: GraphBuilder, readonly column: string) {}

  of(id: NodeId): Int32Array {
    const known = this.#known.get(id);
    if (known) return known;
    // Nodes come after what they are made of.
    const pending = [id];
    while (pending.length > 0) {
      const next = pending[pending.length - 1];
      const missing = this.graph.nodes[next].args.filter((arg) => !this.#known.has(arg));
      if (missing.length > 0) pending.push(...missing);
      else {
        pending.pop();
        if (!this.#known.has(next)) this.#known.set(next, this.#found(this.graph.nodes[next]));
      }
    }
    return this.#known.get(id)!;
  }

  #found(node: GraphNode): Int32Array {
    const size = sizeOf(node.shape);
    const nothing = () => new Int32Array(size).fill(never);
    const args = node.args.map((arg) => this.#known.get(arg)!);
    if (node.kind === "column" && node.column === this.column) {
      const width = size / (node.shape[0] ?? 1);
      return Int32Array.from({ length: size }, (_, i) => Math.floor(i / width));
    }
    if (args.every((one) => maximum(one) === never)) return nothing();
    const shapes = node.args.map((arg) => this.graph.shapeOf(arg));
    switch (node.kind) {
      case "map": {
        const out = nothing();
        args.forEach((one, k) => {
          const index = broadcastIndex(shapes[k], node.shape);
          for (let i = 0; i < size; i++) out[i] = Math.max(out[i], one[index[i]]);
        });
        return out;
      }
      case "reshape":
        return args[0];
      case "gather":
        return Int32Array.from(node.index, (at) => at < 0 ? never : args[0][at]);
      case "take": {
        const index = this.graph.valueOf(node.args[1])?.values;
        const own = args[1];
        return own.map((row, i) => Math.max(row, index ? args[0][index[i]] : maximum(args[0])));
      }
      case "join": {
        const out = nothing();
        let at = 0;
        for (const one of args) {
          out.set(one, at);
          at += one.length;
        }
        return out;
      }
      case "scan":
        return scanned(args[0], shapes[0], node.axis);
      case "reduce":
        return reduced(args[0], shapes[0], node.axes, nothing());
      case "scatter": {
        const out = nothing();
        node.index.forEach((to, i) => {
          if (to >= 0) out[to] = Math.max(out[to], args[0][i]);
        });
        return out;
      }
      case "matmul":
        return multiplied(args, shapes, nothing());
      default:
        return nothing().fill(args.reduce((most, one) => Math.max(most, maximum(one)), never));
    }
  }
}

function scanned(x: Int32Array, shape: Shape, axis: number): Int32Array {
  const out = x.slice();
  const stride = stridesOf(shape)[axis];
  for (let i = 0; i < out.length; i++) {
    if (Math.floor(i / stride) % shape[axis] > 0) out[i] = Math.max(out[i], out[i - stride]);
  }
  return out;
}

function reduced(x: Int32Array, shape: Shape, axes: readonly number[], out: Int32Array) {
  const strides = stridesOf(shape);
  const kept = shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
  for (let i = 0; i < x.length; i++) {
    let to = 0;
    for (const axis of kept) to = to * shape[axis] + Math.floor(i / strides[axis]) % shape[axis];
    out[to] = Math.max(out[to], x[i]);
  }
  return out;
}

/** Of [n, k] × [k, m]: a row and a column. */
function multiplied([a, b]: readonly Int32Array[], shapes: readonly Shape[], out: Int32Array) {
  const [[n, inner], [, m]] = shapes;
  for (let i = 0; i < n; i++) {
    const row = maximum(a.subarray(i * inner, (i + 1) * inner));
    for (let j = 0; j < m; j++) {
      let most = row;
      for (let k = 0; k < inner; k++) most = Math.max(most, b[k * m + j]);
      out[i * m + j] = most;
    }
  }
  return out;
}
