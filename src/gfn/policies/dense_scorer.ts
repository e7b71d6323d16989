/** Scores by a network that gives all logits of all states at once. */
import type { Environment } from "../environments/environment.ts";
import { rowOfMask } from "../environments/legal_actions.ts";
import type { Batch, ScoreGradients, Scores } from "../trajectories/trajectory.ts";
import { legalLogSoftmax } from "./legal_softmax.ts";
import { type DenseNetwork, type OpenWalk, outputWidth } from "./network.ts";
import type { Scorer, ScoringSession } from "./scorer.ts";
import { forEachState, Scoring } from "./scoring.ts";

/** Remembers batches between their scores and gradients. */
export class DenseScorer implements Scorer {
  readonly #pending = new Map<number, Scoring>();

  constructor(readonly network: DenseNetwork) {}

  async score(batch: Batch, keep: boolean): Promise<Scores> {
    const outputs = await this.network.outputs(batch, keep);
    const scoring = new Scoring(this.network.outputSizes, batch, outputs, keep);
    if (keep) this.#pending.set(outputs.handle, scoring);
    return scoring.scores();
  }

  async backward(handle: number, gradients: ScoreGradients): Promise<void> {
    const scoring = this.#pending.get(handle);
    if (!scoring) throw new Error(`internal: no scores under handle ${handle}`);
    this.#pending.delete(handle);
    await this.network.accumulate(handle, scoring.outputGradient(gradients));
  }

  release(handle: number): void {
    this.#pending.delete(handle);
    this.network.release(handle);
  }

  clear(): void {
    this.#pending.clear();
  }

  async logProbabilities(batch: Batch): Promise<readonly Float64Array[]> {
    const { states: { legal, index }, A } = batch;
    const { values, rows } = await this.network.outputs(batch, false);
    const width = outputWidth(this.network.outputSizes);
    const result: Float64Array[] = new Array(legal.length);
    forEachState(batch, (at) => {
      const state = index[at];
      const row = () => values.subarray(rows[at] * width, (rows[at] + 1) * width);
      result[state] ??= legalLogSoftmax(row(), legal[state], A);
    });
    return result;
  }

  begin(environment: Environment, count: number): ScoringSession {
    const { outputSizes, stepwise = false } = this.network;
    const { actions, backward } = outputSizes;
    const session = this.network.begin(environment, count);
    const width = outputWidth(outputSizes);
    return {
      stepwise,
      learnsBackward: backward > 0,
      async next(walks: readonly OpenWalk[]) {
        const { values, rows } = await session.next(walks);
        const outputs = (i: number) => values.subarray(rows[i] * width, (rows[i] + 1) * width);
        const logForward = (i: number) => legalLogSoftmax(outputs(i), walks[i].legal, actions);
        if (backward === 0) return { logForward };
        const logBackward = (i: number) => {
          const legal = rowOfMask(environment.backward!.legalActions(walks[i].state));
          return legalLogSoftmax(outputs(i).subarray(actions + 1), legal, backward);
        };
        return { logForward, logBackward };
      },
      end: () => session.end(),
    };
  }
}
