/** Calls of `pm.gp`: Gaussian processes from their arguments. */
import { numberOf, numeric, wholeNumber } from "../../interpreter/arrays.ts";
import { bind, evaluateArguments, type GivenValue } from "../../interpreter/bind.ts";
import { knownNames } from "../../interpreter/findings.ts";
import { describeValue, invalid, type Value } from "../../interpreter/values.ts";
import type { Call } from "../../syntax/tree.ts";
import type { ModelState } from "../model_state.ts";
import { CovarianceFunction } from "./covariance.ts";
import { MeanFunction, zeroMean } from "./mean.ts";
import { type BasisSettings, GaussianProcess } from "./process.ts";

const inFull = "write the covariance as an array, and pm.MvNormal with cov=";
const exact = "pm.gp.Marginal is exact";

/** Names of `pm.gp` that are not read, with what to write instead. */
const replacements: Readonly<Record<string, string>> = {
  HSGPPeriodic: "write pm.gp.Latent with pm.gp.cov.Periodic",
  LatentKron: inFull,
  MarginalApprox: exact,
  MarginalKron: inFull,
  MarginalSparse: exact,
  TP: "write pm.gp.Latent, or pm.StudentT for the rows",
};

/** A Gaussian process as a value of the program. */
export function processValue(object: GaussianProcess): Value {
  return { kind: "object", described: "a Gaussian process", object };
}

/** `pm.gp.name(…)`. */
export function callProcess(checking: ModelState, call: Call, name: string): Value {
  const text = checking.text(call.callee);
  if (name === "Latent" || name === "Marginal") return plainProcess(checking, call, name, text);
  if (name === "HSGP") return basisProcess(checking, call, text);
  const hint = replacements[name] ??
    knownNames(name, "Gaussian processes", ["Latent", "Marginal", "HSGP"]);
  checking.excused = true;
  const message = `Cannot use ${text}: not in the subset`;
  return checking.error("unsupported/function", message, call.callee, hint);
}

function plainProcess(
  checking: ModelState,
  call: Call,
  kind: "Latent" | "Marginal",
  text: string,
): Value {
  const args = evaluateArguments(checking, call);
  const bound = args && bind(checking, args, text, {
    names: [],
    required: 0,
    keywordOnly: ["mean_func", "cov_func"],
  });
  const functions = bound && functionsOf(checking, bound, call, text);
  if (!functions) return invalid;
  return processValue(new GaussianProcess(kind, functions.mean, functions.covariance));
}

function functionsOf(
  checking: ModelState,
  bound: ReadonlyMap<string, GivenValue>,
  call: Call,
  text: string,
) {
  const [given, mean] = [bound.get("cov_func"), bound.get("mean_func")];
  if (!given) {
    const message = `Cannot call ${text}: missing cov_func`;
    const hint = "write cov_func=pm.gp.cov.ExpQuad(1, ls=...)";
    return void checking.error("names/missing-argument", message, call, hint);
  }
  const covariance = objectOf(checking, given, CovarianceFunction, "a covariance function");
  const center = mean && mean.value.kind !== "none"
    ? objectOf(checking, mean, MeanFunction, "a mean function")
    : zeroMean;
  return covariance && center ? { covariance, mean: center } : undefined;
}

/** An argument as an object of a class; undefined after a finding. */
function objectOf<T extends object>(
  checking: ModelState,
  { value, place }: GivenValue,
  type: new (...args: never[]) => T,
  wanted: string,
): T | undefined {
  if (value.kind === "object" && value.object instanceof type) return value.object;
  if (value.kind === "invalid") return undefined;
  const message = `Cannot use ${describeValue(value)} here: wanted ${wanted}`;
  checking.error("names/wrong-kind", message, place);
  return undefined;
}

function basisProcess(checking: ModelState, call: Call, text: string): Value {
  const args = evaluateArguments(checking, call);
  const bound = args && bind(checking, args, text, {
    names: ["m", "L", "c", "drop_first", "parametrization"],
    required: 1,
    keywordOnly: ["mean_func", "cov_func"],
    aliases: { parameterization: "parametrization" },
  });
  const functions = bound && functionsOf(checking, bound, call, text);
  if (!bound || !functions) return invalid;
  const columns = functions.covariance.parts.activeDims?.length ?? 0;
  if (!functions.covariance.parts.spectralDensity) {
    const message = `Cannot call ${text}: its covariance function has no spectral density here`;
    const hint = "write ExpQuad, Matern52 or Matern32, sums of them or numbers times them";
    return checking.error("unsupported/argument", message, bound.get("cov_func")!.place, hint);
  }
  const basis = settingsOf(checking, bound, columns, call, text);
  if (!basis) return invalid;
  return processValue(new GaussianProcess("HSGP", functions.mean, functions.covariance, basis));
}

function settingsOf(
  checking: ModelState,
  bound: ReadonlyMap<string, GivenValue>,
  columns: number,
  call: Call,
  text: string,
): BasisSettings | undefined {
  const given = (name: string) => {
    const one = bound.get(name);
    return one && one.value.kind !== "none" ? one : undefined;
  };
  const counts = numbersArgument(checking, given("m")!, "m");
  if (!counts) return undefined;
  const [bounds, factors] = [given("L"), given("c")];
  if ((bounds === undefined) === (factors === undefined)) {
    const message = `Cannot call ${text}: wanted one of L and c`;
    return void checking.error("names/missing-argument", message, call, "write c=1.5");
  }
  const boundary = bounds && numbersArgument(checking, bounds, "L");
  const factor = factors && numbersArgument(checking, factors, "c");
  if (bounds ? !boundary : !factor) return undefined;
  const wrong = counts.length !== columns || counts.some((one) => !(one >= 1)) ||
    !counts.every(Number.isInteger) || (boundary && boundary.length !== columns) ||
    (factor && factor.length !== 1 && factor.length !== columns);
  if (wrong) {
    const message = `Cannot call ${text}: wanted m and L as lists of ${columns}, one for each ` +
      "column of the covariance function";
    return void checking.error("shapes/points", message, call, "write m=[20], c=1.5");
  }
  const style = bound.get("parametrization")?.value;
  const name = style?.kind === "text" ? style.value.toLowerCase().replace(/[-_]/g, "") : undefined;
  if (style && name !== "centered" && name !== "noncentered") {
    const message = `Cannot call ${text}: parametrization is "centered" or "noncentered"`;
    return void checking.error("unsupported/argument", message, call);
  }
  const dropFirst = numberOf(checking, bound.get("drop_first")?.value) === 1;
  return {
    counts,
    ...(boundary && { boundary }),
    ...(factor && { factor }),
    dropFirst,
    centred: name === "centered",
  };
}

/** Numbers that are known before sampling. */
function numbersArgument(
  checking: ModelState,
  { value, place }: GivenValue,
  name: string,
): readonly number[] | undefined {
  const found = numeric(checking, value, place, name);
  if (!found) return undefined;
  const known = checking.graph.valueOf(found.node);
  if (known && (known.shape.length === 1 || (name === "c" && known.shape.length === 0))) {
    return [...known.values];
  }
  const message = `Cannot use ${checking.text(place)} as ${name}: wanted a list of numbers`;
  checking.error("names/wrong-kind", message, place, `write ${name}=[...]`);
  return undefined;
}

/** How many outputs are asked for; more than one are refused. */
export function isOneOutput(checking: ModelState, given: GivenValue | undefined): boolean {
  if (!given) return true;
  if (wholeNumber(checking, given.value, given.place, "n_outputs") === 1) return true;
  const message = "Cannot use n_outputs=: one process gives one vector";
  const hint = "write a prior for each output";
  checking.error("unsupported/argument", message, given.place, hint);
  return false;
}
