/** Arrays with some elements replaced: `pt.set_subtensor(x[i], v)`, `x[i].set(v)`, `x[i] = v`. */
import { fold, hostArray, numeric, shapeOf, widest } from "./arrays.ts";
import { allArguments, bind, carriesResponse, evaluateArguments } from "./bind.ts";
import type { Checking } from "./checking.ts";
import { evaluate } from "./evaluate.ts";
import { takePart } from "./indexing.ts";
import { broadcastTo } from "./rearranging.ts";
import type { Call, Expression, Subscript } from "../syntax/tree.ts";
import { invalid, type NumericValue, touchesResponse, type Value } from "./values.ts";
import { sizeOf } from "../ir/shape.ts";

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
  const x = evaluate(checking, part.object);
  const index = evaluate(checking, part.index);
  const value = numeric(checking, given.value, given.place, text);
  if (x.kind !== "numeric" || !value) return invalid;
  const before = adds ? takePart(checking, part, x, index) : undefined;
  if (before && before.kind !== "numeric") return before;
  const made = withPart(checking, part, x, index, value, before);
  return made ? { ...made, origin: "tensor" } : invalid;
}

/** The array with the elements of a subscript replaced by a value, or by `before` plus that value. */
function withPart(
  checking: Checking,
  part: Subscript,
  x: NumericValue,
  index: Value,
  value: NumericValue,
  before?: NumericValue,
): NumericValue | undefined {
  const { graph } = checking;
  const shape = shapeOf(checking, x);
  const size = sizeOf(shape);
  const all = Float64Array.from({ length: size }, (_, i) => i);
  const places = takePart(checking, part, hostArray(checking, all, shape, "int", part), index);
  const positions = places.kind === "numeric" ? graph.valueOf(places.node) : undefined;
  if (!positions) return undefined;
  if (before && new Set(positions.values).size < positions.values.length) {
    const message = `Cannot add to ${checking.text(part)}: an element is named twice`;
    return void checking.error("names/wrong-kind", message, part, "add one after another");
  }
  const site = { checking, place: part, text: checking.text(part) };
  const fitted = broadcastTo(site, value, positions.shape);
  if (!fitted) return undefined;
  const node = before ? graph.add(before.node, fitted.node) : fitted.node;
  const source = Int32Array.from(all);
  positions.values.forEach((at, i) => source[at] = size + i);
  checking.allocate(2 * size, part);
  const made = graph.gather(graph.join([x.node, node]), source, shape);
  return fold(checking, { ...x, node: made, dtype: widest(x, value) });
}

/**
 * `x[i] = v` for an array of NumPy that is being filled: one that `np.zeros` and its kin made, under
 * one name, of which nothing but shapes and single numbers has been read. Whoever reads more could
 * hold a view of it. False if it is none, so that nothing has happened.
 */
export function fillPart(checking: Checking, target: Subscript, value: Value): boolean {
  if (target.object.kind !== "name") return false;
  const { id } = target.object;
  const x = checking.scope.get(id);
  if (x?.kind !== "numeric" || !x.filling?.open || !checking.scope.has(id)) return false;
  if (touchesResponse(value)) {
    checking.refuseResponse(value, target);
    return true;
  }
  const index = evaluate(checking, target.index);
  const number = numeric(checking, value, target, checking.text(target));
  if (index.kind === "invalid" || !number) return true;
  if (number.origin === "tensor") {
    const message = `Cannot assign a random variable to ${checking.text(target)}: ` +
      "arrays of NumPy hold numbers";
    const hint = "collect them in a list, and write pm.math.stack(...)";
    checking.error("names/numpy-on-random-variable", message, target, hint);
    return true;
  }
  if (x.dtype === "int" && number.dtype === "float") {
    const message = `Cannot assign to ${checking.text(target)}: NumPy would cut the decimals off`;
    checking.error("names/wrong-kind", message, target, "leave dtype=int out");
    return true;
  }
  const made = withPart(checking, target, x, index, number);
  if (made) checking.scope.set(id, { ...made, dtype: x.dtype, filling: x.filling });
  return true;
}
