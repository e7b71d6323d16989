/** Interface of a family: PyMC's signature, log density, transform, draws. */
import type { RandomStream } from "../../../base/random.ts";
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import type { Distribution, Transform } from "../ir/program.ts";
import type { ArrayValue } from "../ir/array_value.ts";
import type { Shape } from "../ir/shape.ts";

/** Which values an argument may take. A `bound` may be infinite. */
export type Domain =
  | "real"
  | "positive"
  | "non_negative"
  | "unit"
  | "open_unit"
  | "bound"
  | "count"
  /** Sums to one over the last axis. */
  | "simplex"
  /** Ascends along the last axis. */
  | "ordered"
  | "matrix"
  /** Another distribution: `pm.Normal.dist(…)`, or a list of such. */
  | "distribution"
  /** A whole number that belongs to the structure, so a constant; it goes into `Distribution.sizes`. */
  | "size";

/** Arguments by name, all of them present. */
export type Given = Readonly<Record<string, NodeId>>;

/** One parametrisation: these arguments, all of them given or with a default. */
export interface Form {
  /** Names of the arguments that this form reads. */
  readonly names: readonly string[];
  /** Nodes of the canonical parameters, in order. */
  readonly canonical: (g: GraphBuilder, given: Given) => readonly NodeId[];
}

/** How PyMC 5.28 is asked for a family. */
export interface Signature {
  /** `pm.NAME`, followed by other spellings of it. */
  readonly names: readonly [string, ...string[]];
  /** After the variable's name. */
  readonly positional: readonly string[];
  /** By keyword only. */
  readonly keywordOnly?: readonly string[];
  /** Positional in PyMC before 5.28, keyword-only since: accepted with a warning. */
  readonly keywordSince?: readonly string[];
  /** Of arguments that may be left out; a form is chosen among what is given. */
  readonly defaults: Readonly<Record<string, number>>;
  /** Of every argument. */
  readonly domains: Readonly<Record<string, Domain>>;
  /** Parametrisations; exactly one must fit what is given. */
  readonly forms: readonly Form[];
}

/** Where values lie; decides the default transform and what a response may be. */
export type Support =
  | "real"
  | "positive"
  | "non_negative"
  | "unit"
  | "open_unit"
  | "interval"
  | "circle"
  | "count"
  | "binary"
  /** 0 … n for an argument `n`; or codes below the length of `p` or `cutpoints`. */
  | "bounded_count"
  | "code"
  | "simplex"
  | "vector"
  | "count_vector"
  | "cholesky_factor"
  | "zero_sum"
  /** Transform of its components. */
  | "components";

/** A number read off the values of the canonical parameters; 0 stands for those that there are not. */
export type Reading = (a: number, b: number, c: number, d: number) => number;

/** A mean by the values of the canonical parameters. */
export type Mean = (...parameters: number[]) => number;

/** The place and the width of the peak of a density, as nodes. */
export type Peak = (
  g: GraphBuilder,
  args: readonly NodeId[],
  ends: { readonly low: NodeId; readonly high: NodeId },
) => { readonly centre: NodeId; readonly scale: NodeId };

/** A family: one table entry, in one place. */
export interface FamilyDefinition {
  /** How PyMC is asked for it. */
  readonly signature: Signature;
  /** Names of the canonical parameters, in the order of `Distribution.args`. */
  readonly parameters: readonly string[];
  /** The largest values of canonical parameters at which a double still represents probabilities; above, −∞. */
  readonly most?: Readonly<Record<string, number>>;
  /** Event axes of each canonical parameter: 0 for numbers, 1 for `p` of a categorical, 2 for `chol`. */
  readonly parameterRanks: readonly number[];
  /** Event axes of a value. */
  readonly eventRank: 0 | 1 | 2;
  /** Present where bounds are windows of rows, which may be empty. */
  readonly ofWindows?: true;
  /** Whether values are whole numbers: a mass function. */
  readonly discrete: boolean;
  /** Whether it may be the prior of a parameter; improper distributions may not. */
  readonly proper: boolean;
  /** Where values lie. */
  readonly support: Support;
  /**
   * Shape of one event, from the arguments' shapes; `[]` for numbers.
   */
  readonly eventShape?: (
    g: GraphBuilder,
    distribution: Pick<Distribution, "args" | "sizes">,
  ) => Shape;
  /**
   * log p(value), constants included, as PyMC's `logp`: one number for each element of the batch.
   * −∞ outside of the support and for parameters outside of their domains; never an exception.
   */
  readonly logDensity: (g: GraphBuilder, value: NodeId, distribution: Distribution) => NodeId;
  /** log P(X ≤ value), for truncation and censoring. */
  readonly logCdf?: (g: GraphBuilder, value: NodeId, distribution: Distribution) => NodeId;
  /** log P(X > value). */
  readonly logSurvival?: (g: GraphBuilder, value: NodeId, distribution: Distribution) => NodeId;
  /** Arguments without which it means nothing: distributions or whole numbers. */
  readonly requires?: readonly string[];
  /**
   * A value in the middle, where chains start: after PyMC's support points, but finite always. 0 on
   * the unconstrained scale unless it is stated.
   */
  readonly centre?: Reading;
  /** Its scale, if the unconstrained scale keeps it; else 1. */
  readonly spread?: Reading;
  /** Where the location is among the parameters if the scale comes next: then the centred value over the scale has no parameter. */
  readonly location?: number;
  /** True if it looks the same from both sides of its location. */
  readonly symmetric?: true;
  /**
   * Of a density of one peak without a cumulative function: where the peak is, for values between two
   * ends, and how wide it is at most.
   */
  readonly peak?: Peak;
  /** The family that its values have where they are not 0, whose parameters follow the share of those. */
  readonly besideZero?: string;
  /** Its mean; of a family whose tails may be too heavy for one, its median. */
  readonly mean?: Mean;
  /** The same of e^x, if it is known. */
  readonly meanOfExponential?: Mean;
  /** Names of the arguments that are `Distribution.sizes`, in their order. */
  readonly sizes?: readonly string[];
  /** Text after the arguments in PyMC, so that it adds no quantities of its own. */
  readonly quiet?: string;
  /** PyMC's default transform of a parameter with this distribution. */
  readonly transform: (g: GraphBuilder, distribution: Distribution) => Transform;
  /**
   * One draw of the whole of `distribution.shape` into `out`, from the values of the arguments (broadcast by
   * the caller to the batch) and, for distributions with components, from their draws through `component`.
   */
  readonly draw: (
    random: RandomStream,
    args: readonly ArrayValue[],
    distribution: Distribution,
    out: Float64Array,
    component: (index: number, out: Float64Array) => void,
  ) => void;
}
