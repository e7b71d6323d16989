/** Where the states of a trajectory lie, and room for more of them. */
import type { RandomStream } from "../../../base/random.ts";
import type { LogDensity } from "../../../numerics/math/mod.ts";
import { GeneratedTrees, type OpenTrajectory, type Transition } from "./generated_trees.ts";
import { type Space, whiten } from "./leapfrog.ts";
import type { Metric } from "./metric.ts";
import { type BufferSizes, ownBuffers, type StateBuffers } from "./state_buffers.ts";

/** Doublings for which there is room at first; longer trajectories make more. */
const firstRoom = 6;

/**
 * States in the order of time, around the slot `start` of the current one: in the memory of the
 * density if that is generated code, otherwise in arrays. Between transitions other code may use
 * the memory; then the current state is kept elsewhere, and all is laid out again on return.
 */
export class Trajectory implements Space {
  readonly #dimension: number;
  /** From a state to the next: the dimension, made even. */
  readonly stride: number;
  /** Slot of the current state: the middle. */
  start = 0;
  /** Doublings for which there is room. */
  room: number;
  buffers: StateBuffers;
  /** The trajectory for which room was made last. */
  open: OpenTrajectory | undefined;
  /** Grows trees in the memory that the density lies in; undefined where that cannot be. */
  #trees: GeneratedTrees | undefined;
  #metric: Metric;

  constructor(readonly density: LogDensity, metric: Metric, readonly maxTreeDepth: number) {
    const d = density.dimension;
    this.#dimension = d;
    this.stride = d + (d & 1);
    this.room = Math.min(firstRoom, maxTreeDepth);
    this.#metric = metric;
    this.buffers = ownBuffers(this.#sizes(1));
    const { generated } = density;
    if (generated) this.#trees = new GeneratedTrees(generated, () => this.#pack());
    else this.allocate();
  }

  /** Where the current state begins in the buffers. */
  get offset(): number {
    return this.start * this.stride;
  }

  get dense(): boolean {
    return this.#metric.dense;
  }

  /** The metric; replacing it keeps the current state. */
  get metric(): Metric {
    return this.#metric;
  }

  set metric(metric: Metric) {
    this.#metric = metric;
    this.allocate();
  }

  /** Makes sure that the density and the buffers are where generated code finds them. */
  enter(): void {
    if (this.#trees && !this.#trees.enter()) this.allocate();
  }

  /** Makes a position the current state; returns its log density. */
  moveTo(position: Float64Array, from: number): number {
    const { positions, gradients, logDensities } = this.buffers;
    positions.set(position.subarray(from, from + this.#dimension), this.offset);
    const value = this.density.logDensity(positions, gradients, this.offset);
    logDensities[this.start] = value;
    whiten(this, this.start);
    return value;
  }

  /** Makes a slot the current state. */
  select(slot: number): void {
    if (slot === this.start) return;
    const { positions, gradients, whiteGradients, logDensities } = this.buffers;
    const from = slot * this.stride;
    for (const rows of [positions, gradients, whiteGradients]) {
      rows.copyWithin(this.offset, from, from + this.stride);
    }
    logDensities[this.start] = logDensities[slot];
  }

  /**
   * A transition in generated code; undefined if there is none. If it is still open, its states
   * have become too many for the memory: `open` has the state to resume.
   */
  generated(stream: RandomStream, stepSize: number): Transition | undefined {
    const trees = this.#trees;
    let last = trees?.transition(stream, stepSize);
    while (trees && last?.isOpen) {
      const open = trees.open();
      const shift = this.makeRoom();
      for (const slot of ["left", "right", "selected"] as const) open[slot] += shift;
      this.open = open;
      if (!this.#trees) break;
      last = trees.resume(stream, shift);
    }
    return last;
  }

  #sizes(slots: number): BufferSizes {
    const { stride } = this;
    const square = this.#metric.dense ? stride * stride : 0;
    const levels = this.maxTreeDepth + 1;
    return { slots, stride, levels, factor: square || stride, transposed: square };
  }

  /** Room around the current state, which is kept, and the metric, in new buffers. */
  allocate(): void {
    this.#pack();
    const before = this.buffers;
    const start = 1 << this.room;
    const sizes = this.#sizes(2 * start + 1);
    if (this.#trees && !GeneratedTrees.fits(sizes)) this.#trees = undefined;
    this.#trees?.enter();
    const limits = {
      dimension: this.#dimension,
      start,
      room: this.room,
      maxTreeDepth: this.maxTreeDepth,
    };
    this.buffers = this.#trees?.allocate(sizes, limits) ?? ownBuffers(sizes);
    this.start = start;
    this.#copy(before, 0, start, 1);
    this.#fillFactor();
    whiten(this, start);
  }

  /** Keeps nothing but the current state. */
  #pack(): void {
    const before = this.buffers;
    this.buffers = ownBuffers(this.#sizes(1));
    this.#copy(before, this.start, 0, 1);
    this.start = 0;
  }

  /** Makes room for one more doubling; returns by how much slots have moved. */
  makeRoom(): number {
    const before = this.buffers;
    const slots = 2 * this.start + 1;
    const copies = ownBuffers(this.#sizes(slots));
    this.buffers = copies;
    this.#copy(before, 0, 0, slots);
    const old = this.start;
    this.room += 1;
    this.allocate();
    const shift = this.start - old;
    this.#copy(copies, 0, shift, slots);
    return shift;
  }

  /** Copies the states of `count` slots. */
  #copy(before: StateBuffers, from: number, to: number, count: number): void {
    const { stride, buffers: now } = this;
    const copy = (a: Float64Array, b: Float64Array, width: number) =>
      b.set(a.subarray(from * width, (from + count) * width), to * width);
    copy(before.positions, now.positions, stride);
    copy(before.gradients, now.gradients, stride);
    copy(before.whiteGradients, now.whiteGradients, stride);
    copy(before.momenta, now.momenta, stride);
    copy(before.sums, now.sums, stride);
    copy(before.logDensities, now.logDensities, 1);
  }

  /** The metric's factor with rows of even length, and its transpose. */
  #fillFactor(): void {
    const { dense, factor } = this.#metric;
    const { factor: own, transposed } = this.buffers;
    if (!dense) return own.set(factor);
    const d = this.#dimension;
    const { stride } = this;
    for (let i = 0; i < d; i++) {
      for (let k = 0; k <= i; k++) {
        own[i * stride + k] = factor[i * d + k];
        transposed[k * stride + i] = factor[i * d + k];
      }
    }
  }
}
