/** One forward and backward pass of a tree through all layers. */
import type { Body } from "../decoder/body.ts";
import type { HeadRows, Layer, LayerPass } from "../decoder/layer.ts";
import type { Dropout } from "../decoder/dropout.ts";
import type { EmbeddingGradients } from "./attach.ts";
import type { FrozenRows } from "./frozen_rows.ts";
import { freeTrace, layerBackward, type LayerTrace, traceLayer } from "./layer_backward.ts";
import type { HeadRow, TokenTree, TreePass } from "./token_tree.ts";
import { TreeAttention } from "./tree_attention.ts";
import { checkRows, TreeHead } from "./tree_head.ts";
import { planTree, type TreePlan } from "./tree_plan.ts";

/** Options of a pass. */
export interface LayeredPassOptions {
  /** Whether `backward` will be called. */
  readonly grad: boolean;
  /** Bytes of activations that may be kept beside the inputs of layers. */
  readonly keptBytes: number;
  /** Where embeddings have gradients. */
  readonly embedding: EmbeddingGradients | undefined;
  /** Outputs of the first layers, in which nothing is trained. */
  readonly frozen?: FrozenRows;
  /** Dropout of adapters in a pass with a gradient, and the name of this pass. */
  readonly left?: { readonly dropout: Dropout; readonly pass: number };
}

/** Keeps the inputs of layers, and of the last ones all that fits; others are computed again. */
export class LayeredPass implements TreePass {
  readonly logProbabilities: readonly Float64Array[];
  readonly #plan: TreePlan;
  readonly #attention: TreeAttention;
  readonly #head: TreeHead;
  readonly #pass: LayerPass;
  /** `[rows, width]`: before the last norm, and after it. */
  readonly #last: number;
  readonly #normed: number;
  readonly #inputs: number[] = [];
  readonly #kept = new Map<Layer, LayerTrace>();
  #isOpen = true;

  /** Runs all layers at once: log probabilities are known when this returns. */
  constructor(
    readonly body: Body,
    tree: TokenTree,
    rows: readonly HeadRow[],
    readonly options: LayeredPassOptions,
  ) {
    const { memory, config: { width } } = body;
    const plan = this.#plan = planTree(tree, body.config);
    checkRows(rows, plan.ids.length, body.config.vocabulary);
    const placed = rows.map((row) => ({ ...row, row: plan.rowOf[row.node] }));
    const count = plan.ids.length;
    this.#attention = new TreeAttention(body.products, body.config, plan);
    const attend = (heads: HeadRows) => this.#attention.attend(heads);
    this.#pass = { rows: count, positions: memory.allocate(count), attend };
    const hidden = this.#last = memory.allocate(count * width);
    body.embed(plan.ids, plan.depths, hidden, this.#pass.positions);
    options.frozen?.write(plan, hidden);
    this.#leavingOut(() => this.#forward(hidden));
    this.#normed = memory.allocate(count * width);
    body.norm.apply(hidden, this.#normed, count, width);
    this.#head = new TreeHead(body, this.#normed, placed, options.grad);
    this.logProbabilities = this.#head.logProbabilities;
  }

  /** Number of layers without a backward pass. */
  get #frozen(): number {
    return this.options.frozen?.layers ?? 0;
  }

  #forward(hidden: number): void {
    const { body: { memory, layers, config }, options: { grad } } = this;
    const count = this.#pass.rows * config.width;
    const first = grad ? layers.length - this.#keptLayers() : layers.length;
    layers.slice(this.#frozen).forEach((layer, i) => {
      if (grad) {
        const input = memory.allocate(count);
        memory.copy(input, hidden, count);
        this.#inputs.push(input);
      }
      if (this.#frozen + i < first) layer.forward(hidden, this.#pass);
      else this.#kept.set(layer, this.#keep(layer, hidden, this.#inputs[i]));
    });
  }

  /** Number of layers that may keep their activations. */
  #keptLayers(): number {
    const { width, heads, key_heads, head_size, inner, architecture } = this.body.config;
    const attention = (2 * heads + 2 * key_heads) * head_size *
      (architecture === "qwen3" ? 1.5 : 1);
    const row = width + attention + 2 * inner;
    return Math.min(
      this.body.layers.length,
      Math.floor(this.options.keptBytes / (4 * row * this.#pass.rows)),
    );
  }

  /** The forward pass of a layer of which all activations are kept. */
  #keep(layer: Layer, hidden: number, input: number): LayerTrace {
    const { memory, config: { width, inner: size } } = this.body;
    const { rows } = this.#pass;
    const trace = traceLayer(layer, input, this.#pass);
    memory.copy(hidden, trace.middle, rows * width);
    const { gate, up } = trace.inner;
    const bent = memory.allocate(rows * size);
    memory.copy(bent, gate ?? up, rows * size);
    layer.bend(gate === undefined ? { gate, up: bent } : { gate: bent, up }, rows);
    layer.down.apply(bent, hidden, rows, true, trace.kept);
    memory.free(bent);
    return trace;
  }

  backward(gradients: readonly Float64Array[]): void {
    if (!this.options.grad) throw new Error("internal: this pass was made without a gradient");
    const { body, body: { memory, config: { width }, layers }, options: { embedding } } = this;
    const { rows } = this.#pass;
    const [dNormed, d] = [0, 0].map(() => memory.zeros(rows * width));
    this.#head.backward(gradients, dNormed, embedding?.head ?? 0);
    this.#head.dispose();
    body.norm.backward(this.#last, dNormed, d, rows, width);
    memory.free(dNormed);
    this.#leavingOut(() => {
      for (let index = layers.length - 1; index >= this.#frozen; index--) {
        this.#layerBackward(layers[index], this.#inputs[index - this.#frozen], d);
      }
    });
    if (embedding) this.#embeddingBackward(d, embedding);
    memory.free(d);
  }

  #layerBackward(layer: Layer, input: number, d: number): void {
    const trace = this.#kept.get(layer) ?? traceLayer(layer, input, this.#pass);
    this.#kept.delete(layer);
    layerBackward(layer, trace, d, this.#pass, this.#attention);
    freeTrace(layer, trace);
  }

  /** There and back, and where a layer is computed again, the same inputs are left out. */
  #leavingOut(go: () => void): void {
    const { grad, left } = this.options;
    if (!grad || !left) return go();
    left.dropout.pass = left.pass;
    go();
    left.dropout.pass = undefined;
  }

  #embeddingBackward(d: number, { embedding, positions }: EmbeddingGradients): void {
    const { memory, memory: { kernels }, config: { width } } = this.body;
    const { ids, depths } = this.#plan;
    const tokens = memory.allocate(ids.length);
    memory.i32(tokens, ids.length).set(ids);
    kernels.addRowsAt(d, tokens, embedding, 4 * width, ids.length, width);
    memory.i32(tokens, ids.length).set(depths);
    if (positions !== 0) kernels.addRowsAt(d, tokens, positions, 4 * width, ids.length, width);
    memory.free(tokens);
  }

  release(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { memory } = this.body;
    for (const [layer, trace] of this.#kept) freeTrace(layer, trace);
    this.#head.dispose();
    this.#attention.dispose();
    const blocks = [...this.#inputs, this.#last, this.#normed, this.#pass.positions];
    for (const address of blocks) memory.free(address);
  }
}
