/** log P(low < X ≤ high) by Gauss–Legendre nodes, for densities whose distribution function is not at hand. */
import { plus, times } from "../../language/distributions/forms.ts";
import { families } from "../../language/distributions/table.ts";
import type { GraphBuilder } from "../../language/ir/builder.ts";
import type { NodeId } from "../../language/ir/node.ts";
import type { Distribution } from "../../language/ir/program.ts";
import { log } from "../../../numerics/math/mod.ts";
import type { CellEnds } from "./cell_ends.ts";

/** Half of the nodes of the rule of order 16 on −1 … 1, and their weights (Abramowitz and Stegun 1964, table 25.4). */
const nodes = [
  0.0950125098376374402,
  0.281603550779258913,
  0.458016777657227386,
  0.617876244402643748,
  0.755404408355003034,
  0.865631202387831744,
  0.944575023073232576,
  0.989400934991649933,
];
const weights = [
  0.18945061045506849629,
  0.18260341504492358887,
  0.16915651939500253819,
  0.14959598881657673208,
  0.12462897125553387205,
  0.09515851168249278481,
  0.06225352393864789286,
  0.02715245941175409485,
];

/** How many scales from its centre a density is sought; e^(−81/2) of its peak is left there. */
const reach = 9;

/**
 * The integral of the density over the cell, in two halves that meet at the centre of the distribution where that
 * lies within: there, only what is near the centre counts. Families without a
 * distribution function have one peak of a known scale, so that nodes see it however narrow it is.
 */
export function logMassByQuadrature(
  g: GraphBuilder,
  ends: CellEnds,
  distribution: Distribution,
): NodeId {
  const { low, high } = withinSupport(g, ends, distribution);
  const { peak: peakOf } = families[distribution.family];
  if (!peakOf) return overPart(g, low, high, distribution);
  const { centre, scale } = peakOf(g, distribution.args, { low, high });
  const far = times(g, reach, scale);
  const [from, to] = [g.sub(centre, far), g.add(centre, far)];
  const meets = g.map("and", g.map("lt", low, to), g.map("gt", high, from));
  const begin = g.where(meets, g.map("maximum", low, from), low);
  const end = g.where(meets, g.map("minimum", high, to), high);
  const middle = g.map("minimum", end, g.map("maximum", begin, centre));
  const [left, right] = [
    overPart(g, begin, middle, distribution),
    overPart(g, middle, end, distribution),
  ];
  return g.map("minimum", logSum(g, [left, right]), g.scalar(0));
}

/** The part of the cell within the support. */
function withinSupport(
  g: GraphBuilder,
  { low, high }: CellEnds,
  { family }: Distribution,
): CellEnds {
  const between = (from: number, to: number) => ({
    low: g.map("minimum", g.map("maximum", low, g.scalar(from)), g.scalar(to)),
    high: g.map("minimum", g.map("maximum", high, g.scalar(from)), g.scalar(to)),
  });
  switch (families[family].support) {
    case "positive":
    case "non_negative":
      return between(0, Infinity);
    case "unit":
    case "open_unit":
      return between(0, 1);
    case "circle":
      return between(-Math.PI, Math.PI);
    default:
      return { low, high };
  }
}

/** log ∫ of the density from `from` to `to`. */
function overPart(
  g: GraphBuilder,
  from: NodeId,
  to: NodeId,
  distribution: Distribution,
): NodeId {
  const half = times(g, 0.5, g.sub(to, from));
  const middle = times(g, 0.5, g.add(from, to));
  const { logDensity } = families[distribution.family];
  const terms = nodes.flatMap((node, k) =>
    [-node, node].map((at) => {
      const x = g.add(middle, times(g, at, half));
      return plus(g, logDensity(g, x, distribution), log(weights[k]));
    })
  );
  return g.add(logSum(g, terms), g.log(half));
}

/** log Σ e^x of nodes of one batch. */
export function logSum(g: GraphBuilder, terms: readonly NodeId[]): NodeId {
  const largest = terms.reduce((a, b) => g.map("maximum", a, b));
  const isFinite = g.map("lt", g.map("abs", largest), g.scalar(Infinity));
  const level = g.where(isFinite, largest, g.scalar(0));
  const sum = terms.map((term) => g.exp(g.sub(term, level))).reduce((a, b) => g.add(a, b));
  return g.add(g.log(sum), level);
}
