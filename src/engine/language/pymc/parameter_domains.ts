/** Checks parameters of distributions that are known before sampling against their domains. */
import type { Domain, FamilyDefinition } from "../distributions/family.ts";
import { families } from "../distributions/table.ts";
import type { ArrayValue } from "../ir/array_value.ts";
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import type { Distribution } from "../ir/program.ts";
import { broadcastIndex, broadcastShapes, type Shape } from "../ir/shape.ts";
import type { DistributionProblem, DistributionRequest } from "./distribution_request.ts";

const wanted: Readonly<Record<Domain, string>> = {
  real: "a finite number",
  positive: "a number above 0",
  non_negative: "a number from 0",
  unit: "a number between 0 and 1",
  open_unit: "a number between 0 and 1, without the ends",
  bound: "a number",
  count: "a whole number from 0",
  simplex: "probabilities that sum to 1",
  ordered: "numbers in ascending order",
  matrix: "finite numbers",
  distribution: "a distribution",
  size: "a whole number",
};

const inDomain: Readonly<Record<Domain, (x: number) => boolean>> = {
  real: Number.isFinite,
  positive: (x) => x > 0 && x < Infinity,
  non_negative: (x) => x >= 0 && x < Infinity,
  unit: (x) => x >= 0 && x <= 1,
  open_unit: (x) => x > 0 && x < 1,
  bound: (x) => !Number.isNaN(x),
  count: (x) => Number.isInteger(x) && x >= 0,
  simplex: (x) => x >= 0 && x <= 1,
  ordered: Number.isFinite,
  matrix: Number.isFinite,
  distribution: () => true,
  size: Number.isInteger,
};

/** The first element that is outside of a domain, with what was found there. */
function firstOutside(domain: Domain, { shape, values }: ArrayValue): [number, string] | undefined {
  const bad = values.findIndex((value) => !inDomain[domain](value));
  if (bad >= 0) return [bad, `${values[bad]}`];
  const length = shape.at(-1);
  if (length === undefined) return undefined;
  for (let row = 0; row < values.length; row += length) {
    const part = values.subarray(row, row + length);
    if (domain === "ordered" && part.some((x, i) => i > 0 && x <= part[i - 1])) {
      return [row, part.join(", ")];
    }
    const total = part.reduce((a, b) => a + b, 0);
    if (domain === "simplex" && Math.abs(total - 1) > 1e-6) return [row, `a sum of ${total}`];
  }
  return undefined;
}

/** Reports each given parameter with a value outside of its domain. */
export function checkGiven(
  g: GraphBuilder,
  { signature, most }: FamilyDefinition,
  request: DistributionRequest,
): DistributionProblem[] {
  return [...request.given].flatMap(([name, node]) => {
    const domain = signature.domains[name] ?? "real";
    const what = `${name} of ${request.callee}`;
    const problems = problemOf(g, domain, node, what, name, request.rows);
    return problems.length > 0 ? problems : tooLarge(g, most?.[name], node, what, name);
  });
}

/** A constant beyond the largest at which a double represents probabilities. */
function tooLarge(
  g: GraphBuilder,
  most: number | undefined,
  node: NodeId,
  what: string,
  argument?: string,
): DistributionProblem[] {
  const found = most !== undefined && g.valueOf(node)?.values.find((value) => value > most);
  if (typeof found !== "number") return [];
  const message = `Cannot use this ${what}: a double tells no probabilities beyond ${most}, ` +
    `found ${found}`;
  const hint = "write the distribution that it tends to";
  return [{ code: "support/parameter", argument, message, hint }];
}

/** Reports canonical parameters that a valid-looking combination has put out of their domain. */
export function checkCanonical(
  g: GraphBuilder,
  { parameters, signature, most }: FamilyDefinition,
  distribution: Distribution,
  request: DistributionRequest,
): DistributionProblem[] {
  const problems = parameters.flatMap((name, i) => {
    const domain = signature.domains[name];
    if (request.given.has(name) || !domain) return [];
    const what = `${name} of ${request.callee}, which follows from its arguments`;
    const node = distribution.args[i];
    const own = problemOf(g, domain, node, what, undefined, request.rows);
    return own.length > 0 ? own : tooLarge(g, most?.[name], node, what);
  });
  return problems.length > 0
    ? problems.slice(0, 1)
    : checkBounds(g, parameters, distribution, request);
}

function problemOf(
  g: GraphBuilder,
  domain: Domain,
  node: NodeId,
  what: string,
  argument: string | undefined,
  rows: number,
): DistributionProblem[] {
  const known = g.valueOf(node);
  const bad = known && firstOutside(domain, known);
  if (!known || !bad) return [];
  const whole = known.shape.length === 1 && (domain === "simplex" || domain === "ordered");
  const where = whole ? "" : position(known.shape, bad[0], rows);
  const message = `Cannot use this ${what}: wanted ${wanted[domain]}, found ${bad[1]}${where}`;
  return [{ code: "support/parameter", argument, message }];
}

function position(shape: Shape, flat: number, rows: number): string {
  if (shape.length === 0) return "";
  if (shape.length === 1) return shape[0] === rows ? ` in row ${flat + 1}` : ` at [${flat}]`;
  const at: number[] = [];
  let rest = flat;
  for (let i = shape.length - 1; i >= 0; i--) {
    at.unshift(rest % shape[i]);
    rest = Math.floor(rest / shape[i]);
  }
  return ` at [${at.join(", ")}]`;
}

/** `lower` must lie below `upper` everywhere. */
function checkBounds(
  g: GraphBuilder,
  names: readonly string[],
  { family, args }: Distribution,
  { callee, given }: DistributionRequest,
): DistributionProblem[] {
  if (!names.includes("lower") || !names.includes("upper")) return [];
  const lower = g.valueOf(args[names.indexOf("lower")]);
  const upper = g.valueOf(args[names.indexOf("upper")]);
  const shape = lower && upper && broadcastShapes(lower.shape, upper.shape);
  if (!lower || !upper || !shape) return [];
  const [i, j] = [lower, upper].map((side) => broadcastIndex(side.shape, shape));
  if (families[family].ofWindows) return [];
  const point = families[family].discrete === true ? 1 : 0;
  const bad = i.findIndex((at, k) => !(lower.values[at] < upper.values[j[k]] + point));
  if (bad < 0) return [];
  const [a, b] = [lower.values[i[bad]], upper.values[j[bad]]];
  const message = `Cannot use the bounds of ${callee}: lower is ${a}, upper is ${b}`;
  const argument = given.has("lower") && given.has("upper") ? undefined : "lower";
  return [{ code: "support/bounds", argument, message, hint: "lower must be less than upper" }];
}
