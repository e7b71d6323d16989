/** One transition of the No-U-Turn sampler; adaptation and starting points are left to others. */
import type { RandomStream } from "../../../base/random.ts";
import { exp, fillNormal, type LogDensity } from "../../../numerics/math/mod.ts";
import type { OpenTrajectory } from "./generated_trees.ts";
import { leapfrog, squaredMomentum } from "./leapfrog.ts";
import type { Metric } from "./metric.ts";
import { Trajectory } from "./trajectory.ts";
import { maxEnergyError, maxLogWeight, outcome } from "./tree_frame.ts";
import { turns } from "./turns.ts";

const logFourFifths = -0.2231435513142097;

/**
 * The multinomial No-U-Turn sampler as Stan 2.37 has it (Hoffman and Gelman 2014; Betancourt
 * 2017, appendix A): uniform progressive sampling within a subtree, biased at the top, the
 * generalised U-turn criterion with three checks per merge.
 *
 * A subtree is a range of slots of a `Trajectory`, and its sum of momenta a difference of two
 * running sums. Momenta and gradients are kept in the coordinates of the metric, so nothing is
 * multiplied twice, and no step of the integrator allocates. Instead of recursion, a stack holds
 * one finished subtree per level, merged by the bits of the count of leaves. Sums over coordinates
 * keep even and odd ones apart, as two lanes do: where the density is generated code, whole
 * transitions run in generated code (`tree_code.ts`), with the same bits.
 */
export class Nuts {
  readonly #states: Trajectory;
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
    this.#states = new Trajectory(density, metric, maxTreeDepth);
  }

  /** Buffer that holds the current state, at `offset`, until the next transition; only to read. */
  get position(): Float64Array {
    return this.#states.buffers.positions;
  }

  /** Gradient of the log density at the current state, at `offset`. */
  get gradient(): Float64Array {
    return this.#states.buffers.gradients;
  }

  /** Where the current state begins in `position` and `gradient`. */
  get offset(): number {
    return this.#states.offset;
  }

  /** Log density of the current state. */
  get logDensity(): number {
    return this.#states.buffers.logDensities[this.#states.start];
  }

  /** Mean of min(1, e^-error) over the steps of the last transition. */
  get acceptance(): number {
    return this.steps === 0 ? 0 : this.#acceptanceSum / this.steps;
  }

  /** Goes to `position[offset …)` and returns its log density; one gradient evaluation. */
  moveTo(position: Float64Array, offset: number): number {
    this.#states.enter();
    return this.#states.moveTo(position, offset);
  }

  /** The metric; replacing it keeps the current state. */
  get metric(): Metric {
    return this.#states.metric;
  }

  set metric(metric: Metric) {
    this.#states.metric = metric;
  }

  /** Moves to the next state of the chain. */
  transition(stream: RandomStream): void {
    this.#states.enter();
    const last = this.#states.generated(stream, this.stepSize);
    if (!last) {
      this.#begin(stream);
      const { start } = this.#states;
      return this.#double({ left: start, right: start, selected: start, weight: 1 }, stream);
    }
    this.steps = last.steps;
    this.treeDepth = last.treeDepth;
    this.diverging = last.diverging;
    this.energy = last.energy;
    this.#acceptanceSum = last.acceptanceSum;
    this.#initialEnergy = last.initialEnergy;
    if (last.isOpen) this.#double(this.#states.open!, stream);
  }

  /** Doubles a trajectory step by step until it ends, and selects a state. */
  #double(trajectory: OpenTrajectory, stream: RandomStream): void {
    const states = this.#states;
    let { left, right, selected, weight } = trajectory;
    while (this.treeDepth < this.maxTreeDepth) {
      if (this.treeDepth === states.room) {
        const shift = states.makeRoom();
        left += shift;
        right += shift;
        selected += shift;
      }
      const forward = stream.uint32() >= 2147483648;
      const size = 1 << this.treeDepth;
      if (!this.#extend(forward ? right : left, forward ? 1 : -1, stream)) break;
      const { levelWeights, levelProposals } = states.buffers;
      const added = levelWeights[this.treeDepth];
      if (added >= weight || stream.uniform() * weight < added) {
        selected = levelProposals[this.treeDepth];
      }
      weight += added;
      const middle = forward ? right : left - 1;
      if (forward) right += size;
      else left -= size;
      this.treeDepth += 1;
      if (turns(states, left, middle, right)) break;
    }
    this.energy = 0.5 * squaredMomentum(states, selected) - states.buffers.logDensities[selected];
    states.select(selected);
  }

  /**
   * Finds a step size at which one step has an acceptance of about 0.8, doubling or halving from
   * the present one (Hoffman and Gelman 2014, algorithm 4, with Stan's threshold). Returns the
   * gradient evaluations it took.
   */
  findStepSize(stream: RandomStream): number {
    let evaluations = 0;
    let direction = 0;
    this.#states.enter();
    while (this.stepSize > 1e-10 && this.stepSize < 1e7) {
      this.#begin(stream);
      const error = this.#step(this.#states.start, 1);
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
    const states = this.#states;
    const { stride, offset, buffers: { momenta, sums } } = states;
    fillNormal(stream, momenta, offset, states.density.dimension);
    for (let k = offset; k < offset + stride; k++) {
      sums[k - stride] = 0;
      sums[k] = momenta[k];
    }
    this.#initialEnergy = 0.5 * squaredMomentum(states, states.start) - this.logDensity;
    this.#acceptanceSum = 0;
    this.steps = 0;
    this.treeDepth = 0;
    this.diverging = false;
  }

  /** One leapfrog step from a slot; returns the energy error after it. */
  #step(from: number, direction: 1 | -1): number {
    return leapfrog(this.#states, from, direction, this.stepSize) - this.#initialEnergy;
  }

  /**
   * Grows a subtree of 2^treeDepth states from slot `from` in `direction`. Returns whether it is
   * valid; its weight and proposal are then on the stack at level `treeDepth`.
   */
  #extend(from: number, direction: 1 | -1, stream: RandomStream): boolean {
    const found = this.#grow(from, direction, stream);
    this.diverging = found === outcome.diverges;
    return found === outcome.valid;
  }

  #grow(from: number, direction: 1 | -1, stream: RandomStream): number {
    const count = 1 << this.treeDepth;
    let slot = from;
    for (let leaf = 1; leaf <= count; leaf++) {
      const error = this.#step(slot, direction);
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
    const { levelWeights: weights, levelProposals: proposals } = this.#states.buffers;
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
      if (turns(this.#states, left, left + half - 1, left + 2 * half - 1)) return false;
    }
    weights[level] = weight;
    proposals[level] = proposal;
    return true;
  }
}
