/** Random variables and deterministics: priors become parameters, one variable is the likelihood. */
import { families, type FamilyName, isDiscrete } from "../distributions/table.ts";
import type { Distribution } from "../ir/program.ts";
import { type Shape, sizeOf } from "../ir/shape.ts";
import { numeric } from "../interpreter/arrays.ts";
import {
  anyTouchesResponse,
  type Arguments,
  bind,
  evaluateArguments,
  type GivenValue,
} from "../interpreter/bind.ts";
import type { ModelState } from "./model_state.ts";
import { addLatent, isPerDatum, refuseLatent, refuseUse } from "./discrete_latents.ts";
import { distributionNodes } from "../ir/canonical.ts";
import { dimsArgument, nameAxes, shapeOfDims } from "./dimensions.ts";
import { shapeArgument } from "../numpy/array_function.ts";
import { checkLikelihood } from "./likelihood.ts";
import { checkInformed, useStatistics } from "./informed_priors.ts";
import { limits } from "../syntax/limits.ts";
import { finiteValues, type Summed } from "./shared_latents.ts";
import type { DistributionRequest } from "./distribution_request.ts";
import { structuredValue } from "./structured_value.ts";
import { transformFor } from "./transforms.ts";
import type { Call } from "../syntax/tree.ts";
import { invalid, type NumericValue, type Value } from "../interpreter/values.ts";
import {
  distributionOf,
  requestOf,
  sortArguments,
  type VariableArguments,
} from "./variable_arguments.ts";
import { declareVariable, textArgument, variableName } from "./variable_names.ts";

/** `pm.Family("name", …)`: a parameter, or the likelihood if it is observed. */
export function checkVariable(checking: ModelState, call: Call, family: FamilyName): Value {
  const observed = isObserved(call);
  if (observed) noteObserved(checking, call);
  if (!insideModel(checking, call)) return invalid;
  const args = evaluateArguments(checking, call);
  return args ? variableOf(checking, args, family, observed) : claimName(checking, call);
}

/** The variable that evaluated arguments describe, for every front end. */
export function variableOf(
  checking: ModelState,
  args: Arguments,
  family: FamilyName,
  observed: boolean,
): Value {
  if (observed) return checkLikelihood(checking, args, family);
  const sorted = sortArguments(checking, args, family, true);
  const name = variableName(checking, args, sorted?.name);
  if (!sorted || name === undefined) return invalid;
  checking.priorMode ??= sorted.options.get("observed")?.place;
  const given = new Map(sorted.given);
  const informed = useStatistics(checking, given);
  const distribution = priorDistribution(checking, args, family, { ...sorted, given });
  if (!distribution || (informed && !checkInformed(checking, args, distribution, informed))) {
    return invalid;
  }
  return addParameter(checking, args, name, distribution, sorted);
}

function isObserved(call: Call): boolean {
  return call.arguments.some(({ keyword, value }) =>
    keyword?.id === "observed" && !(value.kind === "constant" && value.value === "None")
  );
}

/** Counts the observed variable: there is one. */
export function noteObserved(checking: ModelState, call: Call): void {
  if (checking.observedSeen) {
    const message = "Cannot observe a second variable: the response is scored exactly once";
    checking.error("lh/duplicate-observation", message, call, "keep one variable with observed=");
  }
  checking.observedSeen = true;
}

/** The name is taken even if other arguments are wrong, so that it is not missed again. */
function claimName(checking: ModelState, call: Call): Value {
  const [first] = call.arguments;
  if (first?.form === "positional" && first.value.kind === "string") {
    declareVariable(checking, first.value.value, first);
  }
  return invalid;
}

/** Reports a variable that stands outside of the model. */
export function insideModel(checking: ModelState, call: Call): boolean {
  if (checking.inModel) return true;
  const callee = checking.text(call.callee);
  const message = `Cannot make a variable with ${callee}: it stands outside of the model`;
  const hint = "indent it under `with pm.Model() as model:`";
  checking.error("names/no-model", message, call, hint);
  return false;
}

/** `pm.Family.dist(…)`: a distribution without a name. */
export function checkDist(checking: ModelState, call: Call, family: FamilyName): Value {
  const args = evaluateArguments(checking, call);
  return args ? distributionValue(checking, args, family) : invalid;
}

/** The distribution that evaluated arguments describe. */
export function distributionValue(
  checking: ModelState,
  args: Arguments,
  family: FamilyName,
): Value {
  const sorted = sortArguments(checking, args, family, false);
  const distribution = sorted && priorDistribution(checking, args, family, sorted);
  return distribution ? { kind: "distribution", distribution, place: args.call } : invalid;
}

/** Shape that `shape`, `size` and `dims` ask for. */
function askedShape(
  checking: ModelState,
  args: Arguments,
  { options }: VariableArguments,
): Pick<DistributionRequest, "shape" | "size"> | undefined {
  const site = { checking, place: args.call, text: checking.text(args.call.callee) };
  const [shape, size, dims] = ["shape", "size", "dims"].map((name) => options.get(name));
  const asked: { shape?: Shape; size?: Shape } = {};
  if (shape && shape.value.kind !== "none") asked.shape = askedExtents(site, shape);
  if (size && size.value.kind !== "none") asked.size = askedExtents(site, size);
  const failed = (shape && shape.value.kind !== "none" && !asked.shape) ||
    (size && size.value.kind !== "none" && !asked.size);
  if (failed) return undefined;
  if (!dims || dims.value.kind === "none" || asked.shape) return asked;
  const names = dimsArgument(checking, dims);
  const named = names && shapeOfDims(checking, names, dims.place);
  return named && { ...asked, shape: named };
}

function askedExtents(
  site: { checking: ModelState; place: Call; text: string },
  given: GivenValue,
): Shape | undefined {
  const { value, place } = given;
  if (value.kind === "numeric" && (value.origin === "numpy" || value.origin === "series")) {
    const message = "PyMC 5.28 takes no integers of NumPy as a shape";
    site.checking.findings.warning("names/not-in-pymc", message, place, "write int(...) around it");
  }
  const shape = shapeArgument(site, given);
  const bad = shape?.find((extent) => extent < 1);
  if (bad === undefined) return shape;
  const message = `Cannot use the shape (${shape?.join(", ")}): wanted whole numbers from 1`;
  return void site.checking.error("shapes/shape", message, given.place);
}

function priorDistribution(
  checking: ModelState,
  args: Arguments,
  family: FamilyName,
  sorted: VariableArguments,
): Distribution | undefined {
  const { given, options } = sorted;
  const request = requestOf(checking, args, family, given);
  const asked = askedShape(checking, args, sorted);
  if (!request || !asked) return undefined;
  const place = (options.get("shape") ?? options.get("dims") ?? options.get("size"))?.place;
  return distributionOf(checking, args, { ...request, ...asked }, given, place);
}

function addParameter(
  checking: ModelState,
  args: Arguments,
  name: string,
  prior: Distribution,
  sorted: VariableArguments,
): Value {
  const { call } = args;
  const definition = families[prior.family];
  const callee = checking.text(call.callee);
  if (!definition.proper) {
    const message = `Cannot use ${callee}: an improper prior has no total mass`;
    return checking.error("lh/improper-prior", message, call.callee, "write a wide pm.Normal");
  }
  if (isDiscrete(prior) && isPerDatum(checking, prior)) {
    const latent = addLatent(checking, args, name, prior);
    checking.named.set(name, latent);
    return latent;
  }
  if (refuseUse(checking, distributionNodes(prior), `the prior of "${name}"`)) return invalid;
  const transform = isDiscrete(prior)
    ? summed(checking, args, name, prior)
    : transformFor(checking, args, prior, sorted.options);
  const dims = namedAxes(checking, sorted, prior.shape);
  if (!transform || dims === undefined) return invalid;
  const index = checking.parameters.length;
  checking.parameterElements += sizeOf(prior.shape);
  if (index >= limits.randomVariables || checking.parameterElements > limits.parameterElements) {
    const most = index >= limits.randomVariables
      ? `${limits.randomVariables} in one program`
      : `${limits.parameterElements} elements in one program`;
    return checking.error("limit/variables", `Cannot add a variable: more than ${most}`, call);
  }
  checking.allocate(sizeOf(prior.shape), call);
  checking.parameters.push({
    name,
    shape: prior.shape,
    ...dims.length > 0 ? { dims } : {},
    prior,
    transform,
  });
  checking.parameterPlaces.push(call.callee);
  const node = checking.graph.parameter(index, prior.shape);
  const dtype = isDiscrete(prior) ? "int" : "float";
  const value: Value = { kind: "numeric", node, dtype, origin: "tensor" };
  const made = structuredValue(checking, prior, value, sorted.given);
  checking.named.set(name, value);
  return made;
}

/** How a discrete variable that data share is summed out. */
function summed(
  checking: ModelState,
  { call }: Arguments,
  name: string,
  prior: Distribution,
): Summed | undefined {
  const found = finiteValues(checking.graph, prior);
  if (!found || families[prior.family].eventRank > 0) {
    const why = `${checking.text(call.callee)} has no finite list of values known before sampling`;
    refuseLatent(checking, name, call.callee, why);
    return undefined;
  }
  return found;
}

function namedAxes(
  checking: ModelState,
  { options }: VariableArguments,
  shape: Shape,
): readonly (string | undefined)[] | undefined {
  const dims = options.get("dims");
  if (!dims || dims.value.kind === "none") return [];
  const names = dimsArgument(checking, dims);
  if (!names || !nameAxes(checking, names, shape, dims.place, false)) return undefined;
  return names;
}

/** `pm.Deterministic("name", expression)`: reported with the draws, no part of the density. */
export function checkDeterministic(checking: ModelState, call: Call): Value {
  if (!insideModel(checking, call)) return invalid;
  const args = evaluateArguments(checking, call);
  const text = checking.text(call.callee);
  const bound = args && bind(checking, args, text, {
    names: ["name", "var", "model", "dims"],
    required: 2,
    ignored: ["auto"],
  });
  const [label, expression] = [bound?.get("name"), bound?.get("var")];
  if (!args || !bound || !label || !expression) return args ? invalid : claimName(checking, call);
  const name = textArgument(checking, label, text);
  const declared = name !== undefined && declareVariable(checking, name, label.place);
  if (anyTouchesResponse([expression])) return checking.derive(call, expression.value);
  const value = numeric(checking, expression.value, expression.place, text);
  if (!value || !declared) return invalid;
  if (checking.graph.isHost(value.node) && value.origin !== "tensor") {
    const message = `PyMC refuses pm.Deterministic("${name}", ...) of data alone`;
    checking.findings.warning("names/not-in-pymc", message, call, "wrap the column in pm.Data");
  }
  return addDeterministic(checking, name, value, bound.get("dims"));
}

/** A quantity of the model under a name that is declared. */
export function addDeterministic(
  checking: ModelState,
  name: string,
  value: NumericValue,
  given: GivenValue | undefined,
): Value {
  const shape = checking.graph.shapeOf(value.node);
  const dims = given && given.value.kind !== "none" ? dimsArgument(checking, given) : [];
  if (!dims || (given && dims.length > 0 && !nameAxes(checking, dims, shape, given.place, false))) {
    return invalid;
  }
  if (refuseUse(checking, [value.node], `"${name}"`)) return invalid;
  checking.deterministics.push({ name, node: value.node, ...dims.length > 0 ? { dims } : {} });
  const result: Value = { ...value, origin: "tensor" };
  checking.named.set(name, result);
  return result;
}
