/** Gaussian processes of PyMC, read natively: members of `pm.gp`, and their methods. */
import { describeValue, type ObjectValue, type Value } from "../../interpreter/values.ts";
import type { Attribute, Call } from "../../syntax/tree.ts";
import type { ModelState } from "../model_state.ts";
import { CovarianceFunction } from "./covariance.ts";
import { callCovariance } from "./make_covariance.ts";
import { callProcess } from "./make_process.ts";
import { callMean } from "./mean.ts";
import { callCovarianceFunction, callProcessMethod, processAttribute } from "./methods.ts";
import { GaussianProcess } from "./process.ts";

export { objectOperator } from "./operators.ts";

/** `pm.gp.name(…)`, `pm.gp.cov.name(…)`, `pm.gp.mean.name(…)`; undefined for other modules. */
export function callGaussianProcesses(
  checking: ModelState,
  call: Call,
  module: string,
  name: string,
): Value | undefined {
  if (module === "pm.gp") return callProcess(checking, call, name);
  if (module === "pm.gp.cov") return callCovariance(checking, call, name);
  return module === "pm.gp.mean" ? callMean(checking, call, name) : undefined;
}

/** `object(…)`. */
export function callObject(checking: ModelState, call: Call, { object }: ObjectValue): Value {
  if (object instanceof CovarianceFunction) return callCovarianceFunction(checking, call, object);
  const message = `Cannot call ${checking.text(call.callee)}: it is no covariance function`;
  return checking.error("names/wrong-kind", message, call.callee);
}

/** `object.method(…)`. */
export function callObjectMethod(
  checking: ModelState,
  call: Call,
  value: ObjectValue,
  name: string,
): Value {
  if (value.object instanceof GaussianProcess) {
    return callProcessMethod(checking, call, value.object, name);
  }
  const message = `Cannot call ${checking.text(call.callee)}: ${describeValue(value)} has no ` +
    "such method in the subset";
  return checking.error("unsupported/function", message, call.callee);
}

/** `object.attribute`. */
export function objectMember(checking: ModelState, e: Attribute, value: ObjectValue): Value {
  const { object } = value;
  const found = object instanceof GaussianProcess && processAttribute(checking, e, object);
  return found || { kind: "method", object: value, name: e.name.id };
}
