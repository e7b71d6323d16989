/** Checks calls of NumPy that look at data: statistics become constants, arrays stay columns. */
import { numeric } from "./check_expression.ts";
import { onlyArgument, refuseHostFunction, unknownFunction } from "./check_call.ts";
import { type Checking, touchesResponse } from "./checking.ts";
import { statistics } from "./host_values.ts";
import type { Attribute, Call } from "./tree.ts";
import { invalid, type NumericValue, type Value } from "./values.ts";

/** `np.mean(column)` and the like; functions of one number are checked elsewhere. */
export function callNumpy(checking: Checking, call: Call, callee: Attribute): Value {
  const name = callee.name.id;
  const text = checking.source.slice(callee);
  if (name === "array" || name === "asarray") return callArray(checking, call, text);
  if (Object.hasOwn(statistics, name)) {
    const value = onlyArgument(checking, call, text);
    return value ? statistic(checking, call, name, value) : invalid;
  }
  return unknownFunction(checking, call, callee, "np");
}

/** `np.array(column)` is the column. */
function callArray(checking: Checking, call: Call, text: string): Value {
  const value = onlyArgument(checking, call, text);
  if (!value || value.kind === "response" || value.kind === "derived") return value ?? invalid;
  const number = numeric(checking, value, call.arguments[0], text);
  if (!number) return invalid;
  return number.host ? number : refuseHostFunction(checking, call, text);
}

/** A statistic of data becomes a constant. */
export function statistic(checking: Checking, call: Call, name: string, value: Value): Value {
  if (touchesResponse(value)) return checking.derive(call, value);
  const text = checking.source.slice(call.callee);
  const number = numeric(checking, value, call, text);
  if (!number) return invalid;
  if (!number.host) return refuseHostFunction(checking, call, text);
  return constantStatistic(checking, call, name, number);
}

function constantStatistic(
  checking: Checking,
  call: Call,
  name: string,
  { node }: NumericValue,
): Value {
  const values = checking.host.of(node);
  const result = values ? statistics[name](values) : NaN;
  if (!Number.isFinite(result)) {
    const message = `Cannot compute ${checking.source.slice(call)}: it is not a finite number`;
    return checking.error("support/number", message, call);
  }
  return { kind: "numeric", node: checking.graph.constant(result), host: true };
}
