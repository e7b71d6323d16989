/** Calls of `pm.gp.cov`: covariance functions from their arguments. */
import type { NodeId } from "../../ir/node.ts";
import { describeShape } from "../../ir/shape.ts";
import { numeric, wholeNumber } from "../../interpreter/arrays.ts";
import { bind, evaluateArguments, type GivenValue } from "../../interpreter/bind.ts";
import { knownNames } from "../../interpreter/findings.ts";
import { invalid, type Value } from "../../interpreter/values.ts";
import type { Call } from "../../syntax/tree.ts";
import type { ModelState } from "../model_state.ts";
import {
  constantParts,
  CovarianceFunction,
  type CovarianceParts,
  whiteNoise,
} from "./covariance.ts";
import { kernels, type KernelSignature } from "./kernels.ts";

const inFull = "write the covariance as an array, and pm.MvNormal with cov=";

/** Names of `pm.gp.cov` that are not read, with what to write instead. */
const replacements: Readonly<Record<string, string>> = {
  Circular: "write pm.gp.cov.Periodic",
  Coregion: inFull,
  Gibbs: inFull,
  Kron: "write the product of two covariance functions with active_dims=",
  ScaledCov: inFull,
  WarpedInput: "give the process the warped points as X",
  WrappedPeriodic: "write pm.gp.cov.Periodic",
};

/** A covariance function as a value of the program. */
export function covarianceValue(object: CovarianceFunction): Value {
  return { kind: "object", described: "a covariance function", object };
}

/** `pm.gp.cov.name(…)`. */
export function callCovariance(checking: ModelState, call: Call, name: string): Value {
  const text = checking.text(call.callee);
  if (Object.hasOwn(kernels, name)) return ofColumns(checking, call, kernels[name], text);
  if (name === "Constant" || name === "WhiteNoise") return ofNumber(checking, call, name, text);
  const known = [...Object.keys(kernels), "Constant", "WhiteNoise"];
  const hint = replacements[name] ?? knownNames(name, "covariance functions", known);
  const message = `Cannot use ${text}: not in the subset`;
  return checking.error("unsupported/function", message, call.callee, hint);
}

function ofNumber(checking: ModelState, call: Call, name: string, text: string): Value {
  const args = evaluateArguments(checking, call);
  const only = name === "Constant" ? "c" : "sigma";
  const given = args && bind(checking, args, text, { names: [only], required: 1 })?.get(only);
  const node = given && numberArgument(checking, given, text, 1);
  if (node === undefined) return invalid;
  const parts: CovarianceParts = name === "Constant" ? constantParts(node) : whiteNoise(node);
  return covarianceValue(new CovarianceFunction(parts));
}

function ofColumns(
  checking: ModelState,
  call: Call,
  { names, required, make }: KernelSignature,
  text: string,
): Value {
  const args = evaluateArguments(checking, call);
  const bound = args && bind(checking, args, text, {
    names: ["input_dim", ...names, "active_dims"],
    required: 1 + required,
  });
  const first = bound?.get("input_dim");
  if (!bound || !first) return invalid;
  const inputDim = wholeNumber(checking, first.value, first.place, "input_dim");
  if (inputDim === undefined) return invalid;
  const activeDims = activeOf(checking, bound.get("active_dims"), inputDim, text);
  if (!activeDims) return invalid;
  const numbers = new Map<string, NodeId>();
  for (const name of names) {
    const given = bound.get(name);
    if (!given || given.value.kind === "none") continue;
    const node = numberArgument(checking, given, text, activeDims.length);
    if (node === undefined) return invalid;
    numbers.set(name, node);
  }
  if (names.includes("ls") && !setScale(checking, numbers, call, text)) return invalid;
  return covarianceValue(
    new CovarianceFunction({ inputDim, activeDims, ...make({ dims: activeDims, numbers }) }),
  );
}

/** One of `ls` and `ls_inv`, as `ls`. */
function setScale(
  checking: ModelState,
  numbers: Map<string, NodeId>,
  call: Call,
  text: string,
): boolean {
  const [ls, inverse] = [numbers.get("ls"), numbers.get("ls_inv")];
  if ((ls === undefined) === (inverse === undefined)) {
    const message = `Cannot call ${text}: wanted one of ls and ls_inv`;
    checking.error("names/missing-argument", message, call, "write ls=");
    return false;
  }
  if (inverse !== undefined) {
    numbers.set("ls", checking.graph.div(checking.graph.scalar(1), inverse));
  }
  return true;
}

function activeOf(
  checking: ModelState,
  given: GivenValue | undefined,
  inputDim: number,
  text: string,
): readonly number[] | undefined {
  if (!given || given.value.kind === "none") return Array.from({ length: inputDim }, (_, k) => k);
  const found = numeric(checking, given.value, given.place, text);
  const values = found && checking.graph.valueOf(found.node)?.values;
  if (!found) return undefined;
  const dims = values && [...values];
  if (dims?.length && dims.every((k) => Number.isInteger(k) && k >= 0 && k < inputDim)) return dims;
  const message = `Cannot use active_dims of ${text}: wanted a list of columns from 0 to ` +
    `${inputDim - 1}`;
  checking.error("shapes/points", message, given.place);
  return undefined;
}

/** A number, or one for each of `most` columns. */
export function numberArgument(
  checking: ModelState,
  { value, place }: GivenValue,
  text: string,
  most: number,
): NodeId | undefined {
  const found = numeric(checking, value, place, text);
  if (!found) return undefined;
  const shape = checking.graph.shapeOf(found.node);
  if (shape.length === 0) return found.node;
  if (shape.every((extent) => extent === 1)) return checking.graph.reshape(found.node, []);
  if (shape.length === 1 && shape[0] === most) return found.node;
  const wanted = most > 1 ? `a number, or ${most} of them` : "a number";
  const message = `Cannot use ${describeShape(shape)} in ${text}: wanted ${wanted}`;
  checking.error("shapes/points", message, place);
  return undefined;
}
