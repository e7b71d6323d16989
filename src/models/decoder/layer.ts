/** One layer of a decoder: attention, and a gated or plain multilayer perceptron. */
import type { HiddenRows } from "./adapter.ts";
import type { DecoderMemory } from "./decoder_memory.ts";
import type { ModelConfig } from "./model_config.ts";
import { PlacedAffine, PlacedNorm } from "./placed.ts";
import type { Products } from "./products.ts";
import type { RotaryTables } from "./rotary_tables.ts";
import type { Affine, LayerWeights } from "./weights.ts";

/** Surroundings of a layer. */
export interface LayerPlace {
  /** Memory of the decoder. */
  readonly memory: DecoderMemory;
  /** Sizes of the decoder. */
  readonly config: ModelConfig;
  /** Index of the layer, from 0. */
  readonly index: number;
  /** Matrix products in that memory. */
  readonly products: Products;
  /** Cosines and sines of positions. */
  readonly tables: RotaryTables;
}

/** Addresses of heads side by side: `[rows, heads, head size]`, fewer heads for keys and values. */
export interface HeadRows {
  /** Address of queries, `heads` of them. */
  readonly query: number;
  /** Address of keys, `key_heads` of them. */
  readonly key: number;
  /** Address of values, `key_heads` of them. */
  readonly value: number;
  /** Address of the sums that query heads gather, `heads` of them. */
  readonly attended: number;
}

/** Rows that go through together. */
export interface LayerPass {
  /** Number of rows, of one sequence or several. */
  readonly rows: number;
  /** Addresses of 32-bit positions `[rows]`. */
  readonly positions: number;
  /** Has rows attend to those that they may see. */
  attend(heads: HeadRows, layer: number): void;
}

/** Rows that attention keeps; queries and keys before their norms too, where they have norms. */
export interface AttentionTrace extends HeadRows {
  /** Address of queries before norm and rotation; that of `query` where there is no norm. */
  readonly plainQuery: number;
  /** Address of keys before norm and rotation; that of `key` where there is no norm. */
  readonly plainKey: number;
}

/** Rows that the perceptron keeps: `[rows, inner]` before the activation; no gate in GPT-2. */
export interface InnerTrace {
  /** Address of the argument of the activation. */
  readonly gate: number | undefined;
  /** Address of the factor beside the gate; in GPT-2, of the argument of the activation. */
  readonly up: number;
}

/** Rows of the perceptron at a time, where nothing is kept. */
const innerRows = 2048;

/** The forward pass of a layer, in parts. */
export class Layer {
  /** Norm before attention. */
  readonly attentionNorm: PlacedNorm;
  /** Norm before the perceptron. */
  readonly innerNorm: PlacedNorm;
  /** Norm of each query head, in Qwen3. */
  readonly queryNorm: PlacedNorm | undefined;
  /** Norm of each key head, in Qwen3. */
  readonly keyNorm: PlacedNorm | undefined;
  /** `[heads × head size, width]`. */
  readonly query: PlacedAffine;
  /** `[key heads × head size, width]`. */
  readonly key: PlacedAffine;
  /** `[key heads × head size, width]`. */
  readonly value: PlacedAffine;
  /** `[width, heads × head size]`: from the outputs of heads to the residual stream. */
  readonly output: PlacedAffine;
  /** `[inner, width]`; GPT-2 has none. */
  readonly gate: PlacedAffine | undefined;
  /** `[inner, width]`. */
  readonly up: PlacedAffine;
  /** `[width, inner]`: back to the residual stream. */
  readonly down: PlacedAffine;

  /** Places norms and biases in the memory; matrices stay outside. */
  constructor(readonly place: LayerPlace, weights: LayerWeights) {
    const { memory, products, config: { epsilon } } = place;
    const affine = (map: Affine) => new PlacedAffine(products, map);
    this.attentionNorm = new PlacedNorm(memory, weights.attentionNorm, epsilon);
    this.innerNorm = new PlacedNorm(memory, weights.innerNorm, epsilon);
    this.queryNorm = weights.queryNorm && new PlacedNorm(memory, weights.queryNorm, epsilon);
    this.keyNorm = weights.keyNorm && new PlacedNorm(memory, weights.keyNorm, epsilon);
    this.query = affine(weights.query);
    this.key = affine(weights.key);
    this.value = affine(weights.value);
    this.output = affine(weights.output);
    this.gate = weights.gate && affine(weights.gate);
    this.up = affine(weights.up);
    this.down = affine(weights.down);
  }

  /** Adds the outputs of attention and perceptron to `hidden` `[rows, width]`. */
  forward(hidden: number, pass: LayerPass): void {
    this.free(this.attention(hidden, pass));
    const { width } = this.place.config;
    for (let begin = 0; begin < pass.rows; begin += innerRows) {
      const rows = Math.min(innerRows, pass.rows - begin);
      const part = hidden + 4 * begin * width;
      const trace = this.inner(part, rows);
      this.bend(trace, rows);
      this.down.apply(trace.gate ?? trace.up, part, rows, true);
      this.free(trace);
    }
  }

  /** Frees the memory of a trace. */
  free(trace: AttentionTrace | InnerTrace): void {
    for (const address of new Set(Object.values(trace))) {
      if (address !== undefined) this.place.memory.free(address);
    }
  }

  /** Adds the output of attention to `hidden`. */
  attention(hidden: number, pass: LayerPass, kept?: HiddenRows): AttentionTrace {
    const { memory, index, config: { heads, key_heads, head_size, width } } = this.place;
    const { rows } = pass;
    const normed = memory.allocate(rows * width);
    this.attentionNorm.apply(hidden, normed, rows, width);
    const [plainQuery, plainKey, value] = [
      [this.query, heads] as const,
      [this.key, key_heads] as const,
      [this.value, key_heads] as const,
    ].map(([map, count]) => {
      const address = memory.allocate(rows * count * head_size);
      map.apply(normed, address, rows, false, kept);
      return address;
    });
    memory.free(normed);
    const query = this.#normed(plainQuery, this.queryNorm, rows * heads);
    const key = this.#normed(plainKey, this.keyNorm, rows * key_heads);
    this.turn(query, key, pass);
    const attended = memory.allocate(rows * heads * head_size);
    pass.attend({ query, key, value, attended }, index);
    this.output.apply(attended, hidden, rows, true, kept);
    return { query, key, value, attended, plainQuery, plainKey };
  }

  #normed(plain: number, norm: PlacedNorm | undefined, heads: number): number {
    if (!norm) return plain;
    const { memory, config: { head_size } } = this.place;
    const address = memory.allocate(heads * head_size);
    norm.apply(plain, address, heads, head_size);
    return address;
  }

  /** Turns queries and keys by their positions, or back. */
  turn(query: number, key: number, pass: Omit<LayerPass, "attend">, back = false): void {
    const { memory, tables, config: { heads, key_heads, rotary_base } } = this.place;
    if (rotary_base === 0) return;
    const { cosines, sines, backSines, half } = tables;
    for (const [turned, count] of [[query, heads], [key, key_heads]]) {
      const places = [turned, pass.positions, cosines, back ? backSines : sines];
      memory.kernels.turnRows(...places, pass.rows, count, half);
    }
  }

  /** Computes the perceptron on `hidden` up to its activation. */
  inner(hidden: number, rows: number, kept?: HiddenRows): InnerTrace {
    const { memory, config: { inner, width } } = this.place;
    const normed = memory.allocate(rows * width);
    this.innerNorm.apply(hidden, normed, rows, width);
    const through = (map: PlacedAffine) => {
      const address = memory.allocate(rows * inner);
      map.apply(normed, address, rows, false, kept);
      return address;
    };
    const trace = { gate: this.gate && through(this.gate), up: through(this.up) };
    memory.free(normed);
    return trace;
  }

  /** The activation, in place of `gate`, or of `up` where there is no gate. */
  bend({ gate, up }: InnerTrace, rows: number): void {
    const { memory: { kernels }, config: { inner } } = this.place;
    if (gate === undefined) kernels.bendRows(up, rows * inner);
    else kernels.gateRows(gate, up, rows * inner);
  }
}
