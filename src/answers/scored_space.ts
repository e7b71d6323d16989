/** A space of programs that were scored, as answers are made from it. */
import type { Confirmation } from "./confirmation.ts";

/** A question and the probability of its answers before the data. */
export interface AskedQuestion {
  readonly question: string;
  /** Over the whole space, scored or not. */
  readonly answers: readonly { readonly answer: string; readonly prior: number }[];
  /** `[programs]`: index of the answer that each scored program gives. */
  readonly given: Int32Array;
}

/** The posterior of one term in the programs that have it. */
export interface ScoredEffect {
  readonly term: string;
  /** The level of a category that it is compared with; null where it is no level's. */
  readonly against: string | null;
  /** Point at which the effects of a product's factors hold. */
  readonly at: string | null;
  /** The exponential of it, where that is a ratio: `odds ratio`. */
  readonly ratio: string | null;
  /** Indices of the scored programs that have it. */
  readonly programs: Int32Array;
  /** Posterior mean in each of them. */
  readonly mean: Float64Array;
  /** 5 % quantile of the posterior in each of them. */
  readonly q05: Float64Array;
  /** 95 % quantile of the posterior in each of them. */
  readonly q95: Float64Array;
}

/** The effect of wider priors of parameters on the difference of the two likeliest answers. */
export interface PriorMove {
  readonly question: string;
  /** The likeliest, and the next. */
  readonly answer: string;
  readonly other: string;
  /** Names of the parameters whose priors were wider. */
  readonly parameters: readonly string[];
  /** Factor of the prior's width. */
  readonly width: number;
  /** Nats, towards the likeliest. */
  readonly moves: number;
}

/**
 * Programs with a score, in which all parametrisations of one model are one program. Log quantities
 * in nats.
 */
export interface ScoredSpace {
  /** Programs of the whole space, each parametrisation for itself. */
  readonly programs: number;
  /** Number of them that were executed and have no score. */
  readonly failed: number;
  /** `[failed models]`: log prior of each of them; without it their effect has no bound. */
  readonly failedLogPrior?: Float64Array;
  /**
   * `[programs]`: the log reward that policies learn from, where it was raised to a floor above the
   * program's own; NaN elsewhere. Absent where none was.
   */
  readonly raisedTo?: Float64Array;
  /** `[programs]`: parametrisations that each scored program stands for. */
  readonly derivations: Int32Array;
  /** `[programs]`: log prior of each scored program, over the whole space. */
  readonly logPrior: Float64Array;
  /** Weight of the log prior in the log reward; usually 1. */
  readonly priorWeight: number;
  /** `[programs]`: weighted log prior plus log predictive fit, up to a constant. */
  readonly logReward: Float64Array;
  /**
   * `[programs, rows]`: term of each row, or group of rows, in the log reward, nats; absent where the
   * reward is no sum over rows.
   */
  readonly pointwise?: Float64Array;
  /** Rows, or groups of rows where those are left out at once. */
  readonly rows: number;
  readonly unit: "row" | "group";
  /** `[programs]`: effective number of parameters; absent where it is not known of all. */
  readonly parameters?: Float64Array;
  /** `[programs]`: the charge for digits of constants, a part of the log reward; absent where none is charged. */
  readonly literals?: Float64Array;
  /** Programs that were tried before these were chosen, these included; absent where nothing is known of it. */
  readonly searched?: number;
  /** `[programs]`: Monte Carlo standard error of the log reward. */
  readonly mcse: Float64Array;
  readonly questions: readonly AskedQuestion[];
  /** Left side and terms of all programs, where questions are about terms. */
  readonly formula?: string;
  readonly effects: readonly ScoredEffect[];
  /** Absent where nothing was scored with wider priors. */
  readonly priorMoves?: readonly PriorMove[];
  /** Absent where no rows were kept for it. */
  readonly confirmation?: Confirmation;
}
