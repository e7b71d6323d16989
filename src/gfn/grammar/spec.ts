/** Grammar files as plain JSON: the artifact from which environments are built. */

/**
 * Kinds of text that a hole takes: whole lines, one expression, a part of an argument list, a number; in a
 * grammar of texts, a phrase, which is anything. Lines go to a hole that is alone on its line,
 * everything else to a hole within a line; a phrase may stand anywhere.
 */
export const holeTypes = ["statements", "expression", "arguments", "number", "phrase"] as const;
/** One of `holeTypes`. */
export type HoleType = (typeof holeTypes)[number];

/** A production, which fills a hole: one action. It is legal only where its conditions hold. */
export interface ProductionSpec {
  /** Unique in the grammar. */
  readonly name: string;
  /** Finite and above 0; the prior of an action is its share among the legal ones. */
  readonly weight: number;
  /** May hold further holes, `{like_this}`. */
  readonly text: string;
  /** Productions that must all have been chosen before. */
  readonly requires: readonly string[];
  /** Productions of which one must have been chosen before; no condition if empty. */
  readonly requiresAny: readonly string[];
  /** Productions none of which may have been chosen before. */
  readonly excludes: readonly string[];
  /** Answer to its hole's question; its class, or else its name, if left out. */
  readonly answer?: string;
  /** Answers to further questions, by question. */
  readonly answers?: Readonly<Record<string, string>>;
  /**
   * Productions of one class are one choice: programs whose choices are the same set, a class instead of
   * its members, are one model in several parametrisations.
   */
  readonly class?: string;
  /** Of a text with two holes of one name: swapping their fillings gives the same program. */
  readonly commutative?: true;
  /** Of a text with two holes of its own hole: only the order of operands counts, not brackets. */
  readonly associative?: true;
  /** Most operands of a chain of an associative production, at least 2; 4 if left out. */
  readonly operands?: number;
}

/** Range and precision of the number of a hole. */
export interface NumberRange {
  /** Finite; above 0 on a logarithmic scale. */
  readonly low: number;
  /** Finite, above `low`. */
  readonly high: number;
  /** Scale on which intervals are halved and the prior is flat. */
  readonly scale: "linear" | "log";
  /** Most halvings, 1 to 24. */
  readonly bits: number;
  /** Prior probability of stopping before each halving; always `bits` halvings if left out. */
  readonly stop?: number;
}

/** A type of hole: a nonterminal. */
export interface HoleSpec {
  /** Name, as texts write it, without the braces. */
  readonly name: string;
  /** Kind of its productions' texts. */
  readonly type: HoleType;
  /** The question that its productions answer; the hole's name if left out. */
  readonly question?: string;
  /** Present where its productions answer no question: they are averaged over. */
  readonly nuisance?: true;
  /** Productions, at least one; none where the hole is a number within bounds. */
  readonly productions: readonly ProductionSpec[];
  /** Present where the hole takes a number that is found by halving an interval. */
  readonly number?: NumberRange;
}

/** A hole that is filled after the mandatory part, or not at all. */
export interface ClauseSpec {
  /** Name of its hole; no other clause has it. */
  readonly hole: string;
  /** Text in its place if the clause is not taken. */
  readonly default: string;
  /** Weight of the exit action once the clause has been taken. */
  readonly exit: number;
  /** Answer to its hole's question if it is not taken; `out` if left out. */
  readonly answer?: string;
}

/** A weighted grammar. The order of holes, productions and clauses is part of its meaning. */
export interface GrammarSpec {
  /** Version of the format. */
  readonly format: 1;
  /** Name for reports. */
  readonly name: string;
  /** Kind of its derivations: programs if left out. A text has no line end at its end. */
  readonly writes?: "text";
  /** The text with which every derivation starts. */
  readonly template: string;
  /** Weight of the exit action when the mandatory part is complete. */
  readonly exit: number;
  /** Most levels of a hole within itself; as many as `choices` allow if left out. */
  readonly depth?: number;
  /** Most choices that fill a hole which leads back to itself; 64 if `depth` is left out as well. */
  readonly choices?: number;
  /** All types of holes. */
  readonly holes: readonly HoleSpec[];
  /** Clauses, in the order in which a derivation may take them. */
  readonly clauses: readonly ClauseSpec[];
  /** Terms whose effect is reported, and the variable of the programs that is the effect of each. */
  readonly effects?: Readonly<Record<string, string>>;
  /** Level of a category that an effect is compared with, by term of `effects`. */
  readonly against?: Readonly<Record<string, string>>;
  /** Left side and terms of all its programs, where its questions are about terms: `mpg ~ 1 + wt`. */
  readonly formula?: string;
  /** Point at which the effects of a product's factors hold, by term of `effects`. */
  readonly at?: Readonly<Record<string, string>>;
  /** Whether its texts have the scales of a data set's rows, as those of a model space do. */
  readonly fromData?: true;
  /** Name of the exponential of an effect, such as an odds ratio, by term of `effects`. */
  readonly ratios?: Readonly<Record<string, string>>;
}

/** Name of the exit action; no production may have it. */
export const exitName = "exit";
