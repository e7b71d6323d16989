/** Formulas as data: the notation of brms, lme4 and Bambi, with brackets around open questions. */

/** A function that a column may be put through, elementwise. */
export const columnFunctions = ["log", "log1p", "sqrt", "exp"] as const;
/** One of `columnFunctions`. */
export type ColumnFunction = (typeof columnFunctions)[number];

/** Factor of a term: a column, or columns derived from one. */
export type Factor =
  | { readonly kind: "column"; readonly column: string; readonly by?: ColumnFunction }
  | { readonly kind: "poly"; readonly column: string; readonly degree: number }
  | { readonly kind: "spline"; readonly column: string; readonly knots: number }
  | { readonly kind: "monotonic"; readonly column: string }
  /** `factor(x)`: an effect of each value, against the first one or the one that is named. */
  | { readonly kind: "levels"; readonly column: string; readonly reference?: string };

/** Names of the function of levels in R, patsy and here. */
export const levelFunctions: readonly string[] = ["factor", "as.factor", "C"];

/** A term of the linear predictor. */
export type Term =
  /** One factor, or the product of several: `x`, `x:z`. */
  | { readonly kind: "product"; readonly source: string; readonly factors: readonly Factor[] }
  /** Effects of the levels of a group, or of each pair of levels: `(1 + x | g)`, `(1 | g:h)`. */
  | {
    readonly kind: "group";
    readonly source: string;
    readonly intercept: boolean;
    readonly slopes: readonly Factor[];
    readonly groups: readonly string[];
    /** False after `||`: intercepts and slopes do not correlate. */
    readonly correlated: boolean;
  }
  /** Added as it is, without a coefficient. */
  | { readonly kind: "offset"; readonly source: string; readonly factor: Factor };

/** Terms that come together, and the alternatives in question. */
export interface Part {
  /** Source as written, single-spaced, without brackets: the name of the question. */
  readonly source: string;
  /** Alternatives in question: one is in or out, of several exactly one is in. */
  readonly alternatives: readonly (readonly Term[])[];
  /** Name of each alternative. */
  readonly names: readonly string[];
  /** False where it is in every program. */
  readonly asked: boolean;
}

/** The left side: a column, or its logarithm, or which of the two is in question. */
export interface Response {
  /** Name of the column. */
  readonly column: string;
  /** Present where the logarithm of the column is modelled. */
  readonly by?: "log";
  /** `[y | log(y)]`: both, in the order written, and the name of the question. */
  readonly asked?: { readonly source: string; readonly by: readonly (undefined | "log")[] };
  /** Column of the numbers of trials: `y | trials(n)`; of `trials(a + b)` and `cbind(a, b)` it is `a + b`. */
  readonly trials?: string;
  /** The two columns whose sum are the trials, where the formula writes a sum. */
  readonly trialsOf?: readonly [string, string];
  /** Column with 1 where the event happened, 0 where observation ended before: `t | event(died)`. */
  readonly event?: string;
  /** Column of known standard errors: `y | error(s)`, in brms `y | se(s)`. */
  readonly error?: string;
  /** Column of `left`, `none` and `right`: the side on which a value is a limit, `y | cens(c)`. */
  readonly censored?: string;
  /** Column of the upper ends of values that lie between two numbers, `y | cens(c, upper)`. */
  readonly until?: string;
  /** `y | trunc(lb = 1, ub = 9)`: values beyond which rows could not be observed. */
  readonly truncated?: { readonly lower?: number; readonly upper?: number };
}

/** Words behind a bar of the response that name a column, and the field of each. */
export const responseWords: ReadonlyMap<string, "trials" | "event" | "error" | "censored"> =
  new Map([
    ["trials", "trials"],
    ["event", "event"],
    ["error", "error"],
    ["se", "error"],
    ["cens", "censored"],
  ]);

/** A formula. */
export interface Formula {
  /** Source as written, single-spaced. */
  readonly source: string;
  /** Left side. */
  readonly response: Response;
  /** False after `0 +` or `- 1`. */
  readonly intercept: boolean;
  /** Right side, in the order written. */
  readonly parts: readonly Part[];
  /** Parts of other parameters than the mean, `; sigma ~ [x]`, by parameter. */
  readonly others: readonly ParameterParts[];
}

/** Terms of a parameter beside the mean; its questions begin with its name. */
export interface ParameterParts {
  /** Name of the parameter: `sigma`, `nu`. */
  readonly parameter: string;
  /** Its right side, in the order written. */
  readonly parts: readonly Part[];
}
