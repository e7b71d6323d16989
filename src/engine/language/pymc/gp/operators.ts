/** Sums, products and powers of covariance functions, mean functions and Gaussian processes. */
import { numeric } from "../../interpreter/arrays.ts";
import { invalid, type Value } from "../../interpreter/values.ts";
import type { Place } from "../../syntax/source.ts";
import type { ModelState } from "../model_state.ts";
import { combined, CovarianceFunction, numberParts, powerOf } from "./covariance.ts";
import { covarianceValue } from "./make_covariance.ts";
import { MeanFunction, meanValue } from "./mean.ts";
import { GaussianProcess } from "./process.ts";
import { processValue } from "./make_process.ts";

/** `left op right`, of which one at least is an object of `pm.gp`. */
export function objectOperator(
  checking: ModelState,
  op: string,
  left: Value,
  right: Value,
  place: Place,
): Value {
  const [a, b] = [left, right].map((value) => value.kind === "object" ? value.object : undefined);
  if (a instanceof MeanFunction && b instanceof MeanFunction && (op === "+" || op === "*")) {
    return meanValue(a.joined(op === "+" ? "add" : "mul", b));
  }
  if (a instanceof GaussianProcess && b instanceof GaussianProcess && op === "+") {
    return summed(checking, a, b, place);
  }
  if (a instanceof CovarianceFunction || b instanceof CovarianceFunction) {
    return ofCovariances(checking, op, left, right, place);
  }
  return refuse(checking, place);
}

function refuse(checking: ModelState, place: Place, hint?: string): Value {
  const message =
    `Cannot compute ${checking.text(place)}: Gaussian processes and their functions ` +
    "know no such operator";
  return checking.error("unsupported/expression", message, place, hint);
}

function summed(
  checking: ModelState,
  a: GaussianProcess,
  b: GaussianProcess,
  place: Place,
): Value {
  if (a.kind !== b.kind || a.basis) {
    const message = `Cannot add pm.gp.${a.kind} and pm.gp.${b.kind}`;
    const hint = "write the sum of what their priors give";
    return checking.error("unsupported/expression", message, place, hint);
  }
  const covariance = combined("add", a.covariance.parts, b.covariance.parts);
  return processValue(new GaussianProcess(a.kind, a.mean.joined("add", b.mean), covariance));
}

function ofCovariances(
  checking: ModelState,
  op: string,
  left: Value,
  right: Value,
  place: Place,
): Value {
  if (op !== "+" && op !== "*" && op !== "**") return refuse(checking, place);
  const a = covarianceOrNumber(checking, left, place);
  const b = a && covarianceOrNumber(checking, right, place);
  if (!a || !b) return invalid;
  if (op === "**") {
    const power = b.number;
    if (a.number !== undefined || power === undefined) return refuse(checking, place);
    return covarianceValue(powerOf(a.covariance, power));
  }
  const dims = [a, b].flatMap(({ covariance }) => covariance.parts.inputDim ?? []);
  if (dims.length === 0 || dims.some((one) => one !== dims[0])) {
    const message = `Cannot compute ${checking.text(place)}: covariance functions of ` +
      `${dims.join(" and ") || "no"} columns`;
    const hint = "give all of them the same input_dim, and active_dims= for the columns in use";
    return checking.error("shapes/points", message, place, hint);
  }
  return covarianceValue(
    combined(op === "+" ? "add" : "mul", a.covariance.parts, b.covariance.parts),
  );
}

/** A covariance function, or a number in its place. */
function covarianceOrNumber(checking: ModelState, value: Value, place: Place) {
  if (value.kind === "object") {
    if (value.object instanceof CovarianceFunction) return { covariance: value.object };
    return void refuse(checking, place);
  }
  const found = numeric(checking, value, place, "a covariance function");
  if (!found) return undefined;
  const { graph } = checking;
  const shape = graph.shapeOf(found.node);
  if (shape.every((extent) => extent === 1)) {
    const number = graph.reshape(found.node, []);
    return { covariance: new CovarianceFunction(numberParts(number)), number };
  }
  return void refuse(checking, place, "scale a covariance function by a single number");
}
