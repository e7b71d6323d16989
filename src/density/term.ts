/** Terms of the log density: a family applied to values in memory, summed over its lanes. */

/**
 * A family at `n` values `x` with up to four arguments `p0 … p3`. Addresses, masks and flags mean
 * what they mean in an instruction; absent arguments point at a zero.
 */
export interface FamilyTerm {
  readonly n: number;
  readonly x: number;
  readonly xMask: number;
  readonly xFree: boolean;
  readonly p0: number;
  readonly mask0: number;
  readonly free0: boolean;
  readonly p1: number;
  readonly mask1: number;
  readonly free1: boolean;
  readonly p2: number;
  readonly mask2: number;
  readonly free2: boolean;
  readonly p3: number;
  readonly mask3: number;
  readonly free3: boolean;
  /** Address of the logarithms of constant values, for families that ask for them. */
  readonly logX: number;
  /** The normaliser is constant and has been folded away. */
  readonly folded: boolean;
}

/** Returns the summed log density and adds all adjoints to `g`. */
export type TermKernel = (m: Float64Array, g: Float64Array, term: FamilyTerm) => number;

/**
 * What the engine knows of one family. The log density is `normaliser(arguments)` plus
 * `kernel(x, arguments)`; a part outside its domain is −∞ or NaN. Partial derivatives go to
 * `slope`: `slope[0]` by the value, `slope[1 + j]` by argument `j`.
 */
export interface FamilyRule {
  /** The part without the value; writes `slope[1 …]`. */
  normaliser(a: number, b: number, c: number, d: number, slope: Float64Array): number;
  /** The part with the value; writes `slope[0 …]`. */
  kernel(x: number, a: number, b: number, c: number, d: number, slope: Float64Array): number;
  /** A faster sum over a column of constant values, with the same meaning. */
  readonly column?: TermKernel;
  /** `column` reads the logarithms of the values. */
  readonly usesLogValue?: boolean;
}

/** Sums a family over its lanes in ascending order; a normaliser without lanes is taken once. */
export function sumTerm(
  rule: FamilyRule,
  m: Float64Array,
  g: Float64Array,
  term: FamilyTerm,
): number {
  const hoisted = (term.mask0 | term.mask1 | term.mask2 | term.mask3) === 0;
  let total = 0;
  if (hoisted && !term.folded) total += term.n * normaliserAt(rule, m, g, term, 0, term.n);
  for (let i = 0; i < term.n; i++) {
    if (!hoisted) total += normaliserAt(rule, m, g, term, i, 1);
    total += kernelAt(rule, m, g, term, i);
  }
  return total;
}

const slope = new Float64Array(5);

function normaliserAt(
  rule: FamilyRule,
  m: Float64Array,
  g: Float64Array,
  term: FamilyTerm,
  i: number,
  times: number,
): number {
  const value = rule.normaliser(
    m[term.p0 + (i & term.mask0)],
    m[term.p1 + (i & term.mask1)],
    m[term.p2 + (i & term.mask2)],
    m[term.p3 + (i & term.mask3)],
    slope,
  );
  addArgumentSlopes(g, term, i, times);
  return value;
}

function kernelAt(
  rule: FamilyRule,
  m: Float64Array,
  g: Float64Array,
  term: FamilyTerm,
  i: number,
): number {
  const value = rule.kernel(
    m[term.x + (i & term.xMask)],
    m[term.p0 + (i & term.mask0)],
    m[term.p1 + (i & term.mask1)],
    m[term.p2 + (i & term.mask2)],
    m[term.p3 + (i & term.mask3)],
    slope,
  );
  if (term.xFree) g[term.x + (i & term.xMask)] += slope[0];
  addArgumentSlopes(g, term, i, 1);
  return value;
}

function addArgumentSlopes(g: Float64Array, term: FamilyTerm, i: number, times: number): void {
  if (term.free0) g[term.p0 + (i & term.mask0)] += times * slope[1];
  if (term.free1) g[term.p1 + (i & term.mask1)] += times * slope[2];
  if (term.free2) g[term.p2 + (i & term.mask2)] += times * slope[3];
  if (term.free3) g[term.p3 + (i & term.mask3)] += times * slope[4];
}

/** Writes the log density of every lane into `out[outOffset …)`; no adjoints. */
export function pointwiseTerm(
  rule: FamilyRule,
  m: Float64Array,
  term: FamilyTerm,
  out: Float64Array,
  outOffset: number,
): void {
  const { x, xMask, p0, mask0, p1, mask1, p2, mask2, p3, mask3 } = term;
  const hoisted = (mask0 | mask1 | mask2 | mask3) === 0;
  let normaliser = 0;
  for (let i = 0; i < term.n; i++) {
    const a = m[p0 + (i & mask0)];
    const b = m[p1 + (i & mask1)];
    const c = m[p2 + (i & mask2)];
    const d = m[p3 + (i & mask3)];
    if (i === 0 || !hoisted) normaliser = rule.normaliser(a, b, c, d, slope);
    const value = normaliser + rule.kernel(m[x + (i & xMask)], a, b, c, d, slope);
    out[outOffset + i] = Number.isNaN(value) ? -Infinity : value;
  }
}
