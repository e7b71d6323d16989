/** Families of codes 0 … K − 1: categorical, ordered logistic and ordered probit. */
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import type { Distribution } from "../ir/program.ts";
import { sameShape, type Shape, sizeOf } from "../ir/shape.ts";
import { drawCode, normalCdf, sigmoid } from "../../../numerics/math/mod.ts";
import {
  commonShape,
  flatCodes,
  joinLast,
  lastExtent,
  padRight,
  sliceLast,
  softmaxLast,
  sumLast,
} from "./arrays.ts";
import type { FamilyDefinition } from "./family.ts";
import { direct, standardised } from "./forms.ts";
import { domainConditions, guard } from "./guard.ts";
import { logNormalInterval } from "./interval.ts";
import { knownAscending } from "./range.ts";
import { allLast, rescaledConstant, simplexConditions } from "./simplexes.ts";
import { logOf } from "./stable_log.ts";

/** Batch of a value and of arguments with a last axis of their own. */
function batchOf(g: GraphBuilder, value: NodeId, table: NodeId, others: readonly NodeId[]): Shape {
  const rows = g.shapeOf(table).length === 1
    ? value
    : g.reshape(sliceLast(g, table, 0, 1), g.shapeOf(table).slice(0, -1));
  return commonShape(g, [value, rows, ...others]);
}

/** `table[..., code]` for codes known from data alone, clipped into the table. */
function look(g: GraphBuilder, table: NodeId, code: NodeId, batch: Shape): NodeId {
  const extent = lastExtent(g, table);
  const within = g.map("maximum", g.map("minimum", code, g.scalar(extent - 1)), g.scalar(0));
  if (!g.isHost(code)) return lookByMask(g, table, within, batch);
  if (g.shapeOf(table).length === 1) return g.take(table, g.broadcast(within, batch));
  const rows = [...batch, extent];
  const full = sameShape(g.shapeOf(table), rows) ? table : g.broadcast(table, rows);
  return g.take(full, flatCodes(g, within, batch, extent));
}

/** Looks unknown codes up: a sum over all of them. */
function lookByMask(g: GraphBuilder, table: NodeId, code: NodeId, batch: Shape): NodeId {
  const extent = lastExtent(g, table);
  const codes = g.array(Float64Array.from({ length: extent }, (_, k) => k), [extent]);
  const chosen = g.map("eq", padRight(g, g.broadcast(code, batch)), codes);
  return sumLast(g, g.where(chosen, table, g.scalar(0)));
}

function codeConditions(g: GraphBuilder, code: NodeId, size: number): NodeId[] {
  return [g.map("ge", code, g.scalar(0)), g.map("le", code, g.scalar(size - 1))];
}

/** Draws a code for each row by the probabilities that `fill` writes. */
function drawCodes(
  size: number,
  fill: (row: number, p: Float64Array) => void,
): FamilyDefinition["draw"] {
  const p = new Float64Array(size);
  return (random, _args, _distribution, out) => {
    for (let row = 0; row < out.length; row++) {
      fill(row, p);
      out[row] = drawCode(random, p, 0, size);
    }
  };
}

/** Definitions that the families of codes share. */
const codes: Pick<
  FamilyDefinition,
  "eventRank" | "discrete" | "proper" | "support" | "transform"
> = {
  eventRank: 0,
  discrete: true,
  proper: true,
  support: "code",
  transform: () => ({ kind: "identity" }),
};

/** p_k for code k. */
export const categorical: FamilyDefinition = {
  ...codes,
  signature: {
    names: ["Categorical"],
    positional: ["p", "logit_p"],
    defaults: {},
    domains: { p: "simplex", logit_p: "real" },
    forms: [{ names: ["p"], canonical: (g, { p }) => [rescaledConstant(g, p)] }, {
      names: ["logit_p"],
      canonical: (g, given) => [softmaxLast(g, given.logit_p)],
    }],
  },
  parameters: ["p"],
  parameterRanks: [1],
  logDensity: (g, code, { args: [p] }) => {
    const batch = batchOf(g, code, p, []);
    const density = look(g, logOf(g, p), code, batch);
    const conditions = [...simplexConditions(g, p), ...codeConditions(g, code, lastExtent(g, p))];
    return g.broadcast(guard(g, conditions, density), batch);
  },
  draw: (random, [p], distribution, out, component) => {
    const size = p.shape.at(-1)!;
    const fill = (row: number, into: Float64Array) =>
      into.set(p.values.subarray(row * size, (row + 1) * size));
    drawCodes(size, fill)(random, [p], distribution, out, component);
  },
};

/** That cutpoints do not descend along the last axis. */
function cutpointConditions(g: GraphBuilder, cutpoints: NodeId): NodeId[] {
  const gaps = lastExtent(g, cutpoints) - 1;
  if (gaps === 0 || knownAscending(g, cutpoints)) return [];
  const [low, high] = [sliceLast(g, cutpoints, 0, gaps), sliceLast(g, cutpoints, 1, gaps)];
  return [allLast(g, g.map("le", low, high))];
}

/** Numbers of one value with the batch of `like`, as a last axis of extent 1. */
function edge(g: GraphBuilder, like: NodeId, value: number): NodeId {
  const shape = [...g.shapeOf(like).slice(0, -1), 1];
  return g.array(new Float64Array(sizeOf(shape)).fill(value), shape);
}

/** log(1 − e^(c_(k−1) − c_k)) for every code k, 0 at both ends. */
function logGaps(g: GraphBuilder, cutpoints: NodeId): NodeId {
  const gaps = lastExtent(g, cutpoints) - 1;
  const none = edge(g, cutpoints, 0);
  if (gaps === 0) return joinLast(g, none, none);
  const [low, high] = [sliceLast(g, cutpoints, 0, gaps), sliceLast(g, cutpoints, 1, gaps)];
  const inner = g.map("log1mexp", g.sub(low, high));
  return joinLast(g, joinLast(g, none, inner), none);
}

/**
 * P(code) = σ(c_k − η) − σ(c_(k−1) − η), as σ(a) σ(−b) (1 − e^(b − a)), which does not cancel.
 */
export const orderedLogistic: FamilyDefinition = {
  ...codes,
  signature: {
    names: ["OrderedLogistic"],
    positional: ["eta", "cutpoints"],
    defaults: {},
    domains: { eta: "real", cutpoints: "ordered" },
    forms: [direct("eta", "cutpoints")],
  },
  quiet: "compute_p=False",
  parameters: ["eta", "cutpoints"],
  parameterRanks: [0, 1],
  logDensity: (g, code, { args: [eta, cutpoints] }) => {
    const batch = batchOf(g, code, cutpoints, [eta]);
    const above = joinLast(g, cutpoints, edge(g, cutpoints, Infinity));
    const below = joinLast(g, edge(g, cutpoints, -Infinity), cutpoints);
    const upper = g.map("softplus", g.sub(eta, look(g, above, code, batch)));
    const lower = g.map("softplus", g.sub(look(g, below, code, batch), eta));
    const density = g.sub(look(g, logGaps(g, cutpoints), code, batch), g.add(upper, lower));
    const conditions = [
      ...cutpointConditions(g, cutpoints),
      ...codeConditions(g, code, lastExtent(g, cutpoints) + 1),
    ];
    return g.broadcast(guard(g, conditions, density), batch);
  },
  draw: (random, [eta, cutpoints], distribution, out, component) => {
    const fill = cumulativeFill(eta.values, cutpoints.values, undefined, sigmoid, out.length);
    drawCodes(cutpoints.shape.at(-1)! + 1, fill)(random, [], distribution, out, component);
  },
};

/** P(code) = Φ((c_k − η)/σ) − Φ((c_(k−1) − η)/σ), from the side on which nothing cancels. */
export const orderedProbit: FamilyDefinition = {
  ...codes,
  signature: {
    names: ["OrderedProbit"],
    positional: ["eta", "cutpoints", "sigma"],
    defaults: { sigma: 1 },
    domains: { eta: "real", cutpoints: "ordered", sigma: "positive" },
    forms: [direct("eta", "cutpoints", "sigma")],
  },
  quiet: "compute_p=False",
  parameters: ["eta", "cutpoints", "sigma"],
  parameterRanks: [0, 1, 0],
  logDensity: (g, code, distribution) => {
    const [eta, cutpoints, sigma] = distribution.args;
    const batch = batchOf(g, code, cutpoints, [eta, sigma]);
    const conditions = [
      ...domainConditions(g, sigma, "positive"),
      ...cutpointConditions(g, cutpoints),
      ...codeConditions(g, code, lastExtent(g, cutpoints) + 1),
    ];
    return g.broadcast(guard(g, conditions, probitDensity(g, code, distribution, batch)), batch);
  },
  draw: (random, [eta, cutpoints, sigma], distribution, out, component) => {
    const fill = cumulativeFill(
      eta.values,
      cutpoints.values,
      sigma.values,
      normalCdf,
      out.length,
    );
    drawCodes(cutpoints.shape.at(-1)! + 1, fill)(random, [], distribution, out, component);
  },
};

/** log(Φ((c_k − η)/σ) − Φ((c_(k−1) − η)/σ)), one-sided for the first and last code. */
function probitDensity(
  g: GraphBuilder,
  code: NodeId,
  { args }: Distribution,
  batch: Shape,
): NodeId {
  const [eta, cutpoints, sigma] = args;
  const last = lastExtent(g, cutpoints);
  const above = look(g, cutpoints, code, batch);
  const below = look(g, cutpoints, g.sub(code, g.scalar(1)), batch);
  const isFirst = g.map("le", code, g.scalar(0));
  const isLast = g.map("ge", code, g.scalar(last));
  const first = g.map("log_normal_cdf", standardised(g, above, eta, sigma));
  const final = g.map("log_normal_cdf", standardised(g, eta, below, sigma));
  if (last === 1) return g.where(isFirst, first, final);
  // At the ends the interval would be empty: an interval between other cutpoints stands in.
  const low = g.where(isFirst, g.sub(above, g.scalar(1)), below);
  const high = g.where(isLast, g.add(below, g.scalar(1)), above);
  const between = logNormalInterval(
    g,
    standardised(g, low, eta, sigma),
    standardised(g, high, eta, sigma),
  );
  return g.where(isFirst, first, g.where(isLast, final, between));
}

/** Probabilities of codes as differences of a cumulative function. */
function cumulativeFill(
  eta: Float64Array,
  cutpoints: Float64Array,
  sigma: Float64Array | undefined,
  cdf: (x: number) => number,
  rows: number,
): (row: number, p: Float64Array) => void {
  const cuts = cutpoints.length / rows;
  return (row, p) => {
    let below = 0;
    for (let k = 0; k < cuts; k++) {
      const z = (cutpoints[row * cuts + k] - eta[row]) / (sigma?.[row] ?? 1);
      const up = cdf(z);
      p[k] = up - below;
      below = up;
    }
    p[cuts] = 1 - below;
  };
}
