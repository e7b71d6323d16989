/** Powers, binomial coefficients and beta functions in logarithms, with PyMC's values at the edges. */
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import { sizeOf } from "../ir/shape.ts";
import { zero } from "./arrays.ts";
import { knownBelow, knownPositive } from "./range.ts";
import { log1mOf, logOf } from "./stable_log.ts";

/** log x^m: 0 for 0^0, and −∞ for every other power of 0, as PyMC's `logpow`. */
export function logPower(g: GraphBuilder, x: NodeId, m: NodeId): NodeId {
  if (g.constantOf(m) === 0) return g.scalar(0);
  if (knownPositive(g, x)) return g.mul(m, logOf(g, x));
  return powerAtZero(g, x, m, (safe) => logOf(g, safe));
}

/** log (1 − x)^m likewise. */
export function logPower1m(g: GraphBuilder, x: NodeId, m: NodeId): NodeId {
  if (g.constantOf(m) === 0) return g.scalar(0);
  if (knownBelow(g, x, 1)) return g.mul(m, log1mOf(g, x));
  const isZero = g.map("eq", x, g.scalar(1));
  const safe = g.where(isZero, g.scalar(0.5), x);
  return edges(g, isZero, m, g.mul(m, log1mOf(g, safe)));
}

/**
 * m log x, as PyMC has it for densities that are unbounded at an end of their support: where x is 0
 * it is 0 for m = 0 and ±∞ for others.
 */
export function unboundedPower(g: GraphBuilder, x: NodeId, m: NodeId): NodeId {
  if (g.constantOf(m) === 0) return g.scalar(0);
  if (knownPositive(g, x)) return g.mul(m, logOf(g, x));
  const isZero = g.map("eq", x, g.scalar(0));
  const safe = g.where(isZero, g.scalar(1), x);
  return g.where(isZero, unboundedEdge(g, m), g.mul(m, logOf(g, safe)));
}

/** m log(1 − x) likewise. */
export function unboundedPower1m(g: GraphBuilder, x: NodeId, m: NodeId): NodeId {
  if (g.constantOf(m) === 0) return g.scalar(0);
  if (knownBelow(g, x, 1)) return g.mul(m, log1mOf(g, x));
  const isOne = g.map("eq", x, g.scalar(1));
  const safe = g.where(isOne, g.scalar(0.5), x);
  return g.where(isOne, unboundedEdge(g, m), g.mul(m, log1mOf(g, safe)));
}

function unboundedEdge(g: GraphBuilder, m: NodeId): NodeId {
  const infinite = g.where(g.map("lt", m, zero(g)), g.scalar(Infinity), g.scalar(-Infinity));
  return g.where(g.map("eq", m, zero(g)), zero(g), infinite);
}

function powerAtZero(
  g: GraphBuilder,
  x: NodeId,
  m: NodeId,
  log: (safe: NodeId) => NodeId,
): NodeId {
  const isZero = g.map("eq", x, g.scalar(0));
  const safe = g.where(isZero, g.scalar(1), x);
  return edges(g, isZero, m, g.mul(m, log(safe)));
}

function edges(g: GraphBuilder, isZero: NodeId, m: NodeId, otherwise: NodeId): NodeId {
  const atZero = g.where(g.map("eq", m, g.scalar(0)), g.scalar(0), g.scalar(-Infinity));
  return g.where(isZero, atZero, otherwise);
}

/** lgamma(x + shift), computed once for each distinct x where those are known and shift is a number. */
export function lgammaShifted(g: GraphBuilder, x: NodeId, shift: NodeId): NodeId {
  return perDistinct(g, x, shift, (distinct) => g.map("lgamma", g.add(distinct, shift)));
}

/**
 * `f` of known numbers `x`, evaluated once per distinct number and handed out; `partner` is the other
 * argument of `f`, which must be a single number for that.
 */
function perDistinct(
  g: GraphBuilder,
  x: NodeId,
  partner: NodeId,
  f: (x: NodeId) => NodeId,
): NodeId {
  const known = g.isHost(partner) || sizeOf(g.shapeOf(partner)) > 1 ? undefined : g.valueOf(x);
  if (!known || known.values.length < 4) return f(x);
  const distinct = [...new Set(known.values)].sort((a, b) => a - b);
  if (2 * distinct.length > known.values.length) return f(x);
  const place = new Map(distinct.map((value, i) => [value, i]));
  const index = Int32Array.from(known.values, (value) => place.get(value)!);
  const few = f(g.array(Float64Array.from(distinct), [distinct.length]));
  return g.gather(few, index, known.shape);
}

/**
 * log of a probability that was computed: where it has underflowed it is −∞ with slope 0, so that a
 * branch which is not taken cannot spoil a gradient.
 */
export function logChance(g: GraphBuilder, p: NodeId): NodeId {
  const vanishes = g.map("le", p, zero(g));
  return g.where(vanishes, g.scalar(-Infinity), g.log(g.where(vanishes, g.scalar(1), p)));
}

/** log(1 − e^x) for x ≤ 0 likewise: −∞ with slope 0 where x has underflowed. */
export function logComplement(g: GraphBuilder, x: NodeId): NodeId {
  const vanishes = g.map("ge", x, zero(g));
  const safe = g.where(vanishes, g.scalar(-1), x);
  return g.where(vanishes, g.scalar(-Infinity), g.map("log1mexp", safe));
}

/** log n! . */
export function logFactorial(g: GraphBuilder, n: NodeId): NodeId {
  return g.map("lgamma", g.add(n, g.scalar(1)));
}

/** log of n over k. */
export function logBinomial(g: GraphBuilder, n: NodeId, k: NodeId): NodeId {
  const below = g.add(logFactorial(g, k), logFactorial(g, g.sub(n, k)));
  return g.sub(logFactorial(g, n), below);
}

/** log B(a, b). */
export function logBeta(g: GraphBuilder, a: NodeId, b: NodeId): NodeId {
  const parts = g.add(g.map("lgamma", a), g.map("lgamma", b));
  return g.sub(parts, g.map("lgamma", g.add(a, b)));
}
