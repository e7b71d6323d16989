/** Distributions between bounds: truncation and censoring of another distribution. */
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import type { Distribution } from "../ir/program.ts";
import type { FamilyDefinition } from "./family.ts";
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

/** A log probability, and that a double tells it. */
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
