/** Rows behind frozen layers, below the first adapter: the same at every step, so computed once. */
import type { Chunk, LowerLayers } from "../decoder/decoder.ts";
import type { Body } from "../decoder/body.ts";
import type { HeadRows, LayerPass } from "../decoder/layer.ts";
import { RememberedRows } from "./remembered_rows.ts";
import { TreeAttention } from "./tree_attention.ts";
import { planTree, type TreePlan } from "./tree_plan.ts";

/**
 * Rows behind the first `layers` layers by the tokens that lead to them. A row does not depend on the
 * rows beside it, so that remembered and computed rows have the same bits. Where a library does not
 * promise that, own kernels compute these rows: kills and other policies decide which are remembered,
 * and must not change bits.
 */
export class FrozenRows implements LowerLayers {
  #computed = 0;

  /**
   * Rows of frozen layers, computed by `body` where they are not remembered.
   *
   * @param layers Layers from the first on in which nothing is trained.
   * @param remembered Rows behind just these layers of just these weights, if others have some.
   */
  constructor(
    readonly body: Body,
    readonly layers: number,
    readonly remembered: RememberedRows = new RememberedRows(body.config.width),
  ) {}

  /** Rows that went through the frozen layers, so far; for tests and reports. */
  get computed(): number {
    return this.#computed;
  }

  /** Writes rows of a plan `[rows, width]` as they are behind the frozen layers. */
  write(plan: TreePlan, hidden: number): void {
    const { width } = this.body.config;
    const known = this.#placesOf(plan);
    if (known.some((place) => place < 0)) return this.#compute(plan, known, hidden);
    const target = this.body.memory.f32(hidden, plan.ids.length * width);
    known.forEach((place, row) => {
      target.set(this.remembered.at(place), row * width);
    });
  }

  /** Writes rows of chunks `[rows, width]`, each behind the tokens of its cache. */
  writeChunks(chunks: readonly Chunk[], hidden: number): void {
    const { memory, config: { width, vocabulary, context } } = this.body;
    const { tree, nodes } = treeOfChunks(chunks);
    const plan = planTree(tree, { vocabulary, context });
    const all = memory.allocate(plan.ids.length * width);
    this.write(plan, all);
    nodes.forEach((node, row) => {
      memory.copy(hidden + 4 * row * width, all + 4 * plan.rowOf[node] * width, width);
    });
    memory.free(all);
  }

  /** The place of each row; −1 where it is not known yet. */
  #placesOf({ ids, depths }: TreePlan): Int32Array {
    const path: number[] = [];
    return ids.map((id, row) => {
      const parent = depths[row] === 0 ? "" : path[depths[row] - 1];
      return path[depths[row]] = this.remembered.placeOf(parent, id);
    });
  }

  /** Rows that are not known, with those before them, and then all of them. */
  #compute(plan: TreePlan, known: Int32Array, hidden: number): void {
    const { width, vocabulary, context } = this.body.config;
    const part = missingPart(plan, known);
    const own = planTree(part, { vocabulary, context });
    this.#computed += own.ids.length;
    const { memory } = this.body;
    const fresh = memory.allocate(own.ids.length * width);
    this.#through(own, fresh);
    const values = memory.f32(fresh, own.ids.length * width);
    const target = memory.f32(hidden, plan.ids.length * width);
    part.rows.forEach((row, node) => {
      const at = own.rowOf[node] * width;
      target.set(values.subarray(at, at + width), row * width);
    });
    known.forEach((place, row) => {
      if (place < 0) return;
      target.set(this.remembered.at(place), row * width);
    });
    memory.free(fresh);
    this.#remember(plan, target);
  }

  #through(plan: TreePlan, hidden: number): void {
    const { body, body: { memory, products, config } } = this;
    const rows = plan.ids.length;
    const attention = new TreeAttention(products, config, plan);
    const attend = (heads: HeadRows) => attention.attend(heads);
    const pass: LayerPass = { rows, positions: memory.allocate(rows), attend };
    body.embed(plan.ids, plan.depths, hidden, pass.positions);
    const forward = () => {
      for (const layer of body.layers.slice(0, this.layers)) layer.forward(hidden, pass);
    };
    if (products.isAlike(body.weights.embedding)) forward();
    else products.byOwnKernels(forward);
    attention.dispose();
    memory.free(pass.positions);
  }

  #remember({ ids, depths }: TreePlan, rows: Float32Array): void {
    const { width } = this.body.config;
    const path: number[] = [];
    ids.forEach((id, row) => {
      const parent = depths[row] === 0 ? "" : path[depths[row] - 1];
      const own = rows.subarray(row * width, (row + 1) * width);
      path[depths[row]] = this.remembered.remember(parent, id, own);
    });
  }
}

/** The paths of chunks as one tree, and the nodes of their own tokens. */
function treeOfChunks(chunks: readonly Chunk[]) {
  const [ids, parents, nodes]: [number[], number[], number[]] = [[], [], []];
  const known = new Map<string, number>();
  for (const chunk of chunks) {
    const path = [...chunk.cache.ids, ...Array.from(chunk.ids)];
    let node = -1;
    path.forEach((id, depth) => {
      const key = `${node} ${id}`;
      let next = known.get(key);
      if (next === undefined) {
        ids.push(id);
        next = parents.push(node) - 1;
        known.set(key, next);
      }
      node = next;
      if (depth >= chunk.cache.ids.length) nodes.push(node);
    });
  }
  return { tree: { ids: Int32Array.from(ids), parents: Int32Array.from(parents) }, nodes };
}

/** Unknown rows and their ancestors as a tree, and the row of the plan that each node is. */
function missingPart({ ids, depths }: TreePlan, known: Int32Array) {
  const count = ids.length;
  const parents = new Int32Array(count);
  const last: number[] = [];
  for (let row = 0; row < count; row++) {
    parents[row] = depths[row] === 0 ? -1 : last[depths[row] - 1];
    last[depths[row]] = row;
  }
  const isWanted = Uint8Array.from(known, (place) => place < 0 ? 1 : 0);
  for (let row = count - 1; row >= 0; row--) {
    if (isWanted[row] === 1 && parents[row] >= 0) isWanted[parents[row]] = 1;
  }
  const rows: number[] = [];
  const node = new Int32Array(count).fill(-1);
  for (let row = 0; row < count; row++) if (isWanted[row] === 1) node[row] = rows.push(row) - 1;
  return {
    rows,
    ids: Int32Array.from(rows, (row) => ids[row]),
    parents: Int32Array.from(rows, (row) => parents[row] < 0 ? -1 : node[parents[row]]),
  };
}
