/** Conditions on values and parameters: −∞ where they fail, nothing where they hold by construction. */
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import type { Domain } from "./family.ts";
import { knownAtMost, knownBelow, knownNonNegative, knownPositive, rangeOf } from "./range.ts";

/** Conditions on an argument of a domain; none where they hold by construction. */
export function domainConditions(g: GraphBuilder, x: NodeId, domain: Domain): NodeId[] {
  switch (domain) {
    case "positive":
      return positive(g, x);
    case "non_negative":
    case "count":
      return atLeast(g, x, 0);
    case "unit":
      return [...atLeast(g, x, 0), ...atMost(g, x, 1)];
    case "open_unit":
      return [...positive(g, x), ...below(g, x, 1)];
    default:
      return [];
  }
}

/** x > 0. */
export function positive(g: GraphBuilder, x: NodeId): NodeId[] {
  return knownPositive(g, x) ? [] : [g.map("gt", x, g.scalar(0))];
}

/** x ≥ bound. */
export function atLeast(g: GraphBuilder, x: NodeId, bound: number): NodeId[] {
  const held = bound === 0 ? knownNonNegative(g, x) : rangeOf(g, x).low >= bound;
  return held ? [] : [g.map("ge", x, g.scalar(bound))];
}

/** x ≤ bound. */
export function atMost(g: GraphBuilder, x: NodeId, bound: number): NodeId[] {
  return knownAtMost(g, x, bound) ? [] : [g.map("le", x, g.scalar(bound))];
}

/** x < bound. */
function below(g: GraphBuilder, x: NodeId, bound: number): NodeId[] {
  return knownBelow(g, x, bound) ? [] : [g.map("lt", x, g.scalar(bound))];
}

/** a ≤ b. */
export function ascending(g: GraphBuilder, a: NodeId, b: NodeId): NodeId[] {
  return rangeOf(g, a).high <= rangeOf(g, b).low ? [] : [g.map("le", a, b)];
}

/** `value` where all conditions hold, else −∞. */
export function guard(g: GraphBuilder, conditions: readonly NodeId[], value: NodeId): NodeId {
  const unsettled = [...new Set(conditions)].filter((x) => {
    const known = g.valueOf(x);
    return !(known && known.values.every((truth) => truth === 1));
  });
  if (unsettled.length === 0) return value;
  // Conditions on scalars are joined before they meet a vector.
  const bySize = unsettled.sort((a, b) => g.shapeOf(a).length - g.shapeOf(b).length || a - b);
  const all = bySize.reduce((a, b) => g.map("and", a, b));
  return g.where(all, value, g.scalar(-Infinity));
}
