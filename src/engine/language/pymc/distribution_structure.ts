/** Distributions made of distributions: conditions on parts of mixtures, truncations, series, covariances. */
import { eventRankOf, families } from "../distributions/table.ts";
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import type { Distribution } from "../ir/program.ts";
import { broadcastShapes, describeShape, type Shape } from "../ir/shape.ts";
import type { DistributionProblem, DistributionRequest } from "./distribution_request.ts";

/** A truncated normal has a family of its own, as in PyMC. */
export function rerouted(request: DistributionRequest): DistributionRequest {
  const [base] = request.distributions?.get("dist") ?? [];
  if (request.family !== "truncated" || base?.family !== "normal") return request;
  const [mu, sigma] = base.args;
  const { distributions: _, sizes: __, ...rest } = request;
  const given = new Map([["mu", mu], ["sigma", sigma], ...request.given]);
  const shape = request.shape ?? (request.size ? undefined : base.shape);
  return { ...rest, family: "truncated_normal", given, ...shape ? { shape } : {} };
}

/** Components and whole numbers of a distribution. */
export function structureOf(
  g: GraphBuilder,
  request: DistributionRequest,
  args: readonly NodeId[],
): Pick<Distribution, "components" | "sizes"> | DistributionProblem {
  const { family, callee } = request;
  const [distributions, sizes] = [request.distributions ?? new Map(), request.sizes ?? new Map()];
  const missing = (families[family].requires ?? []).filter((name) =>
    !distributions.has(name) && !sizes.has(name)
  );
  if (missing.length > 0) {
    const message = `Cannot check ${callee}: missing ${missing.join(" and ")}`;
    return { code: "names/missing-argument", message };
  }
  const components: readonly Distribution[] = [...distributions.values()].flat();
  switch (family) {
    case "mixture":
      return mixtureParts(g, request, components, args[0]);
    case "truncated":
    case "censored":
    case "windowed":
      return boundedPart(request, components[0]);
    case "lkj_cholesky_cov":
      return factorParts(request, components[0]);
    case "zero_sum_normal":
      return { sizes: [sizes.get("n_zerosum_axes") ?? 1] };
    case "gaussian_random_walk":
      return { components: [components[0] ?? wideNormal(g)] };
    case "ar":
      return seriesParts(g, request, components[0], args[0]);
    default:
      return sizes.get("lower") === 0
        ? {
          code: "unsupported/argument",
          argument: "lower",
          message: `Cannot use lower=False in ${callee}: factors are lower triangular`,
        }
        : {};
  }
}

/** PyMC's default start of a series. */
function wideNormal(g: GraphBuilder): Distribution {
  return { family: "normal", args: [g.scalar(0), g.scalar(100)], shape: [] };
}

function mixtureParts(
  g: GraphBuilder,
  { callee }: DistributionRequest,
  components: readonly Distribution[],
  weights: NodeId,
): Pick<Distribution, "components"> | DistributionProblem {
  const count = g.shapeOf(weights).at(-1) ?? 1;
  const alone = components.length === 1 && count > 1;
  const fits = alone ? components[0].shape.at(-1) === count : components.length === count;
  if (fits && !components.some(({ components: inner }) => inner && alone)) return { components };
  const found = alone ? describeShape(components[0].shape) : `${components.length} distributions`;
  const message = `Cannot check ${callee}: ${found} cannot be mixed by ${count} weights`;
  const hint = "the last axis of the weights and of the components must be equally long";
  return { code: "shapes/mixture", argument: "comp_dists", message, hint };
}

function boundedPart(
  { callee, family }: DistributionRequest,
  base: Distribution,
): Pick<Distribution, "components"> | DistributionProblem {
  const { logCdf, logSurvival, discrete } = families[base.family];
  if (family === "windowed" && discrete) {
    const message = `Cannot use counts in ${callee}: windows are of measurements`;
    const hint = "of counts at most limits are pm.Censored(…, upper=…)";
    return { code: "unsupported/argument", argument: "dist", message, hint };
  }
  if (logCdf && logSurvival && eventRankOf(base) === 0) return { components: [base] };
  const name = `pm.${families[base.family].signature.names[0]}`;
  const message = `Cannot use ${name} in ${callee}: its distribution function is not in the subset`;
  return { code: "unsupported/argument", argument: "dist", message };
}

function factorParts(
  { callee, sizes }: DistributionRequest,
  sd: Distribution,
): Pick<Distribution, "components" | "sizes"> | DistributionProblem {
  const n = sizes?.get("n") ?? 0;
  if (!(n >= 1)) {
    const message = `Cannot use this n of ${callee}: wanted a whole number from 1, found ${n}`;
    return { code: "support/parameter", argument: "n", message };
  }
  if (broadcastsTo(sd.shape, [n])) return { components: [{ ...sd, shape: [n] }], sizes: [n] };
  const message = `Cannot use this sd_dist of ${callee}: wanted one deviation or ${n}, found ` +
    describeShape(sd.shape);
  return { code: "shapes/parameter", argument: "sd_dist", message };
}

function seriesParts(
  g: GraphBuilder,
  { callee, sizes }: DistributionRequest,
  start: Distribution | undefined,
  rho: NodeId,
): Pick<Distribution, "components" | "sizes"> | DistributionProblem {
  const constant = sizes?.get("constant") ?? 0;
  const terms = g.shapeOf(rho).at(-1) ?? 1;
  const order = sizes?.get("ar_order") ?? terms - constant;
  if (order >= 1 && order + constant === terms) {
    return { components: [start ?? wideNormal(g)], sizes: [order, constant] };
  }
  const message = `Cannot use this rho of ${callee}: ${terms} coefficients for order ${order}` +
    (constant ? " with a constant" : "");
  return { code: "shapes/parameter", argument: "rho", message };
}

/** Shapes of components over the batch of the whole. */
export function componentBatches(
  g: GraphBuilder,
  { family, components = [], args }: Pick<Distribution, "family" | "components" | "args">,
): Shape[] {
  const count = family === "mixture" ? g.shapeOf(args[0]).at(-1) ?? 1 : 1;
  const alone = family === "mixture" && components.length === 1 && count > 1;
  return components.map((distribution) => {
    const batch = distribution.shape.slice(
      0,
      distribution.shape.length - eventRankOf(distribution),
    );
    return alone ? batch.slice(0, -1) : batch;
  });
}

/** The distribution with components of the shape that it needs. */
export function withComponents(
  g: GraphBuilder,
  distribution: Distribution,
): Distribution | DistributionProblem {
  const { components } = distribution;
  const wanted = components && componentShape(g, distribution, components);
  if (!components || !wanted) return distribution;
  const misfit = components.find(({ shape }) => !broadcastsTo(shape, wanted));
  if (!misfit) return { ...distribution, components: components.map((one) => spread(one, wanted)) };
  const message = `Cannot use ${describeShape(misfit.shape)} inside of ${describeShape(wanted)}`;
  return { code: "shapes/broadcast", message };
}

function componentShape(
  g: GraphBuilder,
  distribution: Distribution,
  components: readonly Distribution[],
): Shape | undefined {
  switch (distribution.family) {
    case "mixture": {
      const count = g.shapeOf(distribution.args[0]).at(-1) ?? 1;
      return components.length === 1 && count > 1
        ? [...distribution.shape, count]
        : distribution.shape;
    }
    case "truncated":
    case "censored":
    case "windowed":
      return distribution.shape;
    case "gaussian_random_walk":
      return distribution.shape.slice(0, -1);
    case "ar":
      return [...distribution.shape.slice(0, -1), distribution.sizes?.[0] ?? 1];
    default:
      return undefined;
  }
}

function broadcastsTo(from: Shape, to: Shape): boolean {
  return `${broadcastShapes(from, to)}` === `${to}`;
}

/** Distribution over more batch axes, its own components too. */
function spread(distribution: Distribution, shape: Shape): Distribution {
  if (`${distribution.shape}` === `${shape}` || !distribution.components) {
    return { ...distribution, shape };
  }
  return {
    ...distribution,
    shape,
    components: distribution.components.map((one) => spread(one, shape)),
  };
}
