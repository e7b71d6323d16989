/** An attack of the matrix, and the family that it belongs to. */
import type { Dataset } from "../../../../src/base/dataset.ts";

/** One program, and what it would deserve. */
export interface Attack {
  /** Short and unique: how the table calls it. */
  readonly name: string;
  readonly text: string;
  /** Order of rows by its target; `exchangeable` if left out. */
  readonly rows?: "ordered";
  /**
   * Upper bound of honest scoring, in nats: the exact ELPD-LOO of the program where it is known,
   * that of the curve beneath where a trick is laid over one, else `undefined`: no score at all.
   */
  readonly honest?: number;
  /** Where `honest` comes from. */
  readonly source?: "closed form" | "the curve beneath" | "quadrature";
  /** Gradients that it may take where a defence is left out, 400,000 unless one takes a millisecond. */
  readonly gradientsWithout?: number;
  /** Gradients that it may take; as many as the default schedule has if left out. */
  readonly maxGradients?: number;
  /** True where no rule can see it: it is met by rows that the author was never shown. */
  readonly needsHoldout?: boolean;
}

/** A family of programs that try the same. */
export interface Family {
  readonly name: string;
  /** Aim of its programs, in a sentence. */
  readonly idea: string;
  readonly attacks: (data: Dataset) => readonly Attack[];
}
