/** The trie of token sequences: forced runs are one segment, so that only choices are nodes. */

/** A place in the trie: so many tokens of a segment were taken. */
export interface TriePlace {
  /** Number of the segment; 0 is the one that all sequences begin with, which may be empty. */
  readonly segment: number;
  /** Tokens of it that lie behind. */
  readonly offset: number;
}

/** Where it begins. */
export const trieRoot: TriePlace = { segment: 0, offset: 0 };

/**
 * Sequences of token ids by their common beginnings. Tokens between two choices are one segment,
 * numbered so that a parent comes before its children; the children of a segment stand in the order
 * of their first tokens. No sequence is the beginning of another one: each ends with its own leaf.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { TokenTrie, trieRoot } from "./token_trie.ts";
 * const trie = new TokenTrie([[7, 8, 1, 0], [7, 8, 2, 9, 0]]);
 * assert.equal(trie.segments, 3);
 * const choice = trie.after(trie.after(trieRoot, 7), 8);
 * assert.deepEqual([...trie.next(choice)], [1, 2]);
 * assert.equal(trie.objectAt(trie.after(choice, 1)), 0); // All that follows is forced.
 * ```
 */
export class TokenTrie {
  /** Tokens of all segments, one behind the other. */
  readonly ids: Int32Array;
  /** `[segments + 1]`: where those of each begin. */
  readonly begins: Int32Array;
  /** `[segments]`: the segment that each follows; −1 for the first. */
  readonly parents: Int32Array;
  /** `[segments]`: the sequence that ends with it; −1 where a choice follows. */
  readonly objects: Int32Array;
  readonly #children: readonly Int32Array[];
  /** First tokens of the children of each segment, in rising order. */
  readonly #choices: readonly Int32Array[];

  /**
   * @param sequences Distinct, and none the beginning of another one.
   * @throws internal, if one is.
   */
  constructor(sequences: readonly ArrayLike<number>[]) {
    const segments = segmentsOf(sequences);
    const count = segments.reduce((sum, { ids }) => sum + ids.length, 0);
    this.ids = new Int32Array(count);
    this.begins = new Int32Array(segments.length + 1);
    segments.forEach(({ ids }, i) => {
      this.ids.set(ids, this.begins[i]);
      this.begins[i + 1] = this.begins[i] + ids.length;
    });
    this.parents = Int32Array.from(segments, ({ parent }) => parent);
    this.objects = Int32Array.from(segments, ({ object }) => object);
    const children = segments.map((): number[] => []);
    segments.forEach(({ parent }, i) => parent >= 0 && children[parent].push(i));
    this.#children = children.map((list) => Int32Array.from(list));
    this.#choices = children.map((list) => Int32Array.from(list, (i) => this.ids[this.begins[i]]));
  }

  /** Number of segments. */
  get segments(): number {
    return this.parents.length;
  }

  /** Number of tokens of a segment. */
  length(segment: number): number {
    return this.begins[segment + 1] - this.begins[segment];
  }

  /** Segments that follow a segment, in the order of their first tokens. */
  children(segment: number): Int32Array {
    return this.#children[segment];
  }

  /** Tokens that may follow, in rising order: one, where nothing is to be chosen. */
  next({ segment, offset }: TriePlace): Int32Array {
    const at = this.begins[segment] + offset;
    return at < this.begins[segment + 1] ? this.ids.subarray(at, at + 1) : this.#choices[segment];
  }

  /** The place after a token. @throws internal, if it may not follow. */
  after(place: TriePlace, id: number): TriePlace {
    const { segment, offset } = place;
    const choice = this.next(place).indexOf(id);
    if (choice < 0) throw new Error(`internal: token ${id} is not legal here`);
    if (offset < this.length(segment)) return { segment, offset: offset + 1 };
    return { segment: this.#children[segment][choice], offset: 1 };
  }

  /** The segment in which the token after a place lies, if the token may follow. */
  segmentOf(place: TriePlace, id: number): number {
    const choice = this.next(place).indexOf(id);
    if (choice < 0) throw new Error(`internal: token ${id} is not legal here`);
    return place.offset < this.length(place.segment)
      ? place.segment
      : this.#children[place.segment][choice];
  }

  /** The only sequence through a place; −1 where a choice is still to come. */
  objectAt({ segment }: TriePlace): number {
    return this.objects[segment];
  }

  /** Tokens of all sequences together, common beginnings counted once. */
  get tokens(): number {
    return this.ids.length;
  }

  /**
   * Positions of a model that give all its choices: the one before the first token, and every token
   * with a choice at it or below. Tokens forced up to the end are never computed.
   */
  get positions(): number {
    let sum = this.segments > 1 ? 1 : 0;
    this.objects.forEach((object, i) => sum += object < 0 ? this.length(i) : 0);
    return sum;
  }
}

interface Segment {
  readonly ids: ArrayLike<number> & Iterable<number>;
  readonly parent: number;
  readonly object: number;
}

/** Sequences in order of their tokens; a stretch of them with a common beginning is a segment. */
function segmentsOf(sequences: readonly ArrayLike<number>[]): Segment[] {
  const order = [...sequences.keys()].sort((a, b) => compare(sequences[a], sequences[b]));
  const segments: Segment[] = [];
  const add = (first: number, last: number, depth: number, parent: number): void => {
    const [low, high] = [sequences[order[first]], sequences[order[last]]];
    const end = commonEnd(low, high, depth);
    const isLeaf = first === last;
    if (!isLeaf && end === low.length) throw new Error("internal: one sequence begins another");
    const ids = Array.from({ length: end - depth }, (_, i) => low[depth + i]);
    const segment = segments.push({ ids, parent, object: isLeaf ? order[first] : -1 }) - 1;
    if (isLeaf) return;
    for (let begin = first; begin <= last;) {
      let next = begin;
      while (next < last && sequences[order[next + 1]][end] === sequences[order[begin]][end]) {
        next++;
      }
      add(begin, next, end, segment);
      begin = next + 1;
    }
  };
  if (sequences.length > 0) add(0, sequences.length - 1, 0, -1);
  return segments;
}

/** By the first token that differs; a prefix comes before its continuations. */
function compare(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const at = commonEnd(a, b, 0);
  return (a[at] ?? -1) - (b[at] ?? -1);
}

/** Where two sequences that agree up to `from` begin to differ. */
function commonEnd(a: ArrayLike<number>, b: ArrayLike<number>, from: number): number {
  let at = from;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  return at;
}
