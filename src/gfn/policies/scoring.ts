/** Turns a network's outputs into the scores of a batch, and their gradient into that of the outputs. */
import { legalCount, placeIn } from "../environments/legal_actions.ts";
import type { Batch, ScoreGradients, Scores } from "../trajectories/trajectory.ts";
import {
  addLogSoftmaxGradient,
  gatherLegal,
  legalLogSoftmax,
  toProbabilities,
} from "./legal_softmax.ts";
import { type NetworkOutputs, type OutputSizes, outputWidth } from "./network.ts";

/** The outputs of one batch, with the probabilities that follow from them. */
export class Scoring {
  readonly #width: number;
  /** P_F of the legal actions, state behind state; of one only, unless kept for a gradient. */
  readonly #probabilities: Float64Array;
  /** `[B, T]`: where those of each state begin. */
  readonly #begins: Int32Array;
  /** Log normaliser of the latest state's logits, in two parts. */
  readonly #normaliser = new Float64Array(2);

  /** @param keep Whether `outputGradient` will be asked for. */
  constructor(
    readonly sizes: OutputSizes,
    readonly batch: Batch,
    readonly outputs: NetworkOutputs,
    readonly keep: boolean,
  ) {
    this.#width = outputWidth(sizes);
    this.#begins = new Int32Array(batch.B * batch.T);
    let [total, most] = [0, 0];
    forEachState(batch, (at) => {
      const count = this.#count(at);
      if (keep) this.#begins[at] = total;
      total += count;
      most = Math.max(most, count);
    });
    this.#probabilities = new Float64Array(keep ? total : most);
  }

  /** Number of legal actions in cell `at`. */
  #count(at: number): number {
    const { A, states: { index, legal } } = this.batch;
    return legalCount(legal[index[at]], A);
  }

  /** Scores of the batch by the policy. */
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
      if (learned.logPb && !isLast) learned.logPb[at] = this.#logBackward(at).logP[this.#undo(at)];
    });
    return scores;
  }

  /** Computes the probabilities of the state in cell `at`. */
  #normalise(at: number): void {
    const { batch: { A, states }, outputs: { values, rows } } = this;
    const legal = states.legal[states.index[at]];
    const out = { values: this.#probabilities, offset: this.#begins[at] };
    gatherLegal({ values, offset: rows[at] * this.#width }, legal, A, out);
    toProbabilities(out, legalCount(legal, A), this.#normaliser);
  }

  /** log P_F of an action in the state that was normalised last. */
  #logP(at: number, action: number): number {
    const { values, rows } = this.outputs;
    return values[rows[at] * this.#width + action] - this.#normaliser[0] - this.#normaliser[1];
  }

  /** log P_B of the legal backward actions in the state after cell `at`. */
  #logBackward(at: number) {
    const { batch: { A, backward, states }, outputs: { values, rows } } = this;
    if (!backward) throw new Error("internal: a learned backward policy met a tree");
    const begin = rows[at + 1] * this.#width;
    const legal = backward.legal[states.index[at + 1]];
    const logits = values.subarray(begin + A + 1, begin + this.#width);
    return { legal, logP: legalLogSoftmax(logits, legal, backward.A) };
  }

  /** The place of the backward action that undoes the step of cell `at`. */
  #undo(at: number): number {
    const { backward, states } = this.batch;
    return placeIn(backward!.legal[states.index[at + 1]], backward!.actions[at]);
  }

  /** `[rows, width]`: gradient of the network's outputs, from that of the scores. */
  outputGradient(gradients: ScoreGradients): Float64Array {
    const { batch, outputs: { values, rows } } = this;
    const gradient = new Float64Array(values.length);
    forEachState(batch, (at, isLast) => {
      this.#addForwardGradient(gradient, gradients, at);
      gradient[rows[at] * this.#width + batch.A] += gradients.logFlow[at];
      if (isLast || this.sizes.backward === 0 || !gradients.logPb) return;
      const begin = rows[at + 1] * this.#width;
      const after = gradient.subarray(begin + batch.A + 1, begin + this.#width);
      const { legal, logP } = this.#logBackward(at);
      addLogSoftmaxGradient(after, logP, legal, this.#undo(at), gradients.logPb[at]);
    });
    return gradient;
  }

  /** f (1[a = action] − P(a)) for the action taken, and likewise for the exit where it is legal. */
  #addForwardGradient(gradient: Float64Array, { logPf, logExit }: ScoreGradients, at: number) {
    const { batch: { A, actions, terminable, environment, states }, outputs: { rows } } = this;
    const [from, begin] = [this.#begins[at], rows[at] * this.#width];
    const [force, exitForce] = [logPf[at], terminable[at] ? logExit[at] : 0];
    const both = force + exitForce;
    const [p, legal] = [this.#probabilities, states.legal[states.index[at]]];
    if (legal === "all") { for (let a = 0; a < A; a++) gradient[begin + a] -= both * p[from + a]; }
    else {
      for (let k = 0; k < legal.length; k++) gradient[begin + legal[k]] -= both * p[from + k];
    }
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
