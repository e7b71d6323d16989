/** Where the priors have their weight on the unconstrained scale: where chains should start. */
import type { FamilyName } from "../ir/family_names.ts";
import type { NodeId } from "../ir/node.ts";
import { broadcastIndex, type Shape, sizeOf } from "../ir/shape.ts";
import { exp, log } from "../../base/math/elementary.ts";
import type { StartingRegion } from "../../base/math/log_density.ts";
import type { AssembledProgram, PlacedParameter } from "./assemble.ts";
import { plainEvaluator } from "./plain.ts";

type Of<T> = (a: number, b: number, c: number, d: number) => T;

const first: Of<number> = (a) => a;
const second: Of<number> = (_a, b) => b;

/** A value in the middle of each family of numbers; after PyMC's support points, but finite always. */
const centres: { readonly [family in FamilyName]?: Of<number> } = {
  normal: first,
  half_normal: first,
  log_normal: (mu) => exp(mu),
  truncated_normal(mu, sigma, lower, upper) {
    if (lower < mu && mu < upper) return mu;
    const reach = (upper - lower) / 2;
    return mu <= lower ? lower + Math.min(sigma, reach) : upper - Math.min(sigma, reach);
  },
  student_t: second,
  half_student_t: second,
  cauchy: first,
  half_cauchy: first,
  exponential: (lam) => 1 / lam,
  gamma: (alpha, beta) => alpha / beta,
  inverse_gamma: (alpha, beta) => beta / (alpha + 1),
  chi_squared: first,
  weibull: second,
  beta: (alpha, beta) => alpha / (alpha + beta),
  uniform: (lower, upper) => (lower + upper) / 2,
  triangular: (lower, upper, c) => (lower + upper + c) / 3,
  laplace: first,
  logistic: first,
  logit_normal: (mu) => 1 / (1 + exp(-mu)),
  gumbel: first,
  moyal: first,
  skew_normal: first,
  ex_gaussian: (mu, _sigma, nu) => mu + nu,
  wald: first,
  pareto: (alpha, m) => m * (1 + 1 / alpha),
  rice: (nu, sigma) => nu + sigma,
  von_mises: first,
  mv_normal: first,
  mv_student_t: second,
};

/** The scale of families that keep it on the unconstrained scale; 1 for all others. */
const spreads: { readonly [family in FamilyName]?: Of<number> } = {
  normal: second,
  log_normal: second,
  student_t: (_nu, _mu, sigma) => sigma,
  cauchy: second,
  laplace: second,
  logistic: second,
  logit_normal: second,
  gumbel: second,
  moyal: second,
  skew_normal: second,
  zero_sum_normal: first,
  gaussian_random_walk: second,
  ar: second,
};

/**
 * Centre and spread of every coordinate: the arguments of a prior are taken at the centres of the
 * parameters before it. Families of vectors without a middle of their own start at 0.
 */
export function startingRegion({ g, dimension, parameters }: AssembledProgram): StartingRegion {
  const region = {
    centre: new Float64Array(dimension),
    spread: new Float64Array(dimension).fill(1),
  };
  const distributions = parameters.map(({ prior }) => prior);
  const tasks = parameters.map((one, k) => [...distributions[k].args, ...boundsOf(one)]);
  const run = plainEvaluator({ nodes: g.nodes, inputSize: dimension, tasks });
  parameters.forEach((one, k) => {
    const result = run.run(k, region.centre, 0);
    const places = run.places(k);
    const values = tasks[k].map((id, i) =>
      result.slice(places[i], places[i] + sizeOf(g.shapeOf(id)))
    );
    const shapes = tasks[k].map((id) => g.shapeOf(id));
    place(
      region,
      one,
      distributions[k].family,
      distributions[k].shape,
      distributions[k].args.length,
      values,
      shapes,
    );
  });
  return region;
}

function boundsOf({ transform }: PlacedParameter): readonly NodeId[] {
  return transform.kind === "interval" ? [transform.lower, transform.upper] : [];
}

function place(
  { centre, spread }: StartingRegion,
  { offset, size, transform }: PlacedParameter,
  family: FamilyName,
  shape: Shape,
  argCount: number,
  values: readonly Float64Array[],
  shapes: readonly Shape[],
): void {
  // Multiples of a prior's scale, from its location: the middle is 0, the scale 1.
  if (["affine", "walk", "linear"].includes(transform.kind)) return;
  const readers = values.map((one, i) => readerOf(one, shapes[i], shape));
  const at = (k: number, i: number) => readers[k]?.(i) ?? 0;
  const of = (rule: Of<number> | undefined, i: number, otherwise: number) =>
    rule && argCount > 0
      ? rule(at(0, i), at(1, i), argCount > 2 ? at(2, i) : 0, argCount > 3 ? at(3, i) : 0)
      : otherwise;
  for (let i = 0; i < size; i++) {
    const scale = of(spreads[family], i, 1);
    if (scale > 0 && scale < 1) spread[offset + i] = scale;
    const value = of(centres[family], i, NaN);
    const lower = at(argCount, i);
    const upper = at(argCount + 1, i);
    const q = unconstrained(transform.kind, value, lower, upper);
    if (Math.abs(q) < Infinity) centre[offset + i] = q;
  }
}

/** Element i of a value under a larger shape; of one that does not broadcast, its own. */
function readerOf(values: Float64Array, from: Shape, to: Shape): (i: number) => number {
  if (values.length === 1) return () => values[0];
  if (values.length === sizeOf(to) || from.length > to.length) return (i) => values[i] ?? 0;
  const shift = to.length - from.length;
  if (from.some((extent, i) => extent !== 1 && extent !== to[shift + i])) return () => NaN;
  const index = broadcastIndex(from, to);
  return (i) => values[index[i]];
}

/** The inverse of the transforms of numbers; 0 for those of whole vectors. */
function unconstrained(kind: string, x: number, lower: number, upper: number): number {
  switch (kind) {
    case "identity":
    case "circular":
      return x;
    case "log":
      return log(x);
    case "logodds":
      return log(x / (1 - x));
    case "interval":
      if (lower === -Infinity) return upper === Infinity ? x : log(upper - x);
      return upper === Infinity ? log(x - lower) : log((x - lower) / (upper - x));
    default:
      return 0;
  }
}
