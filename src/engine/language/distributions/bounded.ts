/** Distributions between bounds: truncation and censoring of another distribution. */
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import type { Distribution } from "../ir/program.ts";
import type { FamilyDefinition } from "./family.ts";
import { farthestEnd } from "../../../base/interval_censored.ts";
import { direct } from "./forms.ts";
import { ascending, atLeast, atMost, guard } from "./guard.ts";
import type { Lookup } from "./lookup.ts";
import { leastDifference, leastLogMass } from "./reach.ts";
import { log2 } from "./real_line.ts";

/** log P(X ≤ bound), or P(X < bound) for counts, and the survival functions that belong to them. */
function tails(familyOf: Lookup, g: GraphBuilder, base: Distribution) {
  const family = familyOf(base.family);
  const cdf = (x: NodeId) => family.logCdf!(g, x, base);
  const survival = (x: NodeId) =>
    family.logSurvival ? family.logSurvival(g, x, base) : g.map("log1mexp", cdf(x));
  const before = (x: NodeId) => family.discrete ? g.sub(x, g.scalar(1)) : x;
  return { cdf, survival, before };
}

/** Whether bounds exist: one that is a constant infinity does not. */
function boundsOf(g: GraphBuilder, { args: [lower, upper] }: Distribution) {
  return {
    lower,
    upper,
    hasLower: g.constantOf(lower) !== -Infinity,
    hasUpper: g.constantOf(upper) !== Infinity,
  };
}

/** A log probability, and the conditions under which a double represents it. */
interface KnownMass {
  readonly mass: NodeId;
  readonly conditions: readonly NodeId[];
}

/** log P(lower ≤ X ≤ upper), from the side on which nothing cancels. */
function logMass(familyOf: Lookup, g: GraphBuilder, distribution: Distribution): KnownMass {
  const { lower, upper, hasLower, hasUpper } = boundsOf(g, distribution);
  const { cdf, survival, before } = tails(familyOf, g, distribution.components![0]);
  const known = (mass: NodeId) => ({ mass, conditions: atLeast(g, mass, leastLogMass) });
  if (!hasLower) return known(hasUpper ? cdf(upper) : g.scalar(0));
  if (!hasUpper) return known(survival(before(lower)));
  const [low, high] = [cdf(before(lower)), cdf(upper)];
  const flip = g.map("gt", low, g.scalar(-log2));
  const most = g.where(flip, survival(before(lower)), high);
  const less = g.where(flip, survival(upper), low);
  const difference = g.sub(less, most);
  const { mass, conditions } = known(g.add(most, g.map("log1mexp", difference)));
  return { mass, conditions: [...conditions, ...atMost(g, difference, -leastDifference)] };
}

/** Conditions that both kinds of bounded distribution set on their bounds. */
function boundConditions(g: GraphBuilder, distribution: Distribution): NodeId[] {
  const { lower, upper, hasLower, hasUpper } = boundsOf(g, distribution);
  return hasLower && hasUpper ? ascending(g, lower, upper) : [];
}

/** The distribution `components[0]` given that it lies between its bounds, both included. */
export function truncated(familyOf: Lookup): FamilyDefinition {
  return {
    signature: {
      names: ["Truncated"],
      positional: ["dist", "lower", "upper", "max_n_steps"],
      defaults: { lower: -Infinity, upper: Infinity },
      domains: { dist: "distribution", lower: "bound", upper: "bound", max_n_steps: "size" },
      forms: [direct("lower", "upper")],
    },
    parameters: ["lower", "upper"],
    parameterRanks: [0, 0],
    eventRank: 0,
    discrete: false,
    proper: true,
    support: "components",
    logDensity: (g, x, distribution) => {
      const { lower, upper, hasLower, hasUpper } = boundsOf(g, distribution);
      const base = distribution.components![0];
      const density = familyOf(base.family).logDensity(g, x, base);
      const { mass, conditions: known } = logMass(familyOf, g, distribution);
      const conditions = [
        ...boundConditions(g, distribution),
        ...known,
        ...(hasLower ? [g.map("ge", x, lower)] : []),
        ...(hasUpper ? [g.map("le", x, upper)] : []),
      ];
      return guard(g, conditions, g.sub(density, mass));
    },
    transform: (_g, { args: [lower, upper], components }) =>
      familyOf(components![0].family).discrete
        ? { kind: "identity" }
        : { kind: "interval", lower, upper },
    draw: (_random, [lower, upper], _distribution, out, component) => {
      const fresh = new Float64Array(out.length);
      const within = (i: number) => fresh[i] >= lower.values[i] && fresh[i] <= upper.values[i];
      const open = new Set(out.keys());
      out.fill(NaN);
      for (let round = 0; round < 10000 && open.size > 0; round++) {
        component(0, fresh);
        for (const i of open) {
          if (!within(i)) continue;
          out[i] = fresh[i];
          open.delete(i);
        }
      }
    },
    requires: ["dist"],
  };
}

/** The distribution `components[0]`, moved to the nearer bound where it lies beyond one. */
export function censored(familyOf: Lookup): FamilyDefinition {
  return {
    signature: {
      names: ["Censored"],
      positional: ["dist", "lower", "upper"],
      defaults: { lower: -Infinity, upper: Infinity },
      domains: { dist: "distribution", lower: "bound", upper: "bound" },
      forms: [direct("lower", "upper")],
    },
    parameters: ["lower", "upper"],
    parameterRanks: [0, 0],
    eventRank: 0,
    discrete: false,
    proper: true,
    support: "components",
    logDensity: (g, x, distribution) => censoredDensity(familyOf, g, x, distribution),
    transform: () => ({ kind: "identity" }),
    draw: (_random, [lower, upper], _distribution, out, component) => {
      component(0, out);
      for (let i = 0; i < out.length; i++) {
        out[i] = Math.min(upper.values[i], Math.max(lower.values[i], out[i]));
      }
    },
    requires: ["dist"],
  };
}

function censoredDensity(
  familyOf: Lookup,
  g: GraphBuilder,
  x: NodeId,
  distribution: Distribution,
): NodeId {
  const { lower, upper, hasLower, hasUpper } = boundsOf(g, distribution);
  const base = distribution.components![0];
  const { cdf, survival, before } = tails(familyOf, g, base);
  let density = familyOf(base.family).logDensity(g, x, base);
  const conditions = boundConditions(g, distribution);
  if (hasLower) {
    density = g.where(g.map("eq", x, lower), cdf(lower), density);
    conditions.push(g.map("ge", x, lower));
  }
  if (hasUpper) {
    density = g.where(g.map("eq", x, upper), survival(before(upper)), density);
    conditions.push(g.map("le", x, upper));
  }
  return guard(g, conditions, density);
}

/**
 * The distribution `components[0]` in windows of the rows: a value within one is recorded as its lower end, or
 * as its upper one where it has no lower. Where both ends are one number there is no window.
 */
export function intervalCensored(familyOf: Lookup): FamilyDefinition {
  const { signature, ...own } = censored(familyOf);
  return {
    ...own,
    ofWindows: true,
    signature: { ...signature, names: ["interval_censored"] },
    logDensity: (g, x, distribution) => intervalDensity(familyOf, g, x, distribution),
    draw: (_random, [lower, upper], _distribution, out, component) => {
      component(0, out);
      for (let i = 0; i < out.length; i++) {
        const [low, high] = [lower.values[i], upper.values[i]];
        if (low < out[i] && out[i] <= high) out[i] = recordedAs(low, high);
      }
    },
  };
}

/** The value that stands for a window. */
export function recordedAs(lower: number, upper: number): number {
  return lower < -farthestEnd ? upper : lower;
}

function intervalDensity(
  familyOf: Lookup,
  g: GraphBuilder,
  x: NodeId,
  { args: [lower, upper], components }: Distribution,
): NodeId {
  const base = components![0];
  const { cdf, survival } = tails(familyOf, g, base);
  const { support, logDensity } = familyOf(base.family);
  const hasFloor = support === "positive" || support === "non_negative";
  const either = (...all: readonly NodeId[]) => all.reduce((a, b) => g.map("or", a, b));
  const isOpen = g.map("lt", lower, g.scalar(-farthestEnd));
  const left = g.map("le", lower, g.scalar(hasFloor ? 0 : -farthestEnd));
  const right = g.map("gt", upper, g.scalar(farthestEnd));
  const known = g.map("eq", lower, upper);
  const dummy = either(left, right, known);
  const low = g.where(left, upper, lower);
  const high = g.where(dummy, g.add(low, g.scalar(1)), upper);
  const [below, beyond] = [cdf(low), survival(low)];
  const flip = g.map("gt", below, g.scalar(-log2));
  const most = g.where(flip, beyond, cdf(high));
  const less = g.where(flip, survival(high), below);
  const difference = g.where(dummy, g.scalar(-1), g.sub(less, most));
  const between = g.add(most, g.map("log1mexp", difference));
  const ends = atMost(g, difference, -leastDifference);
  const mass = guard(g, ends, g.where(left, below, g.where(right, beyond, between)));
  const isMark = g.map("eq", x, g.where(isOpen, upper, lower));
  const isWindow = g.map("not", known);
  const isInside = g.map("and", g.map("gt", x, lower), g.map("le", x, upper));
  const marked = g.map("and", isWindow, isMark);
  const density = logDensity(g, g.where(marked, high, x), base);
  const elsewhere = g.where(g.map("and", isWindow, isInside), g.scalar(-Infinity), density);
  return g.where(marked, mass, elsewhere);
}
