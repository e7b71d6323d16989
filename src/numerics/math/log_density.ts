/** The interface between a density and a sampler. */
import type { RandomStream } from "../../base/random.ts";

/** Where starting points are sensible, per coordinate of the unconstrained vector. */
export interface StartingRegion {
  /** `[dimension]`. */
  readonly centre: Float64Array;
  /** Positive; about the standard deviation of the prior where that is less than 1, else 1. */
  readonly spread: Float64Array;
}

/** A log density over unconstrained vectors, up to a constant, with its gradient. */
export interface LogDensity {
  /** Length of the unconstrained vector. */
  readonly dimension: number;
  /** Where the prior has its weight; around 0 with spread 1 if absent. */
  readonly startingRegion?: StartingRegion;
  /**
   * Returns the log density at `position[offset .. offset + dimension)` and writes its gradient
   * into `gradient[offset …)`. Out of support, or not a number: −Infinity; never an exception.
   */
  logDensity(position: Float64Array, gradient: Float64Array, offset: number): number;
  /** The log density alone; absent where that costs as much as with its gradient. */
  valueAlone?(position: Float64Array, offset: number): number;
  /** The same density for generated code, if it is generated code itself. */
  readonly generated?: GeneratedDensity;
}

/** A log density as a function of addresses in the memory of src/numerics/wasm/memory.ts. */
export interface GeneratedDensity {
  /**
   * (address of a position, address for its gradient) → log density, bit by bit that of
   * `logDensity`; a function that WebAssembly exports. It writes nothing else behind its tenant's
   * bytes.
   */
  readonly gradient: (position: number, gradient: number) => number;
  /** Brings everything into the memory that the function reads; before each row of calls. */
  enter(): void;
}

/** A log density with the likelihood of each observation. */
export interface PointwiseLikelihood extends LogDensity {
  /** Number of factors of the likelihood. */
  readonly observations: number;
  /**
   * False where variables that observations share were summed out of the likelihood: then the term
   * of an observation is log p(y_i | y_-i, position), and terms do not add up to the whole. Code
   * that leaves observations out one unit at a time is not affected. True if absent.
   */
  readonly factorises?: boolean;
  /** Writes log p(y_i | position) of every observation into `out[outOffset …)`. */
  logLikelihood(position: Float64Array, offset: number, out: Float64Array, outOffset: number): void;
  /**
   * Writes log P(y_i in the cell it was recorded in | position) − log width of every observation, given
   * the others if the likelihood does not factorise, likewise; absent if data were not recorded to a
   * step. It is the likelihood's mean over the cell.
   */
  logCells?(position: Float64Array, offset: number, out: Float64Array, outOffset: number): void;
  /** Bound on the error of the last `logCells`, nats, over all observations; absent if it is exact. */
  cellsError?(): number;
  /** `valueAlone` and `logLikelihood` of one position; absent where that costs as much as both. */
  valueWithLikelihood?(
    position: Float64Array,
    offset: number,
    out: Float64Array,
    outOffset: number,
  ): number;
  /**
   * Coordinates that are not independent, given the data, of those that an observation looks at, ascending; absent if that
   * is not known.
   */
  boundTo?(observation: number): Int32Array;
  /** `logDensity` and `logLikelihood` of one position, for less than both; absent if it is not less. */
  withLikelihood?(
    position: Float64Array,
    gradient: Float64Array,
    offset: number,
    out: Float64Array,
    outOffset: number,
  ): number;
}

/** A posterior whose likelihood factorises over observations, so that it can be cross-validated. */
export interface PointwiseDensity extends PointwiseLikelihood {
  /** The same posterior without these observations, for refits of exact leave-one-out. */
  without(rows: readonly number[]): LogDensity;
  /** The unnormalised mixture of the posterior with tempered ones and with such that lack rows. */
  mixture(components: MixtureComponents): LogDensity;
  /** Names of the values that `constrain` writes: free variables, then deterministics, row-major. */
  readonly quantities: readonly string[];
  /** Writes the constrained value of every quantity into `out[outOffset …)`. */
  constrain(position: Float64Array, offset: number, out: Float64Array, outOffset: number): void;
  /** The arrays that `quantities` lists element by element, in the same order. */
  readonly quantityShapes?: readonly QuantityShape[];
  /** The free variable that has elements of its own for observations, if there is one. */
  readonly latents?: RowLatents;
}

/**
 * Components of a mixture p(θ, y) · (e^a + e^b / L^t + Σ_u e^(c_u) / L_u), for the likelihood L of
 * all observations and L_u of those of part u. All numbers are finite.
 */
export interface MixtureComponents {
  /** a, of the posterior itself. */
  readonly whole: number;
  /** b and t, between 0 and 1, of the posterior whose likelihood has the power 1 − t. */
  readonly tempered: { readonly logWeight: number; readonly power: number };
  /** The posteriors without some observations, and c_u; at least one, none with rows of another. */
  readonly parts: readonly { readonly rows: readonly number[]; readonly logWeight: number }[];
}

/** One named array among the quantities of a posterior. */
export interface QuantityShape {
  /** Name in the program. */
  readonly name: string;
  /** `[]` for a number. */
  readonly shape: readonly number[];
  /** Names of its axes, where the program gives them. */
  readonly dims?: readonly (string | undefined)[];
}

/**
 * A free variable of which every observation sees one element only, or each of its parts one, and whose
 * elements are independent given the other variables: it can be integrated out of each observation's likelihood.
 */
export interface RowLatents {
  /** Its first coordinate in the unconstrained vector; one coordinate per element. */
  readonly offset: number;
  /** Which element observation `i` depends on `[observations]`; part `i`, where observations have parts `[parts]`. */
  readonly elementOfRow: Int32Array;
  /** Observation of every part, where some see several elements: rows of one that see one element are a part `[parts]`. */
  readonly observationOfPart?: Int32Array;
  /** Number of elements; more than observations, if some belong to no observation. */
  readonly elements: number;
  /** Writes the log prior of every element, Jacobian included, into `out[outOffset …)`. */
  logPrior(position: Float64Array, offset: number, out: Float64Array, outOffset: number): void;
  /** Writes log p(y_i | position) + the log prior of its element, of every observation or part, likewise. */
  logJoint(position: Float64Array, offset: number, out: Float64Array, outOffset: number): void;
  /** `PointwiseLikelihood.logCells` of every part, where observations have parts. */
  logCells?(position: Float64Array, offset: number, out: Float64Array, outOffset: number): void;
}

/** A posterior of few coordinates with the predictive likelihood of a replicate of each observation. */
export interface PredictiveLikelihood extends PointwiseLikelihood {
  /** Writes log p(y_i | y, position) of a replicate of every observation into `out[outOffset …)`. */
  logPredictive(position: Float64Array, offset: number, out: Float64Array, outOffset: number): void;
}

/**
 * A posterior without its linear latents, which were integrated out in closed form: the term of an
 * observation is log p(y_i | y_-i, position), and terms do not add up to the whole.
 */
export interface ClosedFormPosterior extends PredictiveLikelihood {
  /** Which coordinates of the whole posterior are left `[dimension]`, rising. */
  readonly kept: readonly number[];
  /** Number of coordinates that were integrated out. */
  readonly integrated: number;
  /**
   * Writes (y_i − E) / sd of the normal distribution p(y_i | y_-i, position) of every row into
   * `out[outOffset …)`.
   */
  standardised(position: Float64Array, offset: number, out: Float64Array, outOffset: number): void;
  /** Writes log p(y_t | y_1 … y_(t−1), position) of every row into `out[outOffset …)`. */
  inOrder(position: Float64Array, offset: number, out: Float64Array, outOffset: number): void;
  /**
   * Writes log P(y_t in its cell | y_1 … y_(t−1), position) − log width of every row likewise; only where data were
   * recorded to a step.
   */
  cellsInOrder(position: Float64Array, offset: number, out: Float64Array, outOffset: number): void;
  /**
   * Writes a position of the whole posterior into `out[outOffset …)`: these coordinates, and the
   * latents drawn given them and the data.
   */
  drawWhole(
    position: Float64Array,
    offset: number,
    random: RandomStream,
    out: Float64Array,
    outOffset: number,
  ): void;
  /** Whether a row's noise there is little more than the rounding of the response: densities mean nothing below it. */
  isLost(position: Float64Array, offset: number): boolean;
  /** Whether all whole positions drawn so far have the moments that latents have in closed form. */
  drawsAgree(): boolean;
}
