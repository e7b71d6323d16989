/** Families of time series: Gaussian random walk and autoregression. */
import { drawNormal } from "../../../numerics/math/mod.ts";
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import type { Distribution } from "../ir/program.ts";
import { lastExtent, padRight, sliceLast, sumLast } from "./arrays.ts";
import type { FamilyDefinition, Form } from "./family.ts";
import { direct } from "./forms.ts";
import { domainConditions, guard } from "./guard.ts";
import type { Lookup } from "./lookup.ts";
import { normalDensity } from "./real_line.ts";
import { realVectors } from "./whole_vectors.ts";

/** A parameter with a time axis, unless it is a single number. */
function alongTime(g: GraphBuilder, x: NodeId): NodeId {
  return g.shapeOf(x).length === 0 ? x : padRight(g, x);
}

/** x_0 has the distribution `components[0]`, and x_t − x_(t−1) is normal. */
export function gaussianRandomWalk(familyOf: Lookup): FamilyDefinition {
  return {
    ...realVectors,
    signature: {
      names: ["GaussianRandomWalk"],
      positional: ["mu", "sigma"],
      keywordOnly: ["init_dist", "steps"],
      defaults: { mu: 0, sigma: 1 },
      domains: { mu: "real", sigma: "positive", init_dist: "distribution", steps: "size" },
      forms: [direct("mu", "sigma")],
    },
    parameters: ["mu", "sigma"],
    parameterRanks: [0, 0],
    logDensity: (g, x, distribution) => {
      const steps = lastExtent(g, x) - 1;
      const [mu, sigma] = distribution.args;
      const change = g.sub(sliceLast(g, x, 1, steps), sliceLast(g, x, 0, steps));
      const each = normalDensity(g, change, alongTime(g, mu), alongTime(g, sigma));
      const start = g.reshape(sliceLast(g, x, 0, 1), g.shapeOf(x).slice(0, -1));
      const init = distribution.components![0];
      const first = familyOf(init.family).logDensity(g, start, init);
      return guard(g, domainConditions(g, sigma, "positive"), g.add(sumLast(g, each), first));
    },
    draw: (random, [mu, sigma], { shape }, out, component) => {
      const length = shape.at(-1)!;
      const starts = new Float64Array(out.length / length);
      component(0, starts);
      starts.forEach((start, row) => {
        let x = out[row * length] = start;
        for (let t = 1; t < length; t++) {
          x += mu.values[row] + sigma.values[row] * drawNormal(random);
          out[row * length + t] = x;
        }
      });
    },
    spread: (_mu, sigma) => sigma,
  };
}

/** `sigma` given as a precision. */
const byPrecision: Form = {
  names: ["rho", "tau"],
  canonical: (g, { rho, tau }) => [rho, g.div(g.scalar(1), g.map("sqrt", tau))],
};

/**
 * x_t = ρ_0 + ρ_1 x_(t−1) + … + σ ε_t after `sizes[0]` values of the distribution `components[0]`; ρ_0 is there
 * if `sizes[1]` is 1. The shape of `components[0]` ends with the order.
 */
export function autoregression(familyOf: Lookup): FamilyDefinition {
  return {
    ...realVectors,
    signature: {
      names: ["AR"],
      positional: ["rho", "sigma", "tau"],
      keywordOnly: ["init_dist", "steps", "constant", "ar_order"],
      defaults: { sigma: 1 },
      domains: {
        rho: "real",
        sigma: "positive",
        tau: "positive",
        init_dist: "distribution",
        steps: "size",
        constant: "size",
        ar_order: "size",
      },
      forms: [direct("rho", "sigma"), byPrecision],
    },
    sizes: ["ar_order", "constant"],
    parameters: ["rho", "sigma"],
    parameterRanks: [1, 0],
    logDensity: (g, x, distribution) => {
      const { order, mean } = autoregressiveMean(g, x, distribution);
      const sigma = distribution.args[1];
      const later = sliceLast(g, x, order, lastExtent(g, x) - order);
      const each = sumLast(g, normalDensity(g, later, mean, alongTime(g, sigma)));
      const init = distribution.components![0];
      const family = familyOf(init.family);
      const early = family.logDensity(g, sliceLast(g, x, 0, order), init);
      const first = family.eventRank === 0 ? sumLast(g, early) : early;
      return guard(g, domainConditions(g, sigma, "positive"), g.add(each, first));
    },
    draw: (random, [rho, sigma], { shape, sizes }, out, component) => {
      const [order, constant] = [sizes![0], sizes![1] ?? 0];
      const length = shape.at(-1)!;
      const terms = order + constant;
      const starts = new Float64Array(out.length / length * order);
      component(0, starts);
      for (let row = 0; row * length < out.length; row++) {
        const at = row * length;
        const coefficients = rho.values.subarray(row * terms, (row + 1) * terms);
        out.set(starts.subarray(row * order, (row + 1) * order), at);
        for (let t = order; t < length; t++) {
          let mean = constant === 1 ? coefficients[0] : 0;
          for (let k = 1; k <= order; k++) mean += coefficients[k - 1 + constant] * out[at + t - k];
          out[at + t] = mean + sigma.values[row] * drawNormal(random);
        }
      }
    },
    spread: (_rho, sigma) => sigma,
  };
}

/** The expected value of every x_t after the first ones. */
function autoregressiveMean(
  g: GraphBuilder,
  x: NodeId,
  { args: [rho], sizes }: Distribution,
): { readonly order: number; readonly mean: NodeId } {
  const [order, constant] = [sizes![0], sizes![1] ?? 0];
  const steps = lastExtent(g, x) - order;
  const coefficient = (k: number) => {
    const one = sliceLast(g, rho, k, 1);
    return g.shapeOf(one).length === 1 ? g.reshape(one, []) : one;
  };
  let mean = constant === 1 ? coefficient(0) : undefined;
  for (let k = 1; k <= order; k++) {
    const term = g.mul(coefficient(k - 1 + constant), sliceLast(g, x, order - k, steps));
    mean = mean === undefined ? term : g.add(mean, term);
  }
  return { order, mean: mean! };
}
