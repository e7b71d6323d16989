/** What a formula says: the notation of brms, lme4 and Bambi, with brackets for what is in question. */

/** A function that a column may be put through, elementwise. */
export const columnFunctions = ["log", "log1p", "sqrt", "exp"] as const;
/** One of `columnFunctions`. */
export type ColumnFunction = (typeof columnFunctions)[number];

/** What a term is made of: a column, or columns that are made of one. */
export type Factor =
  | { readonly kind: "column"; readonly column: string; readonly by?: ColumnFunction }
  | { readonly kind: "poly"; readonly column: string; readonly degree: number }
  | { readonly kind: "spline"; readonly column: string; readonly knots: number };

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

/** Terms that come together, and what is in question of them. */
export interface Part {
  /** As written, single-spaced, without brackets: what the question is called. */
  readonly source: string;
  /** Left out or in where there is one alternative; else one of them. */
  readonly alternatives: readonly (readonly Term[])[];
  /** What each alternative is called. */
  readonly names: readonly string[];
  /** False: it is always there. */
  readonly asked: boolean;
}

/** The left side: a column, or its logarithm. */
export interface Response {
  readonly column: string;
  readonly by?: "log";
  /** Column of the numbers of trials: `y | trials(n)`. */
  readonly trials?: string;
}

/** A formula. */
export interface Formula {
  /** As written, single-spaced. */
  readonly source: string;
  readonly response: Response;
  /** False after `0 +` or `- 1`. */
  readonly intercept: boolean;
  readonly parts: readonly Part[];
}
