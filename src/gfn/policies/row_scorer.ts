/** Scores by a network that is asked row by row: no more than one row of logits is ever held. */
import { inputError } from "../../base/diagnostic.ts";
import type { Environment, LegalActions } from "../environments/environment.ts";
import { legalCount, placeIn } from "../environments/legal_actions.ts";
import type { Batch, ScoreGradients, Scores } from "../trajectories/trajectory.ts";
import type { RowPass } from "./define_policy.ts";
import { toLogSoftmax, toProbabilities } from "./legal_softmax.ts";
import type { OpenWalk, RowNetwork } from "./network.ts";
import { statesOf, statesOfWalks } from "./policy_states.ts";
import type { Scorer, ScoringSession } from "./scorer.ts";

/** The cells of a batch by the distinct state in which they stand. */
interface CellsByState {
  /** `[states + 1]`: where the cells of each state begin in `cells`. */
  readonly first: Int32Array;
  readonly cells: Int32Array;
}

interface Pending {
  readonly batch: Batch;
  readonly pass: RowPass;
  readonly byState: CellsByState;
}

/** Computes every row twice, for the scores and for their gradient, and keeps none. */
export class RowScorer implements Scorer {
  readonly #pending = new Map<number, Pending>();
  readonly #normaliser = new Float64Array(2);
  #scratch = new Float64Array(0);
  #nextHandle = 1;

  constructor(readonly network: RowNetwork) {}

  score(batch: Batch, keep: boolean): Promise<Scores> {
    const pending = { batch, pass: this.network.open(statesOf(batch)), byState: cellsOf(batch) };
    const handle = keep ? this.#nextHandle++ : 0;
    if (keep) this.#pending.set(handle, pending);
    const zeros = () => new Float64Array(batch.B * batch.T);
    const scores = { logPf: zeros(), logExit: zeros(), logFlow: zeros(), handle };
    batch.states.legal.forEach((_, state) => this.#scoreState(pending, state, scores));
    return Promise.resolve(scores);
  }

  #scoreState({ batch, pass, byState }: Pending, state: number, scores: Scores): void {
    const legal = batch.states.legal[state];
    const row = this.#row(legal, batch.A);
    const flow = pass.row(state, legal, row);
    forEachCell(byState, state, (at) => {
      scores.logFlow[at] = flow;
      scores.logPf[at] = row[placeIn(legal, batch.actions[at])];
      if (batch.terminable[at]) scores.logExit[at] = row[exitPlace(batch, legal)];
    });
    toProbabilities({ values: row, offset: 0 }, row.length, this.#normaliser);
    const [largest, logSum] = this.#normaliser;
    if (!Number.isFinite(flow + largest + logSum)) throw notFinite(batch.states.keys[state]);
    forEachCell(byState, state, (at) => {
      scores.logPf[at] = scores.logPf[at] - largest - logSum;
      if (batch.terminable[at]) scores.logExit[at] = scores.logExit[at] - largest - logSum;
    });
  }

  backward(handle: number, gradients: ScoreGradients): Promise<void> {
    const pending = this.#pending.get(handle);
    if (!pending) throw new Error(`internal: no scores under handle ${handle}`);
    this.#pending.delete(handle);
    pending.batch.states.legal.forEach((_, state) => this.#push(pending, state, gradients));
    this.network.accumulate(pending.pass);
    return Promise.resolve();
  }

  /** f (1[a = action] − P(a)), summed over the trajectories that pass the state. */
  #push({ batch, pass, byState }: Pending, state: number, gradients: ScoreGradients): void {
    const legal = batch.states.legal[state];
    let [both, flow] = [0, 0];
    let isNeeded = false;
    forEachCell(byState, state, (at) => {
      const exit = batch.terminable[at] ? gradients.logExit[at] : 0;
      both += gradients.logPf[at] + exit;
      flow += gradients.logFlow[at];
      isNeeded ||= gradients.logPf[at] !== 0 || exit !== 0 || gradients.logFlow[at] !== 0;
    });
    if (!isNeeded) return;
    const force = this.#row(legal, batch.A);
    pass.row(state, legal, force);
    toProbabilities({ values: force, offset: 0 }, force.length, this.#normaliser);
    for (let k = 0; k < force.length; k++) force[k] *= -both;
    forEachCell(byState, state, (at) => {
      force[placeIn(legal, batch.actions[at])] += gradients.logPf[at];
      if (batch.terminable[at]) force[exitPlace(batch, legal)] += gradients.logExit[at];
    });
    pass.push(state, legal, force, flow);
  }

  /** Room for one row; the same room every time. */
  #row(legal: LegalActions, A: number): Float64Array {
    const count = legalCount(legal, A);
    if (this.#scratch.length < count) this.#scratch = new Float64Array(count);
    return this.#scratch.subarray(0, count);
  }

  release(handle: number): void {
    this.#pending.delete(handle);
  }

  clear(): void {
    this.#pending.clear();
  }

  logProbabilities(batch: Batch): Promise<readonly Float64Array[]> {
    const pass = this.network.open(statesOf(batch));
    const rows = batch.states.legal.map((legal, state) => {
      const row = new Float64Array(legalCount(legal, batch.A));
      pass.row(state, legal, row);
      return toLogSoftmax(row);
    });
    return Promise.resolve(rows);
  }

  begin(environment: Environment): ScoringSession {
    const A = environment.actionNames.length;
    return {
      learnsBackward: false,
      stepwise: false,
      next: (walks: readonly OpenWalk[]) => {
        const { states, rows } = statesOfWalks(environment, walks);
        const pass = this.network.open(states);
        return Promise.resolve({
          logForward: (i: number) => {
            const row = this.#row(walks[i].legal, A);
            pass.row(rows[i], walks[i].legal, row);
            return toLogSoftmax(row);
          },
        });
      },
      end() {},
    };
  }
}

function exitPlace({ environment: { exitAction } }: Batch, legal: LegalActions): number {
  return placeIn(legal, exitAction);
}

function cellsOf({ states: { index, keys } }: Batch): CellsByState {
  const first = new Int32Array(keys.length + 1);
  for (const state of index) if (state >= 0) first[state + 1]++;
  for (let state = 0; state < keys.length; state++) first[state + 1] += first[state];
  const next = first.slice();
  const cells = new Int32Array(first[keys.length]);
  index.forEach((state, at) => {
    if (state >= 0) cells[next[state]++] = at;
  });
  return { first, cells };
}

function forEachCell(
  { first, cells }: CellsByState,
  state: number,
  visit: (at: number) => void,
): void {
  for (let i = first[state]; i < first[state + 1]; i++) visit(cells[i]);
}

function notFinite(key: string): Error {
  const shown = key.length > 60 ? `${key.slice(0, 60)}…` : key;
  const message = `Cannot use the policy: its row of state "${shown}" is not finite`;
  const hint = "give a finite log flow, and a finite logit to at least one legal action";
  return inputError("plugin/policy", message, undefined, hint);
}
