/** One transition of the No-U-Turn sampler; adaptation and starting points are left to others. */
import type { RandomStream } from "../base/random.ts";
import { exp } from "../math/elementary.ts";
import type { LogDensity } from "../math/log_density.ts";
import { fillNormal } from "../math/random_normal.ts";
import type { Metric } from "./metric.ts";
import {
  type BufferSizes,
  GeneratedTrees,
  ownBuffers,
  type StateBuffers,
} from "./state_buffers.ts";
import { maxEnergyError, maxLogWeight, outcome } from "./tree_code.ts";

/** Doublings for which there is room at first; longer trajectories make more. */
const firstRoom = 6;
const logFourFifths = -0.2231435513142097;

/**
 * The multinomial No-U-Turn sampler as Stan 2.37 has it (Hoffman and Gelman 2014; Betancourt
 * 2017, appendix A): uniform progressive sampling within a subtree, biased at the top, the
 * generalised U-turn criterion with three checks per merge.
 *
 * States of a trajectory lie in one buffer, in the order of time, around the slot `start`; a
 * subtree is a range of slots, and its sum of momenta a difference of two running sums. Momenta
 * and gradients are kept in the coordinates of the metric, so nothing is multiplied twice, and no
 * step of the integrator allocates. Instead of recursion, a stack holds one finished subtree per
 * level, merged as the bits of the count of leaves tell. Sums over coordinates keep even and odd
 * ones apart, as two lanes do: where the density is generated code, trees grow in generated code
 * (`tree_code.ts`), with the same bits.
 */
export class Nuts {
  readonly #d: number;
  /** From a state to the next: the dimension, made even. */
  readonly #stride: number;
  /** Doublings for which there is room. */
  #room: number;
  /** Slot of the current state: the middle. */
  #start: number;
  #buffers: StateBuffers;
  /** Grows trees in the memory that the density lies in; undefined where that cannot be. */
  #trees: GeneratedTrees | undefined;
  readonly #density: LogDensity;
  #metric: Metric;
  #initialEnergy = 0;
  #acceptanceSum = 0;

  /** Step size of the next transition. */
  stepSize = 1;
  /** Leapfrog steps of the last transition. */
  steps = 0;
  /** Doublings of the last transition. */
  treeDepth = 0;
  /** Whether the last transition met an energy error above 1000. */
  diverging = false;
  /** Energy of the current state with the momentum that it was reached with. */
  energy = 0;

  /** Trajectories have up to 2^maxTreeDepth steps; `moveTo` must follow. */
  constructor(density: LogDensity, metric: Metric, readonly maxTreeDepth: number = 10) {
    const d = density.dimension;
    this.#d = d;
    this.#stride = d + (d & 1);
    this.#room = Math.min(firstRoom, maxTreeDepth);
    this.#density = density;
    this.#metric = metric;
    this.#start = 0;
    this.#buffers = ownBuffers(this.#sizes(1));
    const { generated } = density;
    if (generated) this.#trees = new GeneratedTrees(generated, () => this.#pack());
    else this.#settle();
  }

  /** Buffer that holds the current state, at `offset`, until the next transition; only to read. */
  get position(): Float64Array {
    return this.#buffers.positions;
  }

  /** Gradient of the log density at the current state, at `offset`. */
  get gradient(): Float64Array {
    return this.#buffers.gradients;
  }

  /** Where the current state begins in `position` and `gradient`. */
  get offset(): number {
    return this.#start * this.#stride;
  }

  /** Log density of the current state. */
  get logDensity(): number {
    return this.#buffers.logDensities[this.#start];
  }

  /** Mean of min(1, e^-error) over the steps of the last transition. */
  get acceptance(): number {
    return this.steps === 0 ? 0 : this.#acceptanceSum / this.steps;
  }

  /** Goes to `position[offset …)` and returns its log density; one gradient evaluation. */
  moveTo(position: Float64Array, offset: number): number {
    this.#enter();
    const { positions, gradients, logDensities } = this.#buffers;
    positions.set(position.subarray(offset, offset + this.#d), this.offset);
    const value = this.#density.logDensity(positions, gradients, this.offset);
    logDensities[this.#start] = value;
    this.#whiten(this.#start);
    return value;
  }

  /** The metric; replacing it keeps the current state. */
  get metric(): Metric {
    return this.#metric;
  }

  set metric(metric: Metric) {
    this.#metric = metric;
    this.#settle();
  }

  #sizes(slots: number): BufferSizes {
    const stride = this.#stride;
    const square = this.#metric.dense ? stride * stride : 0;
    const levels = this.maxTreeDepth + 1;
    return { slots, stride, levels, factor: square || stride, transposed: square };
  }

  /** Makes sure that the density and the buffers are where generated code finds them. */
  #enter(): void {
    if (this.#trees && !this.#trees.enter()) this.#settle();
  }

  /** Room around the current state, which is kept, and the metric, in new buffers. */
  #settle(): void {
    this.#pack();
    const before = this.#buffers;
    const start = 1 << this.#room;
    const sizes = this.#sizes(2 * start + 1);
    if (this.#trees && !GeneratedTrees.fits(sizes)) this.#trees = undefined;
    this.#trees?.enter();
    this.#buffers = this.#trees?.settle(sizes) ?? ownBuffers(sizes);
    this.#start = start;
    this.#copy(before, 0, start, 1);
    this.#fillFactor();
    this.#whiten(start);
  }

  /** Keeps nothing but the current state. */
  #pack(): void {
    const before = this.#buffers;
    this.#buffers = ownBuffers(this.#sizes(1));
    this.#copy(before, this.#start, 0, 1);
    this.#start = 0;
  }

  /** Copies the states of `count` slots. */
  #copy(before: StateBuffers, from: number, to: number, count: number): void {
    const stride = this.#stride;
    const now = this.#buffers;
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
    const { factor: own, transposed } = this.#buffers;
    if (!dense) return own.set(factor);
    const d = this.#d;
    const stride = this.#stride;
    for (let i = 0; i < d; i++) {
      for (let k = 0; k <= i; k++) {
        own[i * stride + k] = factor[i * d + k];
        transposed[k * stride + i] = factor[i * d + k];
      }
    }
  }

  /** Moves to the next state of the chain. */
  transition(stream: RandomStream): void {
    this.#enter();
    this.#begin(stream);
    let left = this.#start;
    let right = this.#start;
    let selected = this.#start;
    let weight = 1;
    while (this.treeDepth < this.maxTreeDepth) {
      if (this.treeDepth === this.#room) {
        const shift = this.#makeRoom();
        left += shift;
        right += shift;
        selected += shift;
      }
      const forward = stream.uint32() >= 2147483648;
      const size = 1 << this.treeDepth;
      if (!this.#extend(forward ? right : left, forward ? 1 : -1, stream)) break;
      const added = this.#buffers.levelWeights[this.treeDepth];
      if (added >= weight || stream.uniform() * weight < added) {
        selected = this.#buffers.levelProposals[this.treeDepth];
      }
      weight += added;
      const middle = forward ? right : left - 1;
      if (forward) right += size;
      else left -= size;
      this.treeDepth += 1;
      if (this.#trees?.turns(left, middle, right) ?? this.#turns(left, middle, right)) break;
    }
    this.#select(selected);
  }

  /** Makes room for one more doubling; returns by how much slots have moved. */
  #makeRoom(): number {
    const before = this.#buffers;
    const slots = 2 * this.#start + 1;
    const copies = ownBuffers(this.#sizes(slots));
    this.#buffers = copies;
    this.#copy(before, 0, 0, slots);
    const old = this.#start;
    this.#room += 1;
    this.#settle();
    const shift = this.#start - old;
    this.#copy(copies, 0, shift, slots);
    return shift;
  }

  /**
   * Finds a step size at which one step has an acceptance of about 0.8, doubling or halving from
   * the present one (Hoffman and Gelman 2014, algorithm 4, with Stan's threshold). Returns the
   * gradient evaluations it took.
   */
  findStepSize(stream: RandomStream): number {
    let evaluations = 0;
    let direction = 0;
    this.#enter();
    while (this.stepSize > 1e-10 && this.stepSize < 1e7) {
      this.#begin(stream);
      const error = this.#leapfrog(this.#start, 1);
      evaluations += 1;
      const accepted = -error > logFourFifths ? 1 : -1;
      if (direction === 0) direction = accepted;
      else if (direction !== accepted) break;
      this.stepSize *= direction === 1 ? 2 : 0.5;
    }
    return evaluations;
  }

  /** Draws a momentum and forgets the last trajectory. */
  #begin(stream: RandomStream): void {
    const { momenta, sums } = this.#buffers;
    const stride = this.#stride;
    const at = this.offset;
    fillNormal(stream, momenta, at, this.#d);
    let even = 0;
    let odd = 0;
    for (let k = at; k < at + stride; k += 2) {
      even += momenta[k] * momenta[k];
      odd += momenta[k + 1] * momenta[k + 1];
    }
    for (let k = at; k < at + stride; k++) {
      sums[k - stride] = 0;
      sums[k] = momenta[k];
    }
    this.#initialEnergy = 0.5 * (even + odd) - this.logDensity;
    this.#acceptanceSum = 0;
    this.steps = 0;
    this.treeDepth = 0;
    this.diverging = false;
  }

  /**
   * Grows a subtree of 2^treeDepth states from slot `from` in `direction`. Returns whether it is
   * valid; its weight and proposal are then on the stack at level `treeDepth`.
   */
  #extend(from: number, direction: 1 | -1, stream: RandomStream): boolean {
    const found = this.#trees
      ? this.#growGenerated(this.#trees, from, direction, stream)
      : this.#grow(from, direction, stream);
    this.diverging = found === outcome.diverges;
    return found === outcome.valid;
  }

  #growGenerated(trees: GeneratedTrees, from: number, direction: 1 | -1, stream: RandomStream) {
    const state = {
      stream,
      stepSize: this.stepSize,
      initialEnergy: this.#initialEnergy,
      acceptanceSum: this.#acceptanceSum,
      steps: this.steps,
    };
    const found = trees.grow(from, direction, this.treeDepth, state);
    this.#acceptanceSum = state.acceptanceSum;
    this.steps = state.steps;
    return found;
  }

  #grow(from: number, direction: 1 | -1, stream: RandomStream): number {
    const count = 1 << this.treeDepth;
    let slot = from;
    for (let leaf = 1; leaf <= count; leaf++) {
      const error = this.#leapfrog(slot, direction);
      slot += direction;
      this.steps += 1;
      if (!(error <= maxEnergyError)) return outcome.diverges;
      const weight = exp(-error < maxLogWeight ? -error : maxLogWeight);
      this.#acceptanceSum += weight < 1 ? weight : 1;
      if (!this.#merge(leaf, slot, direction, weight, stream)) return outcome.turns;
    }
    return outcome.valid;
  }

  /** Puts a leaf on the stack and merges the subtrees that it completes, unless one turns. */
  #merge(
    leaf: number,
    slot: number,
    direction: 1 | -1,
    leafWeight: number,
    stream: RandomStream,
  ): boolean {
    const { levelWeights: weights, levelProposals: proposals } = this.#buffers;
    let weight = leafWeight;
    let proposal = slot;
    let level = 0;
    for (let rest = leaf; (rest & 1) === 0; rest >>= 1) {
      const total = weights[level] + weight;
      if (stream.uniform() * total >= weight) proposal = proposals[level];
      weight = total;
      const half = 1 << level;
      level += 1;
      const left = direction === 1 ? slot - 2 * half + 1 : slot;
      if (this.#turns(left, left + half - 1, left + 2 * half - 1)) return false;
    }
    weights[level] = weight;
    proposals[level] = proposal;
    return true;
  }

  /** Whether the tree of slots left … right, of which the left half ends at `middle`, turns. */
  #turns(left: number, middle: number, right: number): boolean {
    if (this.#turnsBetween(left, right, left, right)) return true;
    if (right - left === 1) return false;
    return this.#turnsBetween(left, middle + 1, left, middle + 1) ||
      this.#turnsBetween(middle, right, middle, right);
  }

  /** The generalised criterion for momenta `a` and `b` and the sum over slots first … last. */
  #turnsBetween(a: number, b: number, first: number, last: number): boolean {
    const stride = this.#stride;
    const { momenta, sums } = this.#buffers;
    const end = last * stride;
    const before = (first - 1) * stride;
    const [atA, atB] = [a * stride, b * stride];
    let evenA = 0;
    let oddA = 0;
    let evenB = 0;
    let oddB = 0;
    for (let k = 0; k < stride; k += 2) {
      const even = sums[end + k] - sums[before + k];
      const odd = sums[end + k + 1] - sums[before + k + 1];
      evenA += momenta[atA + k] * even;
      oddA += momenta[atA + k + 1] * odd;
      evenB += momenta[atB + k] * even;
      oddB += momenta[atB + k + 1] * odd;
    }
    return !(evenA + oddA > 0 && evenB + oddB > 0);
  }

  /** One leapfrog step from slot `from` to its neighbour; returns the energy error there. */
  #leapfrog(from: number, direction: 1 | -1): number {
    const stride = this.#stride;
    const to = from + direction;
    const step = direction * this.stepSize;
    const { positions, gradients, logDensities } = this.#buffers;
    this.#halfKick(from * stride, to * stride, 0.5 * step);
    if (this.#metric.dense) this.#driftDense(from * stride, to * stride, step);
    else this.#driftDiagonal(from * stride, to * stride, step);
    const value = this.#density.logDensity(positions, gradients, to * stride);
    logDensities[to] = value;
    this.#whiten(to);
    const square = this.#kick(from, to, 0.5 * step);
    return 0.5 * square - value - this.#initialEnergy;
  }

  /** First half kick. */
  #halfKick(from: number, to: number, halfStep: number): void {
    const { momenta: r, whiteGradients: u } = this.#buffers;
    for (let k = 0; k < this.#stride; k++) r[to + k] = r[from + k] + halfStep * u[from + k];
  }

  /** Drift with a diagonal factor. */
  #driftDiagonal(from: number, to: number, step: number): void {
    const { positions: q, momenta: r, factor } = this.#buffers;
    for (let k = 0; k < this.#stride; k++) {
      q[to + k] = q[from + k] + step * factor[k] * r[to + k];
    }
  }

  /** Drift with a lower triangular factor. */
  #driftDense(from: number, to: number, step: number): void {
    const stride = this.#stride;
    const { positions: q, momenta: r, factor } = this.#buffers;
    for (let i = 0, row = 0; i < stride; i++, row += stride) {
      let even = 0;
      let odd = 0;
      for (let k = 0; k <= i; k += 2) {
        even += factor[row + k] * r[to + k];
        odd += factor[row + k + 1] * r[to + k + 1];
      }
      q[to + i] = q[from + i] + step * (even + odd);
    }
  }

  /** Second half kick; extends the running sums; returns the squared momentum. */
  #kick(from: number, to: number, halfStep: number): number {
    const stride = this.#stride;
    const { momenta: r, whiteGradients: u, sums } = this.#buffers;
    // Forwards S[to] = S[from] + r[to]; backwards S[to − 1] = S[to] − r[to].
    const sign = to > from ? 1 : -1;
    const known = (sign > 0 ? from : to) * stride;
    const next = (sign > 0 ? to : to - 1) * stride;
    const at = to * stride;
    for (let k = 0; k < stride; k++) {
      r[at + k] += halfStep * u[at + k];
      sums[next + k] = sums[known + k] + sign * r[at + k];
    }
    let even = 0;
    let odd = 0;
    for (let k = at; k < at + stride; k += 2) {
      even += r[k] * r[k];
      odd += r[k + 1] * r[k + 1];
    }
    return even + odd;
  }

  /** Computes Lᵀ gradient of a slot. */
  #whiten(slot: number): void {
    const stride = this.#stride;
    const at = slot * stride;
    const { gradients: g, whiteGradients: u, factor, transposed } = this.#buffers;
    if (!this.#metric.dense) {
      for (let k = 0; k < stride; k++) u[at + k] = factor[k] * g[at + k];
      return;
    }
    for (let k = 0, row = 0; k < stride; k++, row += stride) {
      let even = 0;
      let odd = 0;
      for (let i = k & ~1; i < stride; i += 2) {
        even += transposed[row + i] * g[at + i];
        odd += transposed[row + i + 1] * g[at + i + 1];
      }
      u[at + k] = even + odd;
    }
  }

  /** Makes a slot the current state. */
  #select(slot: number): void {
    const { momenta, logDensities } = this.#buffers;
    const from = slot * this.#stride;
    let square = 0;
    for (let k = 0; k < this.#d; k++) square += momenta[from + k] * momenta[from + k];
    this.energy = 0.5 * square - logDensities[slot];
    if (slot !== this.#start) this.#copyState(slot);
  }

  #copyState(slot: number): void {
    const stride = this.#stride;
    const { positions, gradients, whiteGradients, logDensities } = this.#buffers;
    const from = slot * stride;
    const to = this.offset;
    for (let k = 0; k < stride; k++) {
      positions[to + k] = positions[from + k];
      gradients[to + k] = gradients[from + k];
      whiteGradients[to + k] = whiteGradients[from + k];
    }
    logDensities[this.#start] = logDensities[slot];
  }
}
