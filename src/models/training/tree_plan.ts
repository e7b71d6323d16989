/** The order in which nodes of a token tree go through layers: depth first, in runs without forks. */
import { inputError } from "../../base/diagnostic.ts";
import type { TokenTree } from "./token_tree.ts";

/** Nodes that follow each other, in consecutive rows. */
export interface Run {
  /** The first row. */
  readonly begin: number;
  /** Number of rows. */
  readonly count: number;
  /** Ancestors of the first row, which are the last nodes seen at each depth above. */
  readonly before: number;
}

/** Rows of a tree. */
export interface TreePlan {
  /** The row of each node. */
  readonly rowOf: Int32Array;
  /** The token of each row. */
  readonly ids: Int32Array;
  /** The depth of each row. */
  readonly depths: Int32Array;
  /** Runs, in order of rows. */
  readonly runs: readonly Run[];
  /** The largest depth, plus one. */
  readonly length: number;
}

/**
 * Plans a tree.
 *
 * @throws InputError if a parent does not come before its child, an id is beyond the vocabulary, or
 * a path is longer than the context.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { planTree } from "./tree_plan.ts";
 *
 * // 5 → 6 → 7, and 5 → 8.
 * const tree = { ids: Int32Array.of(5, 8, 6, 7), parents: Int32Array.of(-1, 0, 0, 2) };
 * const { ids, runs } = planTree(tree, { vocabulary: 9, context: 4 });
 * assert.deepEqual([...ids], [5, 8, 6, 7]);
 * assert.deepEqual(runs.map(({ count, before }) => [count, before]), [[1, 0], [1, 1], [2, 1]]);
 * ```
 */
export function planTree(
  tree: TokenTree,
  { vocabulary, context }: { readonly vocabulary: number; readonly context: number },
): TreePlan {
  checkTree(tree, vocabulary);
  const { ids, parents } = tree;
  const { first, next } = childrenOf(parents);
  const rowOf = new Int32Array(ids.length);
  const [rowIds, depths] = [new Int32Array(ids.length), new Int32Array(ids.length)];
  const runs: { begin: number; count: number; before: number }[] = [];
  const waiting: number[] = [];
  let [row, length] = [0, 0];
  const visit = (node: number) => {
    const parent = parents[node];
    const depth = parent < 0 ? 0 : depths[rowOf[parent]] + 1;
    const goesOn = parent >= 0 && rowOf[parent] === row - 1 && next[first[parent]] < 0;
    if (goesOn) runs[runs.length - 1].count++;
    else runs.push({ begin: row, count: 1, before: depth });
    [rowOf[node], rowIds[row], depths[row]] = [row, ids[node], depth];
    length = Math.max(length, depth + 1);
    row++;
    pushAll(waiting, first[node], next);
  };
  for (let node = 0; node < ids.length; node++) {
    if (parents[node] >= 0) continue;
    waiting.push(node);
    while (waiting.length > 0) visit(waiting.pop()!);
  }
  if (length > context) {
    throw fault("length", `a path has ${length} tokens, there is room for ${context}`);
  }
  return { rowOf, ids: rowIds, depths, runs, length };
}

/** Lists of children, first to last: heads of lists, and the next sibling of a node; −1 ends them. */
function childrenOf(parents: Int32Array) {
  const [first, next] = [0, 0].map(() => new Int32Array(parents.length).fill(-1));
  for (let node = parents.length - 1; node >= 0; node--) {
    const parent = parents[node];
    if (parent < 0) continue;
    next[node] = first[parent];
    first[parent] = node;
  }
  return { first, next };
}

/** Puts a list on a stack, so that its first is taken first. */
function pushAll(stack: number[], head: number, next: Int32Array): void {
  const begin = stack.length;
  for (let node = head; node >= 0; node = next[node]) stack.push(node);
  for (let i = begin, j = stack.length - 1; i < j; i++, j--) {
    [stack[i], stack[j]] = [stack[j], stack[i]];
  }
}

function checkTree({ ids, parents }: TokenTree, vocabulary: number): void {
  if (parents.length !== ids.length || ids.length === 0) {
    throw fault("shape", `it has ${ids.length} ids and ${parents.length} parents`);
  }
  const late = parents.findIndex((parent, node) => parent >= node || parent < -1);
  if (late >= 0) {
    throw fault("parent", `node ${late} has parent ${parents[late]}, which is not before it`);
  }
  const place = ids.findIndex((id) => id < 0 || id >= vocabulary);
  if (place < 0) return;
  throw fault("id", `id ${ids[place]} of node ${place} is beyond the vocabulary of ${vocabulary}`);
}

function fault(kind: string, problem: string) {
  const hint = "make the tree with the tokenizer of this model, parents before children";
  return inputError(`model/tree-${kind}`, `Cannot use a token tree: ${problem}`, undefined, hint);
}
