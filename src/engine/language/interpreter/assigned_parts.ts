/** Arrays with some elements replaced: `x[i] = v`. */
import { fold, hostArray, numeric, shapeOf, widest } from "./arrays.ts";
import type { Checking } from "./checking.ts";
import { broadcastTo } from "./conversions.ts";
import { takePart } from "./indexing.ts";
import type { Subscript } from "../syntax/tree.ts";
import { type NumericValue, touchesResponse, type Value } from "./values.ts";
import { sizeOf } from "../ir/shape.ts";

/** The array with the elements of a subscript replaced by a value, or by `before` plus that value. */
export function withPart(
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
 * `x[i] = v` for an array of NumPy that is being filled: one that `np.zeros` and its kin made,
 * under one name, of which only shapes and single numbers have been read. Any other reader could
 * hold a view of it. Returns false without effect if it is no such array.
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
  const index = checking.evaluate(target.index);
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
