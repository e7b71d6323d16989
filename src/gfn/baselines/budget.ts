/** The budget of a baseline: how many distinct objects it may ask the reward of. */

/** Counts distinct objects; a repeated request is free. */
export class EvaluationBudget {
  readonly #asked = new Set<number>();

  /** @param limit Distinct objects. */
  constructor(readonly limit: number) {}

  /** Distinct objects asked for so far. */
  get used(): number {
    return this.#asked.size;
  }

  /** Indices of those objects, in the order in which they were asked for. */
  get asked(): readonly number[] {
    return [...this.#asked];
  }

  /** True if asking for this object stays within the limit; then it counts as asked. */
  ask(object: number): boolean {
    if (this.#asked.has(object)) return true;
    if (this.#asked.size >= this.limit) return false;
    this.#asked.add(object);
    return true;
  }
}

/** A weighted empirical distribution over objects, with its cost. */
export interface BaselineResult {
  /** `[objects]`: probabilities; they sum to 1. */
  readonly probability: Float64Array;
  /** Distinct objects whose reward was asked for. */
  readonly distinctEvaluations: number;
  /** Their indices: each of their rewards is known, however often it was visited. */
  readonly asked: readonly number[];
  /** Number of trajectories. */
  readonly walks: number;
}
