/** Attention in a tree of tokens, each to itself and its ancestors, and its gradients. */
import { roundUp } from "../../numerics/wasm/kernels/mod.ts";
import { attendRows } from "../decoder/attend_rows.ts";
import type { HeadRows } from "../decoder/layer.ts";
import type { ModelConfig } from "../decoder/model_config.ts";
import type { Products, Rows, Sizes } from "../decoder/products.ts";
import type { Run, TreePlan } from "./tree_plan.ts";

/** Addresses of gradients of queries, keys and values. */
interface HeadGradients {
  readonly query: number;
  readonly key: number;
  readonly value: number;
}

/** Rows below which a call of a library, with its rows of zeros, costs more than it saves. */
const rowsForLibrary = 32;

/**
 * Runs come depth first, so that keys and values of the path to a run are those last written at each
 * depth above it: one list of the longest path replaces a cache for each path.
 */
export class TreeAttention {
  readonly #keys: number;
  readonly #values: number;
  /** The row at each depth of the present path, as a list of 32-bit integers. */
  readonly #path: number;
  readonly #size: number;
  readonly #wide: number;
  readonly #group: number;

  constructor(
    readonly products: Products,
    readonly config: ModelConfig,
    readonly plan: TreePlan,
  ) {
    const { memory } = products;
    const { heads, key_heads, head_size } = config;
    this.#size = head_size;
    this.#wide = heads * head_size;
    this.#group = heads / key_heads;
    [this.#keys, this.#values] = [0, 0].map(() => memory.allocate(plan.length * head_size));
    this.#path = memory.allocate(plan.length);
  }

  dispose(): void {
    for (const one of [this.#keys, this.#values, this.#path]) this.products.memory.free(one);
  }

  /** Writes the outputs of attention. */
  attend(rows: HeadRows): void {
    const { memory } = this.products;
    this.#each(rows, ({ before, count }, _, first) => {
      const [query, attended] = [rows.query + first, rows.attended + first];
      const [keys, values, size, wide] = [this.#keys, this.#values, this.#size, this.#wide];
      const group = this.#group;
      attendRows(memory, { query, attended, keys, values, size, wide, before, count, group });
    });
  }

  /** Visits runs, with keys and values of their paths in place, and the offset of their queries. */
  #each(rows: HeadRows, visit: (run: Run, head: number, first: number) => void): void {
    const { config: { key_heads }, products: { memory } } = this;
    const size = this.#size;
    for (let head = 0; head < key_heads; head++) {
      for (const run of this.plan.runs) {
        const { begin, count, before } = run;
        const own = 4 * (begin * key_heads + head) * size;
        for (const [from, to] of [[rows.key, this.#keys], [rows.value, this.#values]]) {
          const places = [from + own, 4 * key_heads * size, to + 4 * before * size, 4 * size];
          memory.kernels.copyRows(...places, count, size);
        }
        visit(run, head, 4 * (begin * this.#wide + head * this.#group * size));
      }
    }
  }

  /**
   * Writes the gradient of queries, and adds to those of keys and values, given `rows` and the
   * gradient of `rows.attended`.
   */
  backward(rows: HeadRows, dAttended: number, into: HeadGradients): void {
    const { memory } = this.products;
    const { length, runs } = this.plan;
    const most = runs.reduce(
      (most, { count, before }) => Math.max(most, count * roundUp(count + before, 4)),
      0,
    );
    const squares = [memory.allocate(most), memory.zeros(most)];
    const onPath = [0, 0].map(() => memory.allocate(length * this.#size));
    this.#each(rows, (run, head, first) => {
      const seen = run.before + run.count;
      for (const one of onPath) memory.f32(one, seen * this.#size).fill(0);
      for (let one = 0; one < this.#group; one++) {
        const at = first + 4 * one * this.#size;
        const places = [rows.query + at, dAttended + at, into.query + at];
        this.#head(run, places, squares, onPath);
      }
      this.#spread(run, head, onPath, into);
    });
    for (const one of [...squares, ...onPath]) memory.free(one);
  }

  /** One head of a run. */
  #head(
    { before, count }: Run,
    [query, dAttended, dQuery]: readonly number[],
    [probabilities, force]: readonly number[],
    onPath: readonly number[],
  ): void {
    const { products, products: { memory: { kernels } } } = this;
    const [size, seen] = [this.#size, before + count];
    const scale = 1 / Math.sqrt(size);
    const stride = roundUp(seen, 4);
    const wide = (address: number) => ({ address, stride: this.#wide });
    const narrow = (address: number) => ({ address, stride: size });
    const [p, d] = [probabilities, force].map((address) => ({ address, stride }));
    const square = { rows: count, columns: seen, depth: size };
    this.#timesTransposed(wide(query), narrow(this.#keys), p, square);
    kernels.softmaxChunk(p.address, 4 * stride, count, before + 1, scale);
    this.#timesTransposed(wide(dAttended), narrow(this.#values), d, square);
    const back = { rows: seen, columns: size, depth: count };
    products.outer(p, wide(dAttended), narrow(onPath[1]), back);
    kernels.softmaxRowsGradient(p.address, d.address, 4 * stride, count, scale);
    products.times(d, narrow(this.#keys), wide(dQuery), { ...square, columns: size, depth: seen });
    products.outer(d, wide(query), narrow(onPath[0]), back);
  }

  /** C = A Bᵀ; a library is asked only where there are rows enough. */
  #timesTransposed(a: Rows, b: Rows, c: Rows, sizes: Sizes): void {
    const { rows, columns, depth } = sizes;
    if (rows >= rowsForLibrary) return this.products.timesTransposed(a, b, c, sizes);
    const places = [a, b, c].flatMap(({ address, stride }) => [address, 4 * stride]);
    this.products.memory.kernels.dotTiles(...places, rows, columns, depth);
  }

  /** Adds the gradients summed along a path to the rows of the path. */
  #spread(
    { begin, count, before }: Run,
    head: number,
    onPath: readonly number[],
    into: HeadGradients,
  ): void {
    const { products: { memory }, config: { key_heads } } = this;
    const path = memory.i32(this.#path, this.plan.length);
    for (let t = 0; t < count; t++) path[before + t] = begin + t;
    [into.key, into.value].forEach((target, part) => {
      const [to, stride] = [target + 4 * head * this.#size, 4 * key_heads * this.#size];
      const sizes = [before + count, this.#size];
      memory.kernels.addRowsAt(onPath[part], this.#path, to, stride, ...sizes);
    });
  }
}
