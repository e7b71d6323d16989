/** Functions that join arrays: stack, concatenate and their kin. */
import { describeShape, type Shape, sizeOf } from "../ir/shape.ts";
import {
  type ArrayFunction,
  asRank,
  type Bound,
  refuseAxis,
  wholeArgument,
} from "./array_function.ts";
import {
  type CallSite,
  fold,
  isHost,
  numeric,
  shapeOf,
  stackItems,
  widestOf,
} from "../interpreter/arrays.ts";
import { carriesResponse } from "../interpreter/bind.ts";
import type { Checking } from "../interpreter/checking.ts";
import { permute } from "../interpreter/linear_algebra.ts";
import { refuseRandom } from "./refuse_random.ts";
import type { Subscript } from "../syntax/tree.ts";
import { invalid, type NumericValue, type Value } from "../interpreter/values.ts";

/** Items of an argument that must be a list, a tuple, or an array taken apart. */
function itemsArgument(site: CallSite, bound: Bound, name: string): NumericValue[] | undefined {
  const given = bound.get(name);
  if (!given) return undefined;
  const { checking } = site;
  if (given.value.kind !== "sequence") {
    const message = `Cannot call ${site.text}: wanted a list of arrays`;
    const hint = `write ${site.text}([a, b])`;
    checking.error("names/wrong-kind", message, given.place, hint);
    return undefined;
  }
  checking.collect(given.value.items.length, given.place);
  const items: NumericValue[] = [];
  for (const item of given.value.items) {
    const number = numeric(checking, item, given.place, site.text);
    if (!number) return undefined;
    items.push(number);
  }
  if (items.length > 0) return items;
  return void checking.error(
    "shapes/empty",
    `Cannot call ${site.text} on an empty list`,
    given.place,
  );
}

/** Arrays of one shape along a new axis. */
export function stackArrays(
  site: CallSite,
  items: readonly NumericValue[],
  axis: number,
): NumericValue | undefined {
  const stacked = stackItems(site.checking, items, site.place, site.text);
  if (!stacked) return undefined;
  const rank = shapeOf(site.checking, stacked).length;
  const at = axis < 0 ? axis + rank : axis;
  if (at === 0) return stacked;
  if (at < 0 || at >= rank) return refuseAxis(site, axis, shapeOf(site.checking, items[0]));
  const order = Array.from({ length: rank }, (_, i) => (i < at ? i + 1 : i === at ? 0 : i));
  return permute(site.checking, stacked, order, site.place);
}

/** Arrays one after another along an axis; all other axes must agree. */
function concatenateArrays(
  site: CallSite,
  items: readonly NumericValue[],
  axis: number,
): NumericValue | undefined {
  const { checking } = site;
  const shapes = items.map((item) => shapeOf(checking, item));
  const [first] = shapes;
  const at = axis < 0 ? axis + first.length : axis;
  if (at < 0 || at >= first.length) return refuseAxis(site, axis, first);
  const other = shapes.find((shape) =>
    shape.length !== first.length || shape.some((extent, i) => i !== at && extent !== first[i])
  );
  if (other) {
    const message =
      `Cannot call ${site.text}: ${describeShape(first)} and ${describeShape(other)} ` +
      `do not fit along axis ${at}`;
    return void checking.error("shapes/concatenate", message, site.place);
  }
  const moved = items.map((item, i) => toFront(site, item, at, shapes[i]));
  const total = shapes.reduce((sum, shape) => sum + shape[at], 0);
  const rest = first.filter((_, i) => i !== at);
  checking.allocate(total * sizeOf(rest), site.place);
  const node = checking.graph.join(moved.map((item) => item.node), [total, ...rest]);
  const joined: NumericValue = {
    kind: "numeric",
    node,
    dtype: widestOf(items),
    origin: tensorOrNumpy(items),
  };
  if (at === 0) return fold(checking, joined);
  const order = first.map((_, i) => (i < at ? i + 1 : i === at ? 0 : i));
  return permute(checking, joined, order, site.place);
}

function tensorOrNumpy(items: readonly NumericValue[]): "tensor" | "numpy" {
  return items.some((item) => !isHost(item)) ? "tensor" : "numpy";
}

function toFront(site: CallSite, item: NumericValue, axis: number, shape: Shape): NumericValue {
  if (axis === 0) return item;
  const order = [axis, ...[...shape.keys()].filter((i) => i !== axis)];
  return permute(site.checking, item, order, site.place);
}

/** `stack([a, b], axis)`. */
export const stack: ArrayFunction = {
  names: ["arrays", "axis"],
  required: 1,
  apply: (site, bound) => {
    const given = bound.get("arrays");
    if (given?.value.kind === "numeric") return given.value;
    const items = itemsArgument(site, bound, "arrays");
    const axis = items && wholeArgument(site, bound, "axis", 0);
    return items && axis !== undefined ? stackArrays(site, items, axis) : undefined;
  },
};

/** `concatenate([a, b], axis)`. */
export const concatenate: ArrayFunction = {
  names: ["arrays", "axis"],
  required: 1,
  apply: (site, bound) => {
    const items = itemsArgument(site, bound, "arrays");
    const axis = items && wholeArgument(site, bound, "axis", 0);
    return items && axis !== undefined ? concatenateArrays(site, items, axis) : undefined;
  },
};

/** `vstack`, `hstack`, `column_stack`: joins of lists whose vectors are first made tables. */
export function tableStack(kind: "vstack" | "hstack" | "column_stack"): ArrayFunction {
  return {
    names: ["tup"],
    required: 1,
    apply: (site, bound) => {
      const items = itemsArgument(site, bound, "tup");
      if (!items) return undefined;
      const flat = items.every((item) => shapeOf(site.checking, item).length <= 1);
      const made = items.map((item) =>
        asRank(site, item, (shape) => {
          if (shape.length >= 2) return shape;
          if (kind === "hstack") return shape.length === 0 ? [1] : shape;
          return kind === "vstack" ? [1, shape[0] ?? 1] : [shape[0] ?? 1, 1];
        })
      );
      const axis = kind === "vstack" || (kind === "hstack" && flat) ? 0 : 1;
      return concatenateArrays(site, made, axis);
    },
  };
}

/** `np.c_[a, b]`: columns side by side; `np.r_[a, b]`: one after another; undefined of other names. */
export function joinedColumns(
  checking: Checking,
  place: Subscript,
  name: string,
  index: Value,
): Value | undefined {
  if (name !== "c_" && name !== "r_") return undefined;
  const items = index.kind === "sequence" && index.form === "tuple" ? index.items : [index];
  if (items.some(carriesResponse)) return checking.derive(place, ...items);
  const text = `np.${name}[...]`;
  const parts: NumericValue[] = [];
  for (const item of items) {
    const part = numeric(checking, item, place.index, text);
    if (!part) return invalid;
    parts.push(part);
  }
  const site = { checking, place, text };
  if (parts.some((part) => !isHost(part))) return refuseRandom(site) ?? invalid;
  const wide = name === "c_" ? 2 : 1;
  const made = parts.map((part) =>
    asRank(
      site,
      part,
      (shape) => shape.length >= wide ? shape : wide === 1 ? [1] : [shape[0] ?? 1, 1],
    )
  );
  const joined = concatenateArrays(site, made, name === "c_" ? 1 : 0);
  return joined ? { ...joined, origin: "numpy" } : invalid;
}
