/** Items of an array along its first axis, for loops and unpacking. */
import { sizeOf } from "../ir/shape.ts";
import { fold, shapeOf } from "./arrays.ts";
import type { Checking } from "./checking.ts";
import type { Place } from "../syntax/source.ts";
import type { NumericValue, Value } from "./values.ts";

/** `x[0]`, `x[1]` …; counted against the budget of steps. */
export function rowsOf(checking: Checking, x: NumericValue, place: Place): Value[] {
  const [rows, ...rest] = shapeOf(checking, x);
  const size = sizeOf(rest);
  return Array.from({ length: rows }, (_, i) => {
    checking.step(place);
    const index = Int32Array.from({ length: size }, (_, k) => i * size + k);
    const origin = x.origin === "tensor" ? "tensor" : "numpy";
    return fold(checking, { ...x, node: checking.graph.gather(x.node, index, rest), origin });
  });
}
