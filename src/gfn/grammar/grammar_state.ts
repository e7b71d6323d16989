/** A prefix of a derivation of a grammar. */
import type { Filling } from "./nested/filling.ts";
import type { Situation } from "./situations.ts";

/** A prefix of a derivation. */
export interface GrammarState {
  /** Productions chosen so far. */
  readonly actions: readonly number[];
  /** Symbols that may follow; of a nested hole, its beginning. */
  readonly situation: Situation;
  /** Present within a nested hole: its choices so far. */
  readonly filling?: Filling;
  /** Log prior of the prefix. */
  readonly logPrior: number;
}
