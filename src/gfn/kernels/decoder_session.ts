/** Sampling with a decoder: each step computes one position, keys and values are remembered. */
import type { DecoderEngine, DecoderLayer } from "./decoder.ts";

/** Addresses of one step's activations. */
interface StepPlaces {
  readonly x: number;
  readonly scales: number;
  readonly input: number;
  readonly fused: number;
  readonly mixed: number;
  readonly hidden: number;
  readonly outputs: number;
  readonly actions: number;
  readonly positions: number;
  readonly scratch: number;
}

/** Keys and values of up to `count` sequences of up to `longest` positions. */
export class DecoderSession {
  readonly #caches: readonly number[];
  readonly #places: StepPlaces;

  constructor(readonly engine: DecoderEngine, readonly count: number, readonly longest: number) {
    const { machine, shape } = engine;
    const { width, outputs } = shape;
    const size = count * longest * 2 * width;
    this.#caches = engine.layers.map(() => machine.allocate(size));
    const rows = (numbers: number) => machine.allocate(count * numbers);
    this.#places = {
      x: rows(width),
      scales: rows(1),
      input: rows(width),
      fused: rows(3 * width),
      mixed: rows(width),
      hidden: rows(4 * width),
      outputs: rows(outputs),
      actions: rows(1),
      positions: rows(1),
      scratch: machine.allocate(longest + 4),
    };
  }

  /**
   * The outputs at position `t` of some of the sequences, whose earlier positions have been here.
   *
   * @param slots Which sequences.
   * @param actions `[slots]`: the row of `action_embedding` that each reads.
   * @returns `[slots, outputs]`.
   */
  next(slots: readonly number[], actions: readonly number[], t: number): Float32Array {
    const { machine, shape, parameters, layers } = this.engine;
    const { x, scales, input, outputs, ...places } = this.#places;
    const rows = slots.length;
    machine.i32(places.actions, rows).set(actions);
    machine.i32(places.positions, rows).fill(t);
    const tables = ["action_embedding", "position_embedding"].map((n) => parameters.address(n));
    machine.kernels.embed(places.actions, places.positions, ...tables, x, rows, shape.width);
    layers.forEach((layer, i) => this.#runLayer(layer, this.#caches[i], slots, t));
    this.engine.normalise(this.engine.finalNorm, x, input, scales, rows);
    const target = { address: outputs, stride: shape.outputs };
    this.engine.head.forward(this.engine.wide(input), target, rows);
    return machine.f32(outputs, rows * shape.outputs).slice();
  }

  #runLayer(layer: DecoderLayer, cache: number, slots: readonly number[], t: number): void {
    const { engine } = this;
    const { x, scales, input, fused, mixed, hidden } = this.#places;
    const rows = slots.length;
    const accumulate = { accumulate: true };
    engine.normalise(layer.attentionNorm, x, input, scales, rows);
    layer.queryKeyValue.forward(engine.wide(input), engine.wide(fused, 3), rows);
    slots.forEach((slot, row) => this.#attend(cache, slot, row, t));
    layer.attentionOut.forward(engine.wide(mixed), engine.wide(x), rows, accumulate);
    engine.normalise(layer.mlpNorm, x, input, scales, rows);
    layer.mlpIn.forward(engine.wide(input), engine.wide(hidden, 4), rows, { slope: 0 });
    layer.mlpOut.forward(engine.wide(hidden, 4), engine.wide(x), rows, accumulate);
  }

  /** Puts key and value into the cache, and mixes the values that the query sees. */
  #attend(cache: number, slot: number, row: number, t: number): void {
    const { machine, shape: { width, heads } } = this.engine;
    const { fused, mixed, scratch } = this.#places;
    const size = width / heads;
    const own = cache + slot * this.longest * 8 * width;
    const [from, out] = [fused + 12 * width * row, mixed + 4 * width * row];
    const sizes = [t + 1, heads, size, this.longest];
    machine.kernels.attendCached(from, own, ...sizes, scratch, out, 1 / Math.sqrt(size));
  }

  end(): void {
    const { machine } = this.engine;
    for (const address of [...this.#caches, ...Object.values(this.#places)]) machine.free(address);
  }
}
