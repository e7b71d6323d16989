/** Theories as an episode asks of them: a worker reads programs, the episode does not. */

import type {
  BeliefJson,
  DesignColumnJson,
  LatentsJson,
  RowsJson,
  SeenJson,
  TheoryAsk,
} from "../theories/messages.ts";

/** Answer of a submitted program, or why there is none. */
export type Submission =
  | {
    readonly ok: true;
    /** Mean and median of what is predicted at each question. */
    readonly predicted: BeliefJson["predicted"];
    /** Log predictive density of each judged row; null where it is 0. */
    readonly log_densities: readonly (number | null)[];
  }
  | { readonly ok: false; readonly reason: string };

/** A program that is fitted to a transcript and asked about rows. */
export interface SubmittedProgram {
  readonly program: string;
  readonly design: readonly DesignColumnJson[];
  readonly seen: SeenJson;
  readonly predict: RowsJson;
  readonly judge: SeenJson;
}

/** Answers questions about theories. */
export interface Theories {
  /** @throws InputError if a theory cannot be read or followed. */
  ask(text: string, ask: TheoryAsk): Promise<unknown>;
  /** Fits a program that was submitted, and judges it. */
  judge(submitted: SubmittedProgram): Promise<Submission>;
}

export type { LatentsJson };
