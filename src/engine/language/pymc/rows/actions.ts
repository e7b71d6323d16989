/** How elements of a variable may be exchanged where rows change places: with the rows, with their codes, or not. */
import type { GraphNode, NodeId } from "../../ir/node.ts";
import type { Parameter, Transform } from "../../ir/program.ts";
import { type Shape, sizeOf, stridesOf } from "../../ir/shape.ts";
import { type Action, type RowModel, wayOf } from "./twin_graphs.ts";

/** Relabellings that are tried at most. */
const mostRelabellings = 8;
/** Nor are more actions on one variable. */
const mostActions = 64;

/** Other numberings of the codes along an axis of a length, by that length. */
type Relabellings = ReadonlyMap<number, readonly Action[]>;

/**
 * Possible images of a variable's elements in the other graph: the identity; along an axis as long as there
 * are rows, the element of the moved row; along an axis of codes that are numbered by their first row, that
 * of the other numbering; or along several axes at once. The first leaves everything in its place.
 */
export function possibleActions(
  { shape, transform }: Parameter,
  order: Int32Array,
  relabellings: Relabellings,
): readonly (Action | undefined)[] {
  let found: (Action | undefined)[] = [undefined];
  if (hasOrder(transform)) return found;
  for (const [axis, extent] of shape.entries()) {
    const rows = extent === order.length ? [order] : [];
    const own = [...rows, ...relabellings.get(extent) ?? []];
    const moved = own.map((codes) => alongAxis(shape, axis, codes));
    const both = found.flatMap((before) => moved.map((one) => followed(before, one)));
    found = [...found, ...both].slice(0, mostActions);
  }
  return found;
}

/** One action after another: codes of several axes may be numbered by their first row, `cell[a, b]`. */
function followed(first: Action | undefined, second: Action): Action {
  return first ? second.map((at) => first[at]) : second;
}

/** Values that ascend, or are the rows of a triangle, are not exchangeable whatever their density is. */
function hasOrder(transform: Transform): boolean {
  if (transform.kind === "chain") return transform.parts.some(hasOrder);
  return transform.kind === "ordered" || transform.kind === "cholesky_factor" ||
    transform.kind === "walk";
}

function alongAxis(shape: Shape, axis: number, order: Int32Array): Action {
  const stride = stridesOf(shape)[axis];
  const extent = shape[axis];
  return Int32Array.from({ length: sizeOf(shape) }, (_, i) => {
    const at = Math.floor(i / stride) % extent;
    return i + (order[at] - at) * stride;
  });
}

/** An axis that elements are chosen from by row: which one is chosen for each row. */
interface Choice {
  readonly extent: number;
  readonly codes: Int32Array;
}

/** Numberings that turn the codes of one graph into those of the other, whose rows stand in another order. */
export function relabellingsOf(
  first: RowModel,
  second: RowModel,
  order: Int32Array,
): Relabellings {
  const found = new Map<number, Action[]>();
  const others = choicesOf(second, order.length);
  for (const { extent, codes } of choicesOf(first, order.length)) {
    for (const other of others) {
      const known = found.get(extent) ?? [];
      if (other.extent !== extent || known.length >= mostRelabellings) continue;
      const action = relabelling(codes, other.codes, order, extent);
      if (action && !known.some((one) => `${one}` === `${action}`)) known.push(action);
      found.set(extent, known);
    }
  }
  return found;
}

function choicesOf({ graph }: RowModel, rows: number): Choice[] {
  return graph.nodes.flatMap((node, id) => choicesIn(graph, node, id, rows));
}

function choicesIn(
  graph: RowModel["graph"],
  node: GraphNode,
  id: NodeId,
  rows: number,
): Choice[] {
  const ways = graph.isHost(id) ? undefined : wayOf(graph, node);
  if (!ways || node.shape[0] !== rows) return [];
  const source = sourceShape(graph, node.args[0]);
  const width = ways.length / rows;
  const strides = stridesOf(source);
  return source.flatMap((extent, axis) => {
    if (extent < 2 || extent > rows) return [];
    const codes = Int32Array.from(
      { length: rows },
      (_, i) => Math.floor(ways[i * width] / strides[axis]) % extent,
    );
    return [{ extent, codes }];
  });
}

/** The shape before a reshape: flat positions determine their axes there. */
function sourceShape(graph: RowModel["graph"], id: NodeId): Shape {
  const node = graph.nodes[id];
  return node.kind === "reshape" ? graph.shapeOf(node.args[0]) : node.shape;
}

/** The code of the first graph for each code of the second; undefined if unknown, or the same one. */
function relabelling(
  codes: Int32Array,
  others: Int32Array,
  order: Int32Array,
  extent: number,
): Action | undefined {
  const action = new Int32Array(extent).fill(-1);
  const taken = new Set<number>();
  for (let i = 0; i < order.length; i++) {
    const [code, other] = [codes[order[i]], others[i]];
    if (action[other] === code) continue;
    if (action[other] >= 0 || taken.has(code)) return undefined;
    action[other] = code;
    taken.add(code);
  }
  const free = Array.from({ length: extent }, (_, code) => code).filter((code) => !taken.has(code));
  for (let code = 0; code < extent; code++) if (action[code] < 0) action[code] = free.shift()!;
  return action.every((code, i) => code === i) ? undefined : action;
}
