/** Mixtures of other distributions. */
import { drawCode, drawNormal } from "../../../numerics/math/mod.ts";
import type { RandomStream } from "../../../base/random.ts";
import type { GraphBuilder } from "../ir/builder.ts";
import type { ArrayValue } from "../ir/array_value.ts";
import type { NodeId } from "../ir/node.ts";
import type { Distribution } from "../ir/program.ts";
import { finiteLevel, lastExtent, logAddExp, logSumExpLast, padRight, pickLast } from "./arrays.ts";
import type { FamilyDefinition } from "./family.ts";
import { direct, precision } from "./forms.ts";
import { domainConditions, guard } from "./guard.ts";
import type { Lookup } from "./lookup.ts";
import { knownNonNegative, knownPositive } from "./range.ts";
import { normalDensity } from "./real_line.ts";
import { allLast, simplexConditions } from "./simplexes.ts";
import { logOf } from "./stable_log.ts";

/** log w_k for one k, with the batch of the weights. */
function logWeight(g: GraphBuilder, logWeights: NodeId, k: number): NodeId {
  return g.reshape(pickLast(g, logWeights, [k]), g.shapeOf(logWeights).slice(0, -1));
}

/** log Σ e^(a_k) of nodes of one batch. */
function logSumExpOf(g: GraphBuilder, terms: readonly NodeId[]): NodeId {
  const largest = terms.reduce((a, b) => g.map("maximum", a, b));
  const level = finiteLevel(g, g.map("round", largest));
  const powers = terms.map((term) => g.exp(g.sub(term, level)));
  return g.add(g.log(powers.reduce((a, b) => g.add(a, b))), level);
}

/** Whether a component's log density is a finite number at all of these values, by construction. */
function hasFiniteLog(
  familyOf: Lookup,
  g: GraphBuilder,
  x: NodeId,
  { family, args }: Distribution,
): boolean {
  switch (familyOf(family).support) {
    case "real":
      return true;
    case "positive":
    case "non_negative":
      return knownPositive(g, x);
    case "count":
      return (family === "poisson" || family === "negative_binomial") &&
        knownNonNegative(g, x) && knownPositive(g, args[0]);
    default:
      return false;
  }
}

/**
 * log Σ w_k p_k(x). `components` are K distributions of the mixture's shape, or one distribution whose shape has a
 * further last axis of extent K.
 */
export function mixture(familyOf: Lookup): FamilyDefinition {
  const combined = (which: "logDensity" | "logCdf") =>
  (
    g: GraphBuilder,
    x: NodeId,
    distribution: Distribution,
  ) => {
    const weights = distribution.args[0];
    const conditions = simplexConditions(g, weights);
    return guard(g, conditions, mixed(familyOf, g, x, distribution, which));
  };
  return {
    signature: {
      names: ["Mixture"],
      positional: ["w", "comp_dists"],
      defaults: {},
      domains: { w: "simplex", comp_dists: "distribution" },
      forms: [direct("w")],
    },
    parameters: ["w"],
    parameterRanks: [1],
    eventRank: 0,
    discrete: false,
    proper: true,
    support: "components",
    logDensity: combined("logDensity"),
    logCdf: combined("logCdf"),
    transform: (g, distribution) => {
      const transforms = distribution.components!.map((one) =>
        familyOf(one.family).transform(g, one)
      );
      const [first] = transforms;
      const alike = transforms.every((one) => JSON.stringify(one) === JSON.stringify(first));
      return alike ? first : { kind: "identity" };
    },
    requires: ["comp_dists"],
    draw: (random, [w], distribution, out, component) =>
      drawMixture(random, w, distribution, out, component),
  };
}

function mixed(
  familyOf: Lookup,
  g: GraphBuilder,
  x: NodeId,
  distribution: Distribution,
  which: "logDensity" | "logCdf",
): NodeId {
  const logWeights = logOf(g, distribution.args[0]);
  const components = distribution.components!;
  const formula = (one: Distribution) => familyOf(one.family)[which]!;
  if (components.length === 1) {
    const each = formula(components[0])(g, padRight(g, x), components[0]);
    return logSumExpLast(g, g.add(each, logWeights));
  }
  const terms = components.map((one, k) =>
    g.add(formula(one)(g, x, one), logWeight(g, logWeights, k))
  );
  const finite = which === "logDensity" && knownPositive(g, distribution.args[0]) &&
    components.every((one) => hasFiniteLog(familyOf, g, x, one));
  // One after another costs fewer operations, slopes included, but must not meet ∞ − ∞.
  return finite ? terms.reduceRight((sum, term) => logAddExp(g, term, sum)) : logSumExpOf(g, terms);
}

function drawMixture(
  random: RandomStream,
  w: ArrayValue,
  distribution: Distribution,
  out: Float64Array,
  component: (index: number, out: Float64Array) => void,
): void {
  const count = w.shape.at(-1)!;
  const rows = w.values.length / count;
  const event = out.length / rows;
  const single = distribution.components!.length === 1;
  const all = new Float64Array(count * out.length);
  if (single) component(0, all);
  else {for (let k = 0; k < count; k++) {
      component(k, all.subarray(k * out.length, (k + 1) * out.length));
    }}
  for (let row = 0; row < rows; row++) {
    const k = drawCode(random, w.values, row * count, count);
    const from = single ? (row * count + k) * event : k * out.length + row * event;
    out.set(all.subarray(from, from + event), row * event);
  }
}

/** Σ w_k N(μ_k, σ_k), components along the last axis of all three. */
export const normalMixture: FamilyDefinition = {
  signature: {
    names: ["NormalMixture"],
    positional: ["w", "mu", "sigma", "tau"],
    defaults: { sigma: 1 },
    domains: { w: "simplex", mu: "real", sigma: "positive", tau: "positive" },
    forms: [
      direct("w", "mu", "sigma"),
      precision("tau", ["w", "mu", "tau"], ["w", "mu", "sigma"]),
    ].map((form) => ({
      names: form.names,
      canonical: (g, given) => {
        const args = form.canonical(g, given);
        const count = lastExtent(g, args[0]);
        return args.map((x) => alongComponents(g, x, count));
      },
    })),
  },
  parameters: ["w", "mu", "sigma"],
  parameterRanks: [1, 1, 1],
  eventRank: 0,
  discrete: false,
  proper: true,
  support: "real",
  transform: () => ({ kind: "identity" }),
  logDensity: (g, x, { args: [w, mu, sigma] }) => {
    const logWeights = logOf(g, w);
    const conditions = [
      ...simplexConditions(g, w),
      ...domainConditions(g, sigma, "positive").map((each) => allLast(g, each)),
    ];
    const count = lastExtent(g, w);
    if (count <= 4 && knownPositive(g, w)) {
      const terms = Array.from({ length: count }, (_, k) => {
        const one = (node: NodeId) => logWeight(g, node, k);
        return g.add(normalDensity(g, x, one(mu), one(sigma)), one(logWeights));
      });
      return guard(g, conditions, terms.reduceRight((sum, term) => logAddExp(g, term, sum)));
    }
    const each = g.add(normalDensity(g, padRight(g, x), mu, sigma), logWeights);
    return guard(g, conditions, logSumExpLast(g, each));
  },
  draw: (random, [w, mu, sigma], _distribution, out) => {
    const count = w.shape.at(-1)!;
    for (let row = 0; row < out.length; row++) {
      const k = row * count + drawCode(random, w.values, row * count, count);
      out[row] = mu.values[k] + sigma.values[k] * drawNormal(random);
    }
  },
};

/** x with a last axis of the components. */
function alongComponents(g: GraphBuilder, x: NodeId, count: number): NodeId {
  const shape = g.shapeOf(x);
  if (shape.at(-1) === count) return x;
  return g.broadcast(x, [...shape.slice(0, -1), count]);
}
