/** A tree of tokens as sequences, which are all that a server scores: each scored edge stands in one of them. */
import type { HeadRow, TokenTree } from "../../../models/training/mod.ts";

/** Sequences, and where in them each scored token stands. */
export interface ServedSequences {
  readonly texts: readonly (readonly number[])[];
  /** Index of the text and place in it, for each token scored in each row. */
  readonly places: readonly (readonly { readonly text: number; readonly at: number }[])[];
}

/**
 * The fewest sequences in which every scored edge of a tree stands: one for each that nothing scored
 * follows. Edges that several share are scored in the first.
 */
export function sequencesOf(tree: TokenTree, rows: readonly HeadRow[]): ServedSequences {
  const nodes = new Edges(tree);
  const scored = rows.map(({ node, legal, picked }) =>
    Array.from(picked ?? legal as Int32Array, (id) => nodes.child(node, id))
  );
  const leaves = nodes.leavesOf(scored.flat());
  const placed = new Map<number, { readonly text: number; readonly at: number }>();
  const texts = leaves.map((leaf, text) => {
    const path = nodes.path(leaf);
    path.forEach((node, at) => {
      if (!placed.has(node)) placed.set(node, { text, at });
    });
    return path.map((node) => nodes.ids[node]);
  });
  return { texts, places: scored.map((row) => row.map((node) => placed.get(node)!)) };
}

/** The nodes of a tree, and those that are only scored. */
class Edges {
  readonly ids: number[];
  readonly #parents: number[];
  readonly #known: Map<string, number>;

  constructor({ ids, parents }: TokenTree) {
    this.ids = [...ids];
    this.#parents = [...parents];
    this.#known = new Map(this.ids.map((id, node) => [`${parents[node]} ${id}`, node]));
  }

  /** The node of a token behind another. */
  child(parent: number, id: number): number {
    const key = `${parent} ${id}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const node = this.ids.push(id) - 1;
    this.#parents.push(parent);
    this.#known.set(key, node);
    return node;
  }

  /** Nodes of a set that are ancestors of no other of them. */
  leavesOf(nodes: readonly number[]): number[] {
    const passed = new Set<number>();
    for (const node of nodes) {
      for (let at = this.#parents[node]; at >= 0 && !passed.has(at); at = this.#parents[at]) {
        passed.add(at);
      }
    }
    return [...new Set(nodes)].filter((node) => !passed.has(node));
  }

  /** Nodes from the root to a node. */
  path(node: number): number[] {
    const path: number[] = [];
    for (let at = node; at >= 0; at = this.#parents[at]) path.push(at);
    return path.reverse();
  }
}
