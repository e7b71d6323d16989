/** Whether all values of the response can come of a distribution, as far as that is known already. */
import type { Column } from "../../../base/dataset.ts";
import { families } from "../distributions/table.ts";
import type { NodeId } from "../ir/node.ts";
import type { Distribution } from "../ir/program.ts";
import { broadcastIndex, type Shape } from "../ir/shape.ts";
import type { ModelState } from "./model_state.ts";

/** The first row with a value outside of the support; rows are counted from 0. */
export function outsideSupport(
  checking: ModelState,
  column: Column,
  distribution: Distribution,
): number | undefined {
  const outside = outsideTest(checking, distribution);
  const inner = column.values.length / Math.max(1, checking.dataset.rows);
  const found = column.values.findIndex((y, i) => !Number.isFinite(y) || outside(y, i));
  return found < 0 ? undefined : Math.floor(found / inner);
}

type Test = (y: number, i: number) => boolean;

function outsideTest(checking: ModelState, distribution: Distribution): Test {
  const whole: Test = (y) => !Number.isInteger(y);
  switch (families[distribution.family].support) {
    case "positive":
      return (y) => y <= 0;
    case "non_negative":
      return (y) => y < 0;
    case "unit":
      return (y) => y < 0 || y > 1;
    case "open_unit":
      return (y) => y <= 0 || y >= 1;
    case "interval":
      return outsideInterval(checking, distribution);
    case "count":
      return distribution.family === "geometric"
        ? (y) => whole(y, 0) || y < 1
        : (y) => whole(y, 0) || y < 0;
    case "binary":
      return (y) => y !== 0 && y !== 1;
    case "bounded_count":
    case "code":
      return outsideCount(checking, distribution);
    case "count_vector":
      return (y) => whole(y, 0) || y < 0;
    case "components":
      return outsideComponents(checking, distribution);
    default:
      return () => false;
  }
}

/** Outside of all components of a mixture; outside of the bounds of a truncation or censoring. */
function outsideComponents(checking: ModelState, distribution: Distribution): Test {
  const axis = distribution.components?.find(({ shape }) =>
    shape.length > distribution.shape.length
  );
  if (axis || !distribution.components) return () => false;
  const inside = distribution.components.map((component) => outsideTest(checking, component));
  const bounds = outsideInterval(checking, distribution);
  const isBounded = distribution.family === "truncated" || distribution.family === "censored";
  const isWindowed = distribution.family === "windowed";
  const censored = distribution.family === "censored" || isWindowed;
  const atBound: Test = (y, i) => {
    const [lower, upper] = ["lower", "upper"].map((name) =>
      parameterAt(checking, distribution, name, distribution.shape)
    );
    if (isWindowed && lower?.(i) === upper?.(i)) return false;
    return y === lower?.(i) || y === upper?.(i);
  };
  return (y, i) =>
    (isBounded && bounds(y, i)) ||
    (inside.every((outside) => outside(y, i)) && !(censored && atBound(y, i)));
}

/** Values of a parameter that is known, at each element of the response. */
function parameterAt(checking: ModelState, distribution: Distribution, name: string, shape: Shape) {
  const i = families[distribution.family].parameters.indexOf(name);
  const known = i < 0 ? undefined : valueOf(checking, distribution.args[i]);
  if (!known || families[distribution.family].parameterRanks[i] > 0) return undefined;
  const index = broadcastIndex(known.shape, shape);
  return (at: number) => known.values[index[at]];
}

/** A node's value, if it is known; a column of limits is read here alone. */
function valueOf({ graph, columns }: ModelState, id: NodeId) {
  const node = graph.nodes[id];
  const column = node.kind === "column" ? columns.get(node.column) : undefined;
  if (column?.role !== "limit") return graph.valueOf(id);
  return { values: column.values, shape: node.shape };
}

function outsideInterval(checking: ModelState, distribution: Distribution): Test {
  const lower = parameterAt(checking, distribution, "lower", distribution.shape);
  const upper = parameterAt(checking, distribution, "upper", distribution.shape);
  const discrete = families[distribution.family].discrete;
  return (y, i) =>
    (discrete && !Number.isInteger(y)) || (lower !== undefined && y < lower(i)) ||
    (upper !== undefined && y > upper(i));
}

/** 0 … n, or a code below the number of categories. */
function outsideCount(checking: ModelState, distribution: Distribution): Test {
  const most = parameterAt(checking, distribution, "n", distribution.shape);
  const codes = codeCount(checking, distribution);
  return (y, i) =>
    !Number.isInteger(y) || y < 0 || (most !== undefined && y > most(i)) ||
    (codes !== undefined && y >= codes);
}

function codeCount(checking: ModelState, distribution: Distribution): number | undefined {
  const { parameters, parameterRanks, support } = families[distribution.family];
  if (support !== "code") return undefined;
  const i = parameterRanks.findIndex((rank) => rank === 1);
  const length = i < 0 ? undefined : checking.graph.shapeOf(distribution.args[i]).at(-1);
  if (length === undefined) return undefined;
  return parameters[i] === "cutpoints" ? length + 1 : length;
}
