/** The observed variable: the response, whole and unchanged, scored exactly once. */
import { type Column, resolutionOf } from "../../../base/dataset.ts";
import { eventRankOf, families, type FamilyName, isDiscrete } from "../distributions/table.ts";
import type { Distribution } from "../ir/program.ts";
import {
  canonicalTransform,
  isInvertibleAt,
  keepsSteps,
  type ResponseTransform,
  transformed,
  untransformed,
} from "../ir/response_transform.ts";
import { broadcastShapes, describeShape, type Shape } from "../ir/shape.ts";
import type { Expression } from "../syntax/tree.ts";
import type { Arguments, GivenValue } from "../interpreter/bind.ts";
import type { ModelState } from "./model_state.ts";
import { sumOut } from "./discrete_latents.ts";
import { asRows, checkSeries, isSeries, seriesMend } from "./observed_series.ts";
import { dimsArgument, nameAxes } from "./dimensions.ts";
import { shapeArgument } from "../numpy/array_function.ts";
import { makeDistribution } from "./make_distribution.ts";
import type { DistributionRequest } from "./distribution_request.ts";
import { outsideSupport } from "./response_support.ts";
import { describeValue, invalid, type Value } from "../interpreter/values.ts";
import {
  distributionOf,
  requestOf,
  sortArguments,
  type VariableArguments,
} from "./variable_arguments.ts";
import { variableName } from "./variable_names.ts";

/** `pm.Family("name", …, observed=…)`. */
export function checkLikelihood(checking: ModelState, args: Arguments, family: FamilyName): Value {
  const before = checking.findings.errors;
  const observed = args.keywords.get("observed");
  const response = observed && checkObserved(checking, observed);
  const sorted = sortArguments(checking, args, family, true);
  const name = variableName(checking, args, sorted?.name);
  const distribution = sorted && likelihoodDistribution(checking, args, family, sorted);
  if (name === undefined || !sorted || !distribution || !response) return invalid;
  const { column, from, transform } = response;
  checkResponse(checking, args, response, distribution);
  if (response.byStatistics && hasBounds(distribution)) refuseBounds(checking, observed);
  nameRows(checking, sorted);
  if (checking.findings.errors > before) return invalid;
  checking.likelihood = {
    name,
    column: column.name,
    distribution: asRows(checking, distribution, response),
    ...(transform && { transform }),
    ...(from > 0 && { from }),
  };
  return { kind: "observed", name };
}

/** Observed quantity: the response column, and the function of it. */
interface ObservedResponse {
  /** With the values that are observed. */
  readonly column: Column;
  /** Rows before the first of them. */
  readonly from: number;
  readonly transform?: ResponseTransform;
  /** Whether statistics of the response are numbers of the transform. */
  readonly byStatistics?: boolean;
}

/** Whether a distribution has ends that its author states. */
function hasBounds({ family, components }: Distribution): boolean {
  const { parameters } = families[family];
  return ["lower", "upper"].some((one) => parameters.includes(one)) ||
    (components ?? []).some(hasBounds);
}

/** Beside a map by the largest value a bound at 0 is that value, which the likelihood may not know. */
function refuseBounds(checking: ModelState, { place }: GivenValue): void {
  const name = checking.response?.name ?? "the response";
  const message = `Cannot observe ${checking.text(place)} with bounds: ` +
    `statistics of "${name}" would tell where its values end`;
  const hint = `write the bounds in the units of data["${name}"], and observe it as it is`;
  checking.error("lh/protected-use-before-score", message, place, hint);
}

/** The response column if that is what is observed, or an invertible function of it. */
function checkObserved(
  checking: ModelState,
  { value, place }: GivenValue,
): ObservedResponse | undefined {
  if (value.kind === "response" && checking.response) {
    const { from = 0, transform, byStatistics } = value;
    checking.observedFrom = from;
    const { response } = checking;
    const column = from > 0 ? { ...response, values: response.values.subarray(from) } : response;
    const checked = checkTransform(
      checking,
      { column, from, ...(transform && { transform }) },
      place,
    );
    return checked && { ...checked, ...(byStatistics && { byStatistics }) };
  }
  if (value.kind === "invalid") return undefined;
  if (value.kind === "derived") value.reported = true;
  const found = value.kind === "numeric" ? describeNumeric(checking, value.node) : undefined;
  const wanted = checking.response?.name;
  const message = `Cannot observe ${found ?? describeValue(value)}: wanted ` +
    (wanted === undefined
      ? "a response, which the data lack"
      : `the response, whole and unchanged`);
  const hint = wanted === undefined
    ? 'give one column of the data the role "response"'
    : value.kind === "derived"
    ? `write observed=data["${wanted}"], or an invertible function of it by numbers, ` +
      `e.g. np.log(data["${wanted}"]) or (data["${wanted}"] - 2.5) / 10: statistics of the ` +
      "response are no numbers"
    : `write observed=data["${wanted}"]`;
  checking.error("lh/observed-not-canonical", message, place, hint);
  return undefined;
}

/** Every value must have a finite image that no other value has, and a slope there. */
function checkTransform(
  checking: ModelState,
  { column, from, transform: written }: ObservedResponse,
  place: Expression,
): ObservedResponse | undefined {
  const transform = written && canonicalTransform(written);
  if (!transform || transform.length === 0) return { column, from };
  const row = column.values.findIndex((y) => !isInvertibleAt(transform, y));
  const lost = row < 0 ? firstLost(transform, column.values) : -1;
  if (lost >= 0) return refuseLost(checking, column.name, column.values[lost], from + lost, place);
  if (row < 0) return { column, from, transform };
  const message = `Cannot observe ${checking.text(place)}: it is not invertible at row ${
    from + row + 1
  }, where "${column.name}" is ${column.values[row]}`;
  const hint = "observe a function that is finite and one to one on all values of the response, " +
    `or the response itself: observed=data["${column.name}"]`;
  checking.error("lh/observed-not-canonical", message, place, hint);
  return undefined;
}

/** The share of the largest value that may be lost where a transform is undone. */
const mostLost = 1e-9;

/** The first value that does not come back from its transform: other values have the same image. */
function firstLost(transform: ResponseTransform, values: Float64Array): number {
  const most = mostLost * values.reduce((a, y) => Math.max(a, Math.abs(y)), 0);
  return values.findIndex((y) =>
    !(Math.abs(untransformed(transform, transformed(transform, y)) - y) <= most)
  );
}

function refuseLost(
  checking: ModelState,
  name: string,
  value: number,
  row: number,
  place: Expression,
): undefined {
  const message = `Cannot observe ${checking.text(place)}: it loses the digits of row ${
    row + 1
  }, where "${name}" is ${value}`;
  const hint = "use numbers of the size of the response, or the response itself: " +
    `observed=data["${name}"]`;
  checking.error("lh/observed-not-canonical", message, place, hint);
  return undefined;
}

/**
 * Values of single numbers alone have a density of their own that a slope turns into another; masses of whole numbers
 * may be counted from another end.
 */
function canTransform(distribution: Distribution, transform: ResponseTransform): boolean {
  const event = eventRankOf(distribution);
  const isJoint = event > 0 && distribution.shape.length === event;
  return (!isDiscrete(distribution) || keepsSteps(transform)) && (event === 0 || isJoint);
}

function describeNumeric(checking: ModelState, node: number): string | undefined {
  const found = checking.graph.nodes[node];
  if (found.kind === "column") return `the column "${found.column}"`;
  return found.shape.length > 0 ? "an expression" : undefined;
}

/** The distribution must have exactly the response's shape: one term for each datum. */
function likelihoodDistribution(
  checking: ModelState,
  args: Arguments,
  family: FamilyName,
  { given, options }: VariableArguments,
): Distribution | undefined {
  const asked = requestOf(checking, args, family, given);
  if (!asked || !checkAsked(checking, args, options)) return undefined;
  const natural = naturalDistribution(checking, args, asked, given);
  const whole = natural && coverRows(checking, args, natural);
  return whole && sumOut(checking, whole);
}

/** The distribution by its arguments alone, then with the response's shape where they broadcast to it. */
function naturalDistribution(
  checking: ModelState,
  args: Arguments,
  request: DistributionRequest,
  given: ReadonlyMap<string, GivenValue>,
): Distribution | undefined {
  const { graph, observedShape: shape } = checking;
  const { eventRank, eventShape } = families[request.family];
  const open = eventRank > 0 && !eventShape;
  const whole = { ...request, shape };
  if (open) return distributionOf(checking, args, whole, given);
  const free = makeDistribution(graph, request);
  const fits = free.ok && broadcastsTo(free.distribution, shape);
  return distributionOf(checking, args, fits ? whole : request, given);
}

function broadcastsTo(distribution: Distribution, shape: Shape): boolean {
  const event = eventRankOf(distribution);
  const sameEvent = `${distribution.shape.slice(distribution.shape.length - event)}` ===
    `${shape.slice(shape.length - event)}`;
  return sameEvent && `${broadcastShapes(distribution.shape, shape)}` === `${shape}`;
}

function coverRows(
  checking: ModelState,
  args: Arguments,
  distribution: Distribution,
): Distribution | undefined {
  const { observedShape: responseShape } = checking;
  if (`${distribution.shape}` === `${responseShape}`) return distribution;
  const name = checking.response?.name ?? "the response";
  const callee = checking.text(args.call.callee);
  const message = `Cannot score "${name}" with ${callee}: the response has ` +
    `${describeShape(responseShape)}, the distribution ${describeShape(distribution.shape)}`;
  const hint = distribution.shape.length > responseShape.length
    ? "each datum is scored once: leave [:, None] out, or sum over the other axis"
    : "each datum is scored once: give one parameter for each row, or one for all";
  checking.error("shapes/likelihood", message, args.call, hint);
  return undefined;
}

/** `shape=` of an observed variable may only say what is so. */
function checkAsked(
  checking: ModelState,
  args: Arguments,
  options: ReadonlyMap<string, GivenValue>,
): boolean {
  const given = options.get("shape") ?? options.get("size");
  if (!given || given.value.kind === "none") return true;
  const site = { checking, place: args.call, text: checking.text(args.call.callee) };
  const shape = shapeArgument(site, given);
  if (!shape) return false;
  const { observedShape: responseShape } = checking;
  if (`${shape}` === `${responseShape}`) return true;
  const message = `Cannot give the likelihood ${describeShape(shape)}: the response has ` +
    describeShape(responseShape);
  checking.error("shapes/likelihood", message, given.place, "leave shape= out");
  return false;
}

function nameRows(checking: ModelState, { options }: VariableArguments): void {
  const dims = options.get("dims");
  if (!dims || dims.value.kind === "none") return;
  const names = dimsArgument(checking, dims);
  if (names) nameAxes(checking, names, checking.observedShape, dims.place, false);
}

/** The response's type and values must be possible under the family. */
function checkResponse(
  checking: ModelState,
  args: Arguments,
  { column, transform }: ObservedResponse,
  distribution: Distribution,
): void {
  const callee = checking.text(args.call.callee);
  const place = args.call.callee;
  if (distribution.family === "zero_sum_normal") {
    const message = `Cannot observe ${callee}: data do not sum to zero by construction`;
    checking.error("unsupported/likelihood", message, place, "write pm.Normal");
    return;
  }
  if (!families[distribution.family].proper) {
    const message = `Cannot use ${callee}: an improper distribution has no total mass`;
    checking.error("lh/improper-prior", message, place, "write a proper distribution");
    return;
  }
  if (transform && !canTransform(distribution, transform)) {
    const message = `Cannot observe a function of "${column.name}" with ${callee}: ` +
      (isDiscrete(distribution) ? "a mass has no slope" : "its values are vectors");
    checking.error(
      "lh/observed-not-canonical",
      message,
      place,
      `write observed=data["${column.name}"]`,
    );
    return;
  }
  if (column.type !== "real" && !isDiscrete(distribution) && !resolutionOf(column)) {
    refuseDensity(checking, args, column);
    return;
  }
  const event = eventRankOf(distribution);
  const isJoint = event > 0 && distribution.shape.length === event;
  if (checking.isTimed && isJoint && isSeries(distribution)) {
    checkSeries(checking, args, distribution);
  } else if (isJoint && distribution.family !== "mv_normal") {
    const message = `Cannot score "${column.name}" with ${callee}: all rows would be one datum`;
    const hint = "give the vector a name of its own and each row a likelihood given it" +
      (isSeries(distribution) ? seriesMend : "");
    checking.error("lh/joint-likelihood", message, place, hint);
    return;
  }
  if (column.values.length === 0) {
    const message = `Cannot score "${column.name}": the data have no rows`;
    checking.error("data/no-rows", message, place);
    return;
  }
  const values = transform ? column.values.map((y) => transformed(transform, y)) : column.values;
  const outside = outsideSupport(checking, { ...column, values }, distribution);
  if (outside === undefined) return;
  const message = `Cannot score "${column.name}" with ${callee}: it gives no ` +
    `${isDiscrete(distribution) ? "mass" : "density"} to row ${outside + 1}`;
  const hint = `choose a distribution whose support holds all values of "${column.name}"`;
  checking.error("support/response", message, place, hint);
}

const massFunctions: Readonly<Record<string, string>> = {
  count: "pm.Poisson or pm.NegativeBinomial",
  binary: "pm.Bernoulli",
  category: "pm.Categorical",
};

/** A density at whole numbers can be as high as one likes: only probabilities are comparable. */
function refuseDensity(checking: ModelState, { call }: Arguments, { name, type }: Column): void {
  const message =
    `Cannot score "${name}" with ${checking.text(call.callee)}: its type is ${type}, ` +
    "and a density is no probability";
  const hint = `write ${massFunctions[type]}, or give the column a resolution: what counts ` +
    "then is the probability of each recorded value";
  checking.error("lh/density-of-counts", message, call.callee, hint);
}
