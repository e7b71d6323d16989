/** New tensors with some elements replaced: `pt.set_subtensor(x[i], v)`, `x[i].set(v)`. */
import { numeric } from "../interpreter/arrays.ts";
import { withPart } from "../interpreter/assigned_parts.ts";
import { allArguments, bind, carriesResponse, evaluateArguments } from "../interpreter/bind.ts";
import type { Checking } from "../interpreter/checking.ts";
import { takePart } from "../interpreter/indexing.ts";
import type { Call, Expression, Subscript } from "../syntax/tree.ts";
import { invalid, type Value } from "../interpreter/values.ts";

/** `pt.set_subtensor(x[i], v)` and `pt.inc_subtensor`: a new array, x stays. */
export function setSubtensor(checking: Checking, call: Call, name: string): Value {
  const text = checking.text(call.callee);
  const [first] = call.arguments;
  const args = evaluateArguments(checking, call);
  const bound = args && bind(checking, args, text, { names: ["x", "y"], required: 2 });
  const given = bound?.get("y");
  if (!args || !given) return invalid;
  if (allArguments(args).some(({ value }) => carriesResponse(value))) return checking.derive(call);
  if (first.value.kind !== "subscript") {
    const message = `Cannot call ${text}: wanted a part of an array`;
    return checking.error("names/wrong-kind", message, first, "write x[index]");
  }
  return replaced(checking, first.value, given, text, name === "inc_subtensor");
}

/** `x[i].set(v)` and `x[i].inc(v)` of a tensor; undefined if that is not what is called. */
export function setPart(checking: Checking, call: Call, object: Value, name: string) {
  if (name !== "set" && name !== "inc") return undefined;
  if (object.kind !== "numeric" || object.origin !== "tensor") return undefined;
  if (call.callee.kind !== "attribute" || call.callee.object.kind !== "subscript") return undefined;
  const text = checking.text(call.callee);
  const args = evaluateArguments(checking, call);
  const given = args && bind(checking, args, text, { names: ["y"], required: 1 })?.get("y");
  if (!given) return invalid;
  if (carriesResponse(given.value)) return checking.derive(call, given.value);
  return replaced(checking, call.callee.object, given, text, name === "inc");
}

function replaced(
  checking: Checking,
  part: Subscript,
  given: { readonly value: Value; readonly place: Expression },
  text: string,
  adds: boolean,
): Value {
  const x = checking.evaluate(part.object);
  const index = checking.evaluate(part.index);
  const value = numeric(checking, given.value, given.place, text);
  if (x.kind !== "numeric" || !value) return invalid;
  const before = adds ? takePart(checking, part, x, index) : undefined;
  if (before && before.kind !== "numeric") return before;
  const made = withPart(checking, part, x, index, value, before);
  return made ? { ...made, origin: "tensor" } : invalid;
}
