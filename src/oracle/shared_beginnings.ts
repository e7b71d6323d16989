/** Scores calls as one tree of tokens, so that a beginning which several share is computed once. */
import type { Body } from "../models/decoder/mod.ts";
import { type HeadRow, LayeredPass, type TokenTree } from "../models/training/mod.ts";
import type { OracleCall } from "./oracle.ts";

/** A tree of all tokens but the last of each call, and where each scored token stands in it. */
interface CallTree {
  readonly tree: TokenTree;
  readonly rows: readonly HeadRow[];
  /** Row of each scored token of each call, and its place among those picked there. */
  readonly places: readonly (readonly { readonly row: number; readonly pick: number }[])[];
}

interface Node {
  readonly index: number;
  readonly children: Map<number, Node>;
}

/**
 * The tree of calls.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { treeOfCalls } from "./shared_beginnings.ts";
 * const { tree, rows } = treeOfCalls([
 *   { prompt_ids: [0, 1], ids: [2, 3] },
 *   { prompt_ids: [0, 1], ids: [4, 3] },
 * ]);
 * assert.deepEqual([...tree.ids], [0, 1, 2, 4]);
 * assert.deepEqual([...rows[0].picked!], [2, 4]); // what may follow 0 1
 * ```
 */
export function treeOfCalls(calls: readonly OracleCall[]): CallTree {
  const [ids, parents]: [number[], number[]] = [[], []];
  const root: Node = { index: -1, children: new Map() };
  const picked = new Map<number, number[]>();
  const places = calls.map(({ prompt_ids, ids: scored }) => {
    let node = root;
    const found: { node: number; pick: number }[] = [];
    [...prompt_ids, ...scored].forEach((id, i, all) => {
      if (i >= prompt_ids.length) found.push({ node: node.index, pick: pickOf(picked, node, id) });
      if (i < all.length - 1) node = childOf(node, id, ids, parents);
    });
    return found;
  });
  const nodes = [...picked.keys()].sort((a, b) => a - b);
  const rowOf = new Map(nodes.map((node, row) => [node, row]));
  return {
    tree: { ids: Int32Array.from(ids), parents: Int32Array.from(parents) },
    rows: nodes.map((node) => {
      return { node, legal: "all", picked: Int32Array.from(picked.get(node)!) };
    }),
    places: places.map((one) => one.map(({ node, pick }) => ({ row: rowOf.get(node)!, pick }))),
  };
}

function pickOf(picked: Map<number, number[]>, { index }: Node, id: number): number {
  const list = picked.get(index) ?? [];
  picked.set(index, list);
  const known = list.indexOf(id);
  return known >= 0 ? known : list.push(id) - 1;
}

function childOf(node: Node, id: number, ids: number[], parents: number[]): Node {
  const known = node.children.get(id);
  if (known) return known;
  const child: Node = { index: ids.length, children: new Map() };
  node.children.set(id, child);
  ids.push(id);
  parents.push(node.index);
  return child;
}

/** Tokens of a tree, unless one call is longer. */
const mostTokens = 2048;

/**
 * log p of the scored tokens of each call, nats.
 *
 * @throws InputError if an id is beyond the vocabulary, or a call longer than the context.
 */
export function scoreCalls(body: Body, calls: readonly OracleCall[]): number[][] {
  const found: number[][] = [];
  for (const group of groupsOf(calls)) {
    const { tree, rows, places } = treeOfCalls(group);
    const options = { grad: false, keptBytes: 0, embedding: undefined };
    const pass = new LayeredPass(body, tree, rows, options);
    found.push(
      ...places.map((one) => one.map(({ row, pick }) => pass.logProbabilities[row][pick])),
    );
    pass.release();
  }
  return found;
}

function groupsOf(calls: readonly OracleCall[]): OracleCall[][] {
  const groups: OracleCall[][] = [];
  let tokens = Infinity;
  for (const call of calls) {
    const more = call.prompt_ids.length + call.ids.length;
    if (tokens + more > mostTokens) [tokens, groups[groups.length]] = [0, []];
    groups[groups.length - 1].push(call);
    tokens += more;
  }
  return groups;
}
