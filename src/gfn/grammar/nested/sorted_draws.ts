/**
 * Probability of independent draws in falling order, one after the other, as far as each is known.
 *
 * A multiset of draws from a distribution q over an ordered set has the probability m! Π q(x)^n(x) /
 * n(x)!. Sorted, its members are chosen from the largest to the smallest; the choices so far of
 * the next member are an interval U of the order (as in arithmetic coding: Rissanen and Langdon 1979).
 * With n members to come, the last one y with n(y) = r so far, and F = q(< y), the mass of all
 * multisets whose next member is in U is, up to a common factor,
 *
 *     U below y:     [q(≤ U)ⁿ − q(< U)ⁿ] / (r! n!)
 *     U that has y:  Σ_{e=1..n} q(y)ᵉ Fⁿ⁻ᵉ / ((r+e)! (n−e)!) + [Fⁿ − q(< U)ⁿ] / (r! n!)
 *
 * Differences of powers are sums of positive terms, so that small masses keep their digits.
 */

/** An interval of the order: the mass below it, and its own. */
export interface Interval {
  readonly below: number;
  readonly width: number;
}

/** The largest member so far that no later one may pass. */
export interface Bound {
  /** q(< y). */
  readonly below: number;
  /** q(y). */
  readonly width: number;
  /** Number of members equal to it so far. */
  readonly copies: number;
}

/**
 * Mass of all sorted draws whose next of `left` members is in an interval below the bound, relative
 * to `whole`ⁿ.
 */
export function massBelow({ below, width }: Interval, left: number, whole: number): number {
  return powerStep(below / whole, width / whole, left);
}

/**
 * The same for an interval that has the bound itself, and mass `width` below it.
 */
export function massWithBound(
  { below, width }: Interval,
  bound: Bound,
  left: number,
  whole: number,
): number {
  const [q, f] = [bound.width / whole, bound.below / whole];
  let mass = powerStep(below / whole, width / whole, left);
  let coefficient = 1; // n! r! / ((r+e)! (n−e)!)
  for (let e = 1; e <= left; e++) {
    coefficient *= (left - e + 1) / (bound.copies + e);
    mass += coefficient * q ** e * f ** (left - e);
  }
  return mass;
}

/** (a + w)ⁿ − aⁿ for a, w ≥ 0. */
function powerStep(a: number, w: number, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += (a + w) ** i * a ** (n - 1 - i);
  return w * sum;
}
