/** Messages about theories: to simulate them, and to learn from rows that were seen. */
import type { ColumnType } from "../../base/dataset.ts";

/** A column of a design, as messages have it. */
export interface DesignColumnJson {
  readonly name: string;
  readonly role: "predictor" | "response";
  readonly type: ColumnType;
  readonly categories?: readonly string[];
  readonly resolution?: number;
}

/** Rows, as messages have them. */
export interface RowsJson {
  readonly rows: number;
  /** `[rows]` by column; codes of categories. */
  readonly columns: Readonly<Record<string, readonly number[]>>;
}

/** Rows with their responses. */
export interface SeenJson extends RowsJson {
  readonly response: readonly number[];
}

/** Draws of named latents. */
export interface LatentsJson {
  readonly names: readonly string[];
  readonly draws: number;
  /** Of each `[draws, …shape]`. */
  readonly parameters: readonly (readonly number[])[];
}

/** The name of a random stream. */
export type Key = readonly (string | number)[];

/** Latents of a theory, a draw for each key. */
export interface AskLatents {
  readonly op: "latents";
  readonly design: readonly DesignColumnJson[];
  /** Rows at which the theory is read. */
  readonly at: RowsJson;
  readonly keys: readonly Key[];
}

/** Responses at rows given latents: `[draws · copies, rows]`. */
export interface AskResponses {
  readonly op: "responses";
  readonly design: readonly DesignColumnJson[];
  readonly latents: LatentsJson;
  readonly at: RowsJson;
  readonly key: Key;
  /** Responses of each row and draw. */
  readonly copies: number;
}

/** log p of a response at each row given the latents, averaged over their draws. */
export interface AskDensities {
  readonly op: "densities";
  readonly design: readonly DesignColumnJson[];
  readonly latents: LatentsJson;
  readonly at: SeenJson;
}

/** A theory, and how probable it was before any row was seen. */
export interface WeighedTheory {
  readonly text: string;
  readonly prior: number;
}

/** Request for beliefs of theories after rows were seen. */
export interface AskBelief {
  readonly op: "belief";
  readonly design: readonly DesignColumnJson[];
  readonly theories: readonly WeighedTheory[];
  readonly seen: SeenJson;
  readonly particles: number;
  readonly key: Key;
  /** Rows that may be asked next, and the subject of the nats. */
  readonly candidates?: {
    readonly at: RowsJson;
    readonly about: "latents" | "theories";
    readonly draws: number;
    /** Half of the particles that is averaged over: nats by the other half know nothing of a choice by this one. */
    readonly half: 0 | 1;
  };
  /** Rows at which responses are predicted. */
  readonly predict?: RowsJson;
  /** Rows with responses whose predictive densities are wanted. */
  readonly judge?: SeenJson;
  /** Latents of which draws are wanted. */
  readonly latents?: readonly string[];
}

/** Ranks by which the simulator of a theory and its density are compared, by quantity. Answer: shares `[draws]` of each. */
interface AskCalibration {
  readonly op: "calibrate";
  readonly design: readonly DesignColumnJson[];
  /** Rows of every simulated transcript. */
  readonly at: RowsJson;
  /** Simulated transcripts, and the first of them. */
  readonly draws: number;
  readonly first: number;
  readonly key: Key;
}

/** Requests about theories. */
export type TheoryAsk = AskLatents | AskResponses | AskDensities | AskBelief | AskCalibration;

/** An interval of nats. */
export interface NatsJson {
  readonly nats: number;
  readonly low: number;
  readonly high: number;
}

/** Answer about beliefs of theories. */
export interface BeliefJson {
  /** Of each theory: log p of what was seen, its error, and how probable it is; −∞ as null. */
  readonly theories: readonly {
    readonly log_evidence: number | null;
    readonly error: number;
    readonly share: number;
  }[];
  /** Of each candidate. */
  readonly nats?: readonly NatsJson[];
  /** Of each row to be predicted: mean and median of its predictive distribution. */
  readonly predicted?: readonly { readonly mean: number; readonly median: number }[];
  /** Of each judged row: log predictive density; null where it is 0. */
  readonly log_densities?: readonly (number | null)[];
  /** Of the latents that are wanted, from the most probable theory that has them: values of each draw. */
  readonly latent_draws?: readonly (readonly number[])[];
  /** Posterior means of the latents of the most probable theory, by name. */
  readonly latents: Readonly<Record<string, readonly number[]>>;
}
