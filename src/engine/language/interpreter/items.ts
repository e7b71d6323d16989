/** Iterables of loops: items of lists, keys of dictionaries, rows of arrays. */
import { sizeOf } from "../ir/shape.ts";
import { fold, numberOf, shapeOf } from "./arrays.ts";
import type { Checking } from "./checking.ts";
import type { Place } from "../syntax/source.ts";
import type { Expression } from "../syntax/tree.ts";
import { wordsIn } from "./words.ts";
import { describeValue, type NumericValue, touchesResponse, type Value } from "./values.ts";

/** Items of a loop; undefined, with a finding, if the value cannot be iterated here. */
export function itemsOf(
  checking: Checking,
  value: Value,
  place: Expression,
): readonly Value[] | undefined {
  switch (value.kind) {
    case "sequence":
      return value.items;
    case "dictionary":
      return [...value.entries.keys()].map((key) => keyValue(checking, key));
    case "text":
      return [...value.value].map((letter) => ({ kind: "text", value: letter }));
    case "numeric": {
      const words = value.labels && wordsIn(checking, value);
      if (words) return words.map((one): Value => ({ kind: "text", value: one }));
      if (shapeOf(checking, value).length > 0) return rowsOf(checking, value, place);
      break;
    }
    case "invalid":
      return undefined;
  }
  if (touchesResponse(value)) {
    checking.refuseResponse(value, place);
    return undefined;
  }
  const whole = numberOf(checking, value) !== undefined;
  const message = `Cannot loop over ${whole ? "a number" : describeValue(value)}`;
  checking.error("names/wrong-kind", message, place, whole ? "write range(...)" : undefined);
  return undefined;
}

/** `x[0]`, `x[1]` …; counted against the budget of steps. */
function rowsOf(checking: Checking, x: NumericValue, place: Place): Value[] {
  const [rows, ...rest] = shapeOf(checking, x);
  const size = sizeOf(rest);
  return Array.from({ length: rows }, (_, i) => {
    checking.step(place);
    const index = Int32Array.from({ length: size }, (_, k) => i * size + k);
    const origin = x.origin === "tensor" ? "tensor" : "numpy";
    return fold(checking, { ...x, node: checking.graph.gather(x.node, index, rest), origin });
  });
}

/** A key of a dictionary as a value. */
export function keyValue(checking: Checking, key: string | number): Value {
  if (typeof key === "string") return { kind: "text", value: key };
  const node = checking.graph.scalar(key);
  return {
    kind: "numeric",
    node,
    dtype: Number.isInteger(key) ? "int" : "float",
    origin: "python",
  };
}
