/** The parts of a decoder in one memory, and the forward pass of rows through its layers. */
import { copyWide } from "../../numerics/blas/mod.ts";
import { DecoderMemory, type Libraries } from "./decoder_memory.ts";
import { Head } from "./head.ts";
import { Layer } from "./layer.ts";
import type { ModelConfig } from "./model_config.ts";
import { PlacedNorm } from "./placed.ts";
import { Products } from "./products.ts";
import { RotaryTables } from "./rotary_tables.ts";
import type { Weights } from "./weights.ts";

/** Weights stay where they are, outside of the memory. */
export class Body {
  /** Holds activations, biases, gains and caches. */
  readonly memory: DecoderMemory;
  /** Matrix products by own kernels or a library. */
  readonly products: Products;
  /** Tables of rotary positions; unused where positions are learned. */
  readonly tables: RotaryTables;
  /** Layers, the first one first. */
  readonly layers: readonly Layer[];
  /** Norm behind the last layer. */
  readonly norm: PlacedNorm;
  /** Gives logits over the vocabulary. */
  readonly head: Head;

  /** Places norms and biases in a fresh memory; `libraries` compute products. */
  constructor(readonly config: ModelConfig, readonly weights: Weights, libraries: Libraries = {}) {
    const memory = this.memory = new DecoderMemory(libraries);
    const products = this.products = new Products(memory);
    const tables = this.tables = new RotaryTables(memory, config.rotary_base, config.head_size / 2);
    this.layers = weights.layers.map((layer, index) =>
      new Layer({ memory, config, index, products, tables }, layer)
    );
    this.norm = new PlacedNorm(memory, weights.finalNorm, config.epsilon);
    this.head = new Head(products, config, weights.head);
  }

  /** Writes tokens at their positions: `hidden` `[rows, width]`, and 32-bit `positions` `[rows]`. */
  embed(ids: ArrayLike<number>, at: ArrayLike<number>, hidden: number, positions: number): void {
    const { config: { width }, weights, memory } = this;
    this.reserve(at);
    memory.i32(positions, at.length).set(at);
    for (let row = 0; row < ids.length; row++) {
      const target = memory.f32(hidden + 4 * row * width, width);
      copyWide(weights.embedding.subarray(ids[row] * width, (ids[row] + 1) * width), target);
      if (!weights.positions) continue;
      for (let i = 0; i < width; i++) target[i] += weights.positions[at[row] * width + i];
    }
  }

  /** Makes sure of the tables of these positions. */
  reserve(at: ArrayLike<number>): void {
    if (this.config.rotary_base === 0) return;
    let most = 0;
    for (let row = 0; row < at.length; row++) most = Math.max(most, at[row]);
    this.tables.reserve(most + 1);
  }
}
