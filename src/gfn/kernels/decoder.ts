/** A pre-norm transformer decoder in a machine's memory: forward and backward, without padding. */
import { Attention, type Sequence } from "./decoder_attention.ts";
import { Linear, PackingRoom, type Rows } from "./linear.ts";
import type { Machine } from "./machine.ts";
import { roundUp } from "../../numerics/wasm/kernels/mod.ts";
import { type ParameterPlaces, uploadRows } from "./mlp.ts";

/** Sizes of the decoder; the size of a head is a multiple of four. */
interface FusedDecoderShape {
  readonly layers: number;
  readonly width: number;
  readonly heads: number;
  /** Numbers per position at the top. */
  readonly outputs: number;
}

/** Positions of several sequences, one sequence behind the other. */
export interface Tokens {
  /** `[rows]`: rows of `action_embedding`. */
  readonly actions: Int32Array;
  /** `[rows]`: rows of `position_embedding`. */
  readonly positions: Int32Array;
  /** Sequences in order; their lengths sum to the rows. */
  readonly sequences: readonly Sequence[];
}

/** The maps and gains of one layer. */
export interface DecoderLayer {
  readonly queryKeyValue: Linear;
  readonly attentionOut: Linear;
  readonly mlpIn: Linear;
  readonly mlpOut: Linear;
  readonly attentionNorm: Gain;
  readonly mlpNorm: Gain;
}

/** Where the gain of a normalisation and its gradient lie. */
interface Gain {
  readonly gain: number;
  readonly gradient: number;
}

/** Addresses of one layer's activations, in the order in which they are computed. */
interface LayerPlaces {
  readonly x: number;
  readonly attentionScales: number;
  readonly attentionInput: number;
  readonly fused: number;
  readonly probabilities: number;
  readonly mixed: number;
  readonly middle: number;
  readonly mlpScales: number;
  readonly mlpInput: number;
  readonly hidden: number;
}

/** Addresses above the last layer. */
interface TopPlaces {
  readonly x: number;
  readonly scales: number;
  readonly input: number;
  readonly outputs: number;
}

/** Addresses and sizes of a forward pass, for the backward pass. */
export interface DecoderActivations {
  readonly block: number;
  readonly rows: number;
  readonly actions: number;
  readonly positions: number;
  readonly sequences: readonly Sequence[];
  readonly layers: readonly LayerPlaces[];
  readonly top: TopPlaces;
}

/** The network of `tensor/decoder.ts`, with the same names and shapes of parameters. */
export class DecoderEngine {
  readonly layers: readonly DecoderLayer[];
  readonly head: Linear;
  readonly finalNorm: Gain;
  readonly attention: Attention;

  constructor(
    readonly machine: Machine,
    readonly parameters: ParameterPlaces,
    readonly shape: FusedDecoderShape,
  ) {
    const { width, outputs, heads } = shape;
    const room = new PackingRoom(machine);
    const places = (name: string) => ({
      weight: parameters.address(name),
      weightGradient: parameters.gradientAddress(name),
    });
    const linear = (name: string, from: number, to: number) =>
      new Linear(machine, room, from, to, places(name));
    this.attention = new Attention(machine, room, width, heads);
    this.finalNorm = this.#gain("final_norm");
    this.head = new Linear(machine, room, width, outputs, {
      ...places("head"),
      bias: parameters.address("head_bias"),
      biasGradient: parameters.gradientAddress("head_bias"),
    });
    this.layers = Array.from({ length: shape.layers }, (_, i) => ({
      queryKeyValue: linear(`layers.${i}.query_key_value`, width, 3 * width),
      attentionOut: linear(`layers.${i}.attention_out`, width, width),
      mlpIn: linear(`layers.${i}.mlp_in`, width, 4 * width),
      mlpOut: linear(`layers.${i}.mlp_out`, 4 * width, width),
      attentionNorm: this.#gain(`layers.${i}.attention_norm`),
      mlpNorm: this.#gain(`layers.${i}.mlp_norm`),
    }));
  }

  #gain(name: string): Gain {
    const { parameters } = this;
    return { gain: parameters.address(name), gradient: parameters.gradientAddress(name) };
  }

  /** To be called whenever the parameters have changed. */
  pack(): void {
    for (const { queryKeyValue, attentionOut, mlpIn, mlpOut } of this.layers) {
      for (const map of [queryKeyValue, attentionOut, mlpIn, mlpOut]) map.pack();
    }
    this.head.pack();
  }

  /**
   * @param keep Whether all layers' activations are to be kept apart, for `backward`.
   * @returns `[rows, outputs]`, and the argument of one call of `backward` or `release`.
   */
  forward(tokens: Tokens, keep: boolean): { values: Float32Array; kept: DecoderActivations } {
    const { machine, shape, parameters } = this;
    const kept = this.#allocate(tokens, keep);
    const { rows, top } = kept;
    machine.i32(kept.actions, rows).set(tokens.actions);
    machine.i32(kept.positions, rows).set(tokens.positions);
    const tables = ["action_embedding", "position_embedding"].map((n) => parameters.address(n));
    const bottom = kept.layers[0].x;
    machine.kernels.embed(kept.actions, kept.positions, ...tables, bottom, rows, shape.width);
    kept.layers.forEach((places, i) => {
      const next = i + 1 < shape.layers ? kept.layers[i + 1].x : top.x;
      this.#runLayer(this.layers[i], places, kept, next);
    });
    this.normalise(this.finalNorm, top.x, top.input, top.scales, rows);
    const outputs = { address: top.outputs, stride: shape.outputs };
    this.head.forward(this.wide(top.input), outputs, rows);
    return { values: machine.f32(top.outputs, rows * shape.outputs).slice(), kept };
  }

  #runLayer(
    layer: DecoderLayer,
    places: LayerPlaces,
    { rows, sequences }: DecoderActivations,
    next: number,
  ): void {
    const { width } = this.shape;
    const { x, middle, mlpInput, attentionInput } = places;
    this.normalise(layer.attentionNorm, x, attentionInput, places.attentionScales, rows);
    layer.queryKeyValue.forward(this.wide(attentionInput), this.wide(places.fused, 3), rows);
    this.attention.forward(places.fused, places.probabilities, places.mixed, sequences);
    this.machine.copy(middle, x, rows * width);
    const accumulate = { accumulate: true };
    layer.attentionOut.forward(this.wide(places.mixed), this.wide(middle), rows, accumulate);
    this.normalise(layer.mlpNorm, middle, mlpInput, places.mlpScales, rows);
    const hidden = this.wide(places.hidden, 4);
    layer.mlpIn.forward(this.wide(mlpInput), hidden, rows, { slope: 0 });
    this.machine.copy(next, middle, rows * width);
    layer.mlpOut.forward(hidden, this.wide(next), rows, accumulate);
  }

  /** Rows of so many widths. */
  wide(address: number, times = 1): Rows {
    return { address, stride: times * this.shape.width };
  }

  /** y = normalised x, and the scale of each row. */
  normalise({ gain }: Gain, x: number, y: number, scales: number, rows: number): void {
    this.machine.kernels.normalise(x, gain, y, scales, rows, this.shape.width);
  }

  /** One block for everything; without `keep` all layers share the room of one. */
  #allocate({ actions, sequences }: Tokens, keep: boolean): DecoderActivations {
    const { shape } = this;
    const rows = actions.length;
    const wide = rows * shape.width;
    const probabilities = this.attention.probabilityCount(sequences);
    const layerSizes = [
      wide,
      rows,
      wide,
      3 * wide,
      probabilities,
      wide,
      wide,
      rows,
      wide,
      4 * wide,
    ];
    const layerCount = keep ? shape.layers : 1;
    const lists = Array.from({ length: layerCount }, () => layerSizes).flat();
    const sizes = [...lists, wide, rows, wide, rows * shape.outputs, rows, rows];
    const aligned = sizes.map((size) => roundUp(size, 16));
    const block = this.machine.allocate(aligned.reduce((sum, size) => sum + size, 0));
    let end = block;
    const places = aligned.map((size) => (end += 4 * size) - 4 * size);
    const [x, scales, input, outputs, first, second] = places.slice(10 * layerCount);
    return {
      block,
      rows,
      sequences,
      actions: first,
      positions: second,
      top: { x, scales, input, outputs },
      layers: Array.from({ length: shape.layers }, (_, i) => layerPlaces(places, keep ? i : 0)),
    };
  }

  /**
   * Adds the parameters' gradients and releases values that a forward pass with `keep` kept.
   *
   * @param gradient `[rows, outputs]`.
   */
  backward(kept: DecoderActivations, gradient: ArrayLike<number>): void {
    const { machine, shape, parameters } = this;
    const { rows, top } = kept;
    const wide = rows * shape.width;
    const [dOut, dx] = [machine.allocate(rows * roundUp(shape.outputs, 4)), machine.zeros(wide)];
    const spare = { dn: machine.allocate(wide), wide: machine.allocate(4 * wide) };
    uploadRows(machine, dOut, gradient, rows, shape.outputs);
    const dTop = { address: dOut, stride: roundUp(shape.outputs, 4) };
    this.head.addGradients(this.wide(top.input), dTop, rows);
    this.head.backward(dTop, this.wide(spare.dn), rows);
    this.#normaliseGradient(this.finalNorm, top.x, top.scales, spare.dn, dx, rows);
    for (let i = shape.layers - 1; i >= 0; i--) this.#layerBackward(i, kept, dx, spare);
    const tables = ["action_embedding", "position_embedding"];
    const gradients = tables.map((name) => parameters.gradientAddress(name));
    machine.kernels.embedGradient(
      ...[kept.actions, kept.positions, ...gradients, dx, rows, shape.width],
    );
    for (const address of [dOut, dx, spare.dn, spare.wide]) machine.free(address);
    this.release(kept);
  }

  /** Turns `dx` from the gradient of a layer's output into that of its input. */
  #layerBackward(
    index: number,
    { layers, rows, sequences }: DecoderActivations,
    dx: number,
    { dn, wide }: { readonly dn: number; readonly wide: number },
  ): void {
    const { kernels } = this.machine;
    const [layer, places] = [this.layers[index], layers[index]];
    const [dOutput, dNorm] = [this.wide(dx), this.wide(dn)];
    const [dHidden, dFused] = [this.wide(wide, 4), this.wide(wide, 3)];
    layer.mlpOut.addGradients(this.wide(places.hidden, 4), dOutput, rows);
    layer.mlpOut.backward(dOutput, dHidden, rows);
    kernels.activationGradient(places.hidden, wide, 4 * rows * this.shape.width, 0);
    layer.mlpIn.addGradients(this.wide(places.mlpInput), dHidden, rows);
    layer.mlpIn.backward(dHidden, dNorm, rows);
    this.#normaliseGradient(layer.mlpNorm, places.middle, places.mlpScales, dn, dx, rows);
    layer.attentionOut.addGradients(this.wide(places.mixed), dOutput, rows);
    layer.attentionOut.backward(dOutput, dNorm, rows);
    this.attention.backward(places.fused, places.probabilities, dn, wide, sequences);
    layer.queryKeyValue.addGradients(this.wide(places.attentionInput), dFused, rows);
    layer.queryKeyValue.backward(dFused, dNorm, rows);
    this.#normaliseGradient(layer.attentionNorm, places.x, places.attentionScales, dn, dx, rows);
  }

  #normaliseGradient(
    { gain, gradient }: Gain,
    x: number,
    scales: number,
    dy: number,
    dx: number,
    rows: number,
  ): void {
    const { kernels } = this.machine;
    kernels.normaliseGradient(x, gain, scales, dy, dx, gradient, rows, this.shape.width);
  }

  release(kept: DecoderActivations): void {
    this.machine.free(kept.block);
  }
}

function layerPlaces(places: readonly number[], layer: number): LayerPlaces {
  const [x, attentionScales, attentionInput, fused, probabilities, ...rest] = places.slice(
    10 * layer,
    10 * layer + 10,
  );
  const [mixed, middle, mlpScales, mlpInput, hidden] = rest;
  return {
    x,
    attentionScales,
    attentionInput,
    fused,
    probabilities,
    mixed,
    middle,
    mlpScales,
    mlpInput,
    hidden,
  };
}
