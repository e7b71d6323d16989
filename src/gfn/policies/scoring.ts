/** From a network's outputs to the scores of a batch, and from their gradient back to outputs. */
import type { Batch, ScoreGradients, Scores } from "../trajectories/trajectory.ts";
import { addLogSoftmaxGradient, maskedLogSoftmax, maskedProbabilities } from "./masked_softmax.ts";
import { type NetworkOutputs, type OutputSizes, outputWidth } from "./network.ts";

/** The outputs of one batch, with the probabilities that follow from them. */
export class Scoring {
  readonly #width: number;
  /** `[B, T, A]`: P_F of every action; of one state only, unless it is kept for a gradient. */
  readonly #probabilities: Float64Array;
  /** What is subtracted from the logits of the state looked at last. */
  readonly #normaliser = new Float64Array(2);

  /** @param keep Whether `outputGradient` will be asked for. */
  constructor(
    readonly sizes: OutputSizes,
    readonly batch: Batch,
    readonly outputs: NetworkOutputs,
    readonly keep: boolean,
  ) {
    this.#width = outputWidth(sizes);
    this.#probabilities = new Float64Array(batch.A * (keep ? batch.B * batch.T : 1));
  }

  /** What the policy says about the batch. */
  scores(): Scores {
    const { batch, outputs: { values, rows, handle } } = this;
    const zeros = () => new Float64Array(batch.B * batch.T);
    const learned = this.sizes.backward > 0 ? { logPb: zeros() } : {};
    const scores = { logPf: zeros(), logExit: zeros(), logFlow: zeros(), ...learned, handle };
    forEachState(batch, (at, isLast) => {
      this.#normalise(at);
      scores.logPf[at] = this.#logP(at, batch.actions[at]);
      if (batch.terminable[at]) scores.logExit[at] = this.#logP(at, batch.environment.exitAction);
      scores.logFlow[at] = values[rows[at] * this.#width + batch.A];
      if (learned.logPb && !isLast) {
        learned.logPb[at] = this.#logBackward(at)[batch.backward!.actions[at]];
      }
    });
    return scores;
  }

  /** Computes the probabilities of the state in cell `at`. */
  #normalise(at: number): void {
    const { batch: { A, masks }, outputs: { values, rows } } = this;
    maskedProbabilities(
      { values, offset: rows[at] * this.#width },
      { values: masks, offset: at * A },
      A,
      { values: this.#probabilities, offset: this.keep ? at * A : 0 },
      this.#normaliser,
    );
  }

  /** log P_F of an action in the state that was normalised last. */
  #logP(at: number, action: number): number {
    const { values, rows } = this.outputs;
    return values[rows[at] * this.#width + action] - this.#normaliser[0] - this.#normaliser[1];
  }

  /** `[backward actions]`: log P_B in the state after cell `at`. */
  #logBackward(at: number): Float64Array {
    const { batch: { A, backward, states }, outputs: { values, rows } } = this;
    if (!backward) throw new Error("internal: a learned backward policy met a tree");
    const begin = rows[at + 1] * this.#width;
    const state = states.index[at + 1];
    const mask = backward.masks.subarray(state * backward.A, (state + 1) * backward.A);
    return maskedLogSoftmax(values.subarray(begin + A + 1, begin + this.#width), mask);
  }

  /** `[rows, width]`: what the gradient of the scores means for the network's outputs. */
  outputGradient(gradients: ScoreGradients): Float64Array {
    const { batch, outputs: { values, rows } } = this;
    const gradient = new Float64Array(values.length);
    forEachState(batch, (at, isLast) => {
      this.#addForwardGradient(gradient, gradients, at);
      gradient[rows[at] * this.#width + batch.A] += gradients.logFlow[at];
      if (isLast || this.sizes.backward === 0 || !gradients.logPb) return;
      const begin = rows[at + 1] * this.#width;
      const after = gradient.subarray(begin + batch.A + 1, begin + this.#width);
      const action = batch.backward!.actions[at];
      addLogSoftmaxGradient(after, this.#logBackward(at), action, gradients.logPb[at]);
    });
    return gradient;
  }

  /** f (1[a = action] − P(a)) for the action taken, and likewise for the exit where it is legal. */
  #addForwardGradient(gradient: Float64Array, { logPf, logExit }: ScoreGradients, at: number) {
    const { batch: { A, actions, terminable, environment }, outputs: { rows } } = this;
    const begin = rows[at] * this.#width;
    const [force, exitForce] = [logPf[at], terminable[at] ? logExit[at] : 0];
    const both = force + exitForce;
    for (let a = 0; a < A; a++) gradient[begin + a] -= both * this.#probabilities[at * A + a];
    gradient[begin + actions[at]] += force;
    gradient[begin + environment.exitAction] += exitForce;
  }
}

/** Visits the flat index of every state that is not padding. */
export function forEachState(batch: Batch, visit: (at: number, isLast: boolean) => void): void {
  for (let b = 0; b < batch.B; b++) {
    const end = batch.lengths[b] - 1;
    for (let t = 0; t <= end; t++) visit(b * batch.T + t, t === end);
  }
}
