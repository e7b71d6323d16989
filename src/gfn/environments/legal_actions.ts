/** Rows of legal actions: lists of indices, or "all", instead of a mask over a whole vocabulary. */
import type { Environment, LegalActions } from "./environment.ts";

/** @throws internal, if an inner action is the exit, or illegal by the mask of its state. */
export function requireInner(mask: Uint8Array, action: number, exitAction: number): void {
  if (action === exitAction || mask[action] !== 1) {
    throw new Error(`internal: action ${action} is illegal`);
  }
}

/**
 * The row of a state: the environment's own, or made from its mask.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "./built_in_environments.ts";
 * import { legalIn } from "./legal_actions.ts";
 * const environment = environmentNamed("numbers", { max: 9, base: 10 });
 * assert(legalIn(environment, environment.initialState()));
 * ```
 */
export function legalIn<S>(environment: Environment<S>, state: S): LegalActions {
  return environment.rows?.legal(state) ?? rowOfMask(environment.legalActions(state));
}

/** log prior of one legal action. */
export function logPriorOf<S>(environment: Environment<S>, state: S, action: number): number {
  return environment.rows?.logPriorOf(state, action) ?? environment.logPrior(state)[action];
}

/**
 * The indices at which a mask is 1.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { rowOfMask } from "./legal_actions.ts";
 * assert.deepEqual([...rowOfMask(Uint8Array.of(0, 1, 1))], [1, 2]);
 * ```
 */
export function rowOfMask(mask: Uint8Array): Int32Array {
  let count = 0;
  for (let a = 0; a < mask.length; a++) count += mask[a];
  const row = new Int32Array(count);
  for (let a = 0, k = 0; a < mask.length; a++) if (mask[a] === 1) row[k++] = a;
  return row;
}

/**
 * The mask of a row, as `legalActions` of an environment with rows returns it.
 *
 * @param A Size of the vocabulary.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { maskOfRow, rowOfMask } from "./legal_actions.ts";
 * assert.deepEqual([...rowOfMask(Uint8Array.of(0, 1, 0, 1))], [1, 3]);
 * assert.deepEqual([...maskOfRow(Int32Array.of(1, 3), 4)], [0, 1, 0, 1]);
 * assert.deepEqual([...maskOfRow("all", 2)], [1, 1]);
 * ```
 */
export function maskOfRow(legal: LegalActions, A: number): Uint8Array {
  if (legal === "all") return new Uint8Array(A).fill(1);
  const mask = new Uint8Array(A);
  for (const action of legal) mask[action] = 1;
  return mask;
}

/** Number of legal actions. */
export function legalCount(legal: LegalActions, A: number): number {
  return legal === "all" ? A : legal.length;
}

/**
 * Where an action stands in a row; −1 where it is illegal.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { placeIn } from "./legal_actions.ts";
 * assert.equal(placeIn(Int32Array.of(2, 5), 5), 1);
 * assert.equal(placeIn(Int32Array.of(2, 5), 3), -1);
 * ```
 */
export function placeIn(legal: LegalActions, action: number): number {
  return legal === "all" ? action : legal.indexOf(action);
}

/** The action at a place of a row. */
export function actionAt(legal: LegalActions, place: number): number {
  return legal === "all" ? place : legal[place];
}
