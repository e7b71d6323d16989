/** One transition of the No-U-Turn sampler; adaptation and starting points are left to others. */
import type { RandomStream } from "../base/random.ts";
import { exp } from "../math/elementary.ts";
import type { LogDensity } from "../math/log_density.ts";
import { fillNormal } from "../math/random_normal.ts";
import type { Metric } from "./metric.ts";

/** Energy error from which a trajectory counts as divergent (Stan's value). */
const maxEnergyError = 1000;
/** Weights are e^-error; clamped here so that a sum of 2^10 of them stays finite. */
const maxLogWeight = 690;
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
 * level, merged as the bits of the count of leaves tell.
 */
export class Nuts {
  readonly #d: number;
  /** Doublings for which there is room. */
  #room: number;
  /** Slot of the current state: the middle. */
  #start: number;
  #positions: Float64Array;
  #gradients: Float64Array;
  /** Lᵀ gradient, per slot. */
  #whiteGradients: Float64Array;
  /** Momentum in white coordinates, per slot. */
  #momenta: Float64Array;
  /** Sum of the momenta up to and with a slot; only differences have a meaning. */
  #sums: Float64Array;
  #logDensities: Float64Array;
  readonly #levelWeights: Float64Array;
  readonly #levelProposals: Int32Array;
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
    this.#room = Math.min(firstRoom, maxTreeDepth);
    this.#start = 1 << this.#room;
    const slots = 2 * this.#start + 1;
    this.#positions = new Float64Array(slots * d);
    this.#gradients = new Float64Array(slots * d);
    this.#whiteGradients = new Float64Array(slots * d);
    this.#momenta = new Float64Array(slots * d);
    this.#sums = new Float64Array(slots * d);
    this.#logDensities = new Float64Array(slots);
    this.#levelWeights = new Float64Array(maxTreeDepth + 1);
    this.#levelProposals = new Int32Array(maxTreeDepth + 1);
    this.#density = density;
    this.#metric = metric;
  }

  /** Buffer that holds the current state, at `offset`, until the next transition; only to read. */
  get position(): Float64Array {
    return this.#positions;
  }

  /** Gradient of the log density at the current state, at `offset`. */
  get gradient(): Float64Array {
    return this.#gradients;
  }

  /** Where the current state begins in `position` and `gradient`. */
  get offset(): number {
    return this.#start * this.#d;
  }

  /** Log density of the current state. */
  get logDensity(): number {
    return this.#logDensities[this.#start];
  }

  /** Mean of min(1, e^-error) over the steps of the last transition. */
  get acceptance(): number {
    return this.steps === 0 ? 0 : this.#acceptanceSum / this.steps;
  }

  /** Goes to `position[offset …)` and returns its log density; one gradient evaluation. */
  moveTo(position: Float64Array, offset: number): number {
    const d = this.#d;
    this.#positions.set(position.subarray(offset, offset + d), this.offset);
    const value = this.#density.logDensity(this.#positions, this.#gradients, this.offset);
    this.#logDensities[this.#start] = value;
    this.#whiten(this.#start);
    return value;
  }

  /** The metric; replacing it keeps the current state. */
  get metric(): Metric {
    return this.#metric;
  }

  set metric(metric: Metric) {
    this.#metric = metric;
    this.#whiten(this.#start);
  }

  /** Moves to the next state of the chain. */
  transition(stream: RandomStream): void {
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
      const added = this.#levelWeights[this.treeDepth];
      if (added >= weight || stream.uniform() * weight < added) {
        selected = this.#levelProposals[this.treeDepth];
      }
      weight += added;
      const middle = forward ? right : left - 1;
      if (forward) right += size;
      else left -= size;
      this.treeDepth += 1;
      if (this.#turns(left, middle, right)) break;
    }
    this.#select(selected);
  }

  /** Makes room for two more doublings; returns by how much slots have moved. */
  #makeRoom(): number {
    const d = this.#d;
    const shift = (1 << Math.min(this.#room + 2, this.maxTreeDepth)) - this.#start;
    this.#room = Math.min(this.#room + 2, this.maxTreeDepth);
    this.#start += shift;
    const slots = 2 * this.#start + 1;
    const moved = (values: Float64Array, width: number) => {
      const larger = new Float64Array(slots * width);
      larger.set(values, shift * width);
      return larger;
    };
    this.#positions = moved(this.#positions, d);
    this.#gradients = moved(this.#gradients, d);
    this.#whiteGradients = moved(this.#whiteGradients, d);
    this.#momenta = moved(this.#momenta, d);
    this.#sums = moved(this.#sums, d);
    this.#logDensities = moved(this.#logDensities, 1);
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
    const d = this.#d;
    const at = this.offset;
    fillNormal(stream, this.#momenta, at, d);
    let square = 0;
    for (let k = 0; k < d; k++) {
      const r = this.#momenta[at + k];
      square += r * r;
      this.#sums[at - d + k] = 0;
      this.#sums[at + k] = r;
    }
    this.#initialEnergy = 0.5 * square - this.logDensity;
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
    const count = 1 << this.treeDepth;
    let slot = from;
    for (let leaf = 1; leaf <= count; leaf++) {
      const error = this.#leapfrog(slot, direction);
      slot += direction;
      this.steps += 1;
      if (!(error <= maxEnergyError)) {
        this.diverging = true;
        return false;
      }
      const weight = exp(-error < maxLogWeight ? -error : maxLogWeight);
      this.#acceptanceSum += weight < 1 ? weight : 1;
      if (!this.#merge(leaf, slot, direction, weight, stream)) return false;
    }
    return true;
  }

  /** Puts a leaf on the stack and merges the subtrees that it completes, unless one turns. */
  #merge(
    leaf: number,
    slot: number,
    direction: 1 | -1,
    leafWeight: number,
    stream: RandomStream,
  ): boolean {
    const weights = this.#levelWeights;
    const proposals = this.#levelProposals;
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
    const d = this.#d;
    const momenta = this.#momenta;
    const sums = this.#sums;
    const end = last * d;
    const before = (first - 1) * d;
    let atA = 0;
    let atB = 0;
    for (let k = 0; k < d; k++) {
      const rho = sums[end + k] - sums[before + k];
      atA += momenta[a * d + k] * rho;
      atB += momenta[b * d + k] * rho;
    }
    return !(atA > 0 && atB > 0);
  }

  /** One leapfrog step from slot `from` to its neighbour; returns the energy error there. */
  #leapfrog(from: number, direction: 1 | -1): number {
    const d = this.#d;
    const to = from + direction;
    const step = direction * this.stepSize;
    if (this.#metric.dense) this.#driftDense(from * d, to * d, step);
    else this.#driftDiagonal(from * d, to * d, step);
    const value = this.#density.logDensity(this.#positions, this.#gradients, to * d);
    this.#logDensities[to] = value;
    this.#whiten(to);
    const square = this.#kick(from, to, 0.5 * step);
    return 0.5 * square - value - this.#initialEnergy;
  }

  /** First half kick, and drift, with a diagonal factor. */
  #driftDiagonal(from: number, to: number, step: number): void {
    const { factor } = this.#metric;
    const q = this.#positions;
    const r = this.#momenta;
    const u = this.#whiteGradients;
    for (let k = 0; k < factor.length; k++) {
      const half = r[from + k] + 0.5 * step * u[from + k];
      r[to + k] = half;
      q[to + k] = q[from + k] + step * factor[k] * half;
    }
  }

  /** First half kick, and drift, with a lower triangular factor. */
  #driftDense(from: number, to: number, step: number): void {
    const d = this.#d;
    const { factor } = this.#metric;
    const q = this.#positions;
    const r = this.#momenta;
    const u = this.#whiteGradients;
    for (let i = 0, row = 0; i < d; i++, row += d) {
      r[to + i] = r[from + i] + 0.5 * step * u[from + i];
      let drift = 0;
      for (let k = 0; k <= i; k++) drift += factor[row + k] * r[to + k];
      q[to + i] = q[from + i] + step * drift;
    }
  }

  /** Second half kick; extends the running sums; returns the squared momentum. */
  #kick(from: number, to: number, halfStep: number): number {
    const d = this.#d;
    const r = this.#momenta;
    const u = this.#whiteGradients;
    const sums = this.#sums;
    // Forwards S[to] = S[from] + r[to]; backwards S[to − 1] = S[to] − r[to].
    const forward = to > from;
    const known = (forward ? from : to) * d;
    const next = (forward ? to : to - 1) * d;
    let square = 0;
    for (let k = 0, at = to * d; k < d; k++, at++) {
      const momentum = r[at] + halfStep * u[at];
      r[at] = momentum;
      square += momentum * momentum;
      sums[next + k] = sums[known + k] + (forward ? momentum : -momentum);
    }
    return square;
  }

  /** Computes Lᵀ gradient of a slot. */
  #whiten(slot: number): void {
    const d = this.#d;
    const at = slot * d;
    const { dense, factor } = this.#metric;
    const g = this.#gradients;
    const u = this.#whiteGradients;
    if (!dense) {
      for (let k = 0; k < d; k++) u[at + k] = factor[k] * g[at + k];
      return;
    }
    for (let k = 0; k < d; k++) {
      let sum = 0;
      for (let i = k, j = k * d + k; i < d; i++, j += d) sum += factor[j] * g[at + i];
      u[at + k] = sum;
    }
  }

  /** Makes a slot the current state. */
  #select(slot: number): void {
    const d = this.#d;
    const from = slot * d;
    let square = 0;
    for (let k = 0; k < d; k++) square += this.#momenta[from + k] * this.#momenta[from + k];
    this.energy = 0.5 * square - this.#logDensities[slot];
    if (slot === this.#start) return;
    const to = this.offset;
    for (let k = 0; k < d; k++) {
      this.#positions[to + k] = this.#positions[from + k];
      this.#gradients[to + k] = this.#gradients[from + k];
      this.#whiteGradients[to + k] = this.#whiteGradients[from + k];
    }
    this.#logDensities[this.#start] = this.#logDensities[slot];
  }
}
