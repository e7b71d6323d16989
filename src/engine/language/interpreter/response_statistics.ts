/** Mean, deviation and extremes of the response: fixed numbers, of which affine maps and wide priors may be made. */
import { transformed } from "../ir/response_transform.ts";
import type { Checking } from "./checking.ts";
import type { Place } from "../syntax/source.ts";
import type { DerivedValue, ResponseValue, Statistic, Value } from "./values.ts";

/** Statistics that may be numbers, of values in rising order: rounding does not depend on the order of rows. */
const statistics: Readonly<Record<string, (values: Float64Array, ddof: number) => number>> = {
  mean: meanOf,
  std: deviationOf,
  min: (values) => values[0],
  max: (values) => values[values.length - 1],
};

/** NumPy's other names. */
const aliases: Readonly<Record<string, string>> = { average: "mean", amin: "min", amax: "max" };

/**
 * `y.mean()`, `np.std(y)`: a value computed from the response that is a number, too. None where
 * rows follow each other in time: it would inform earlier rows of later ones.
 *
 * @param ddof what the deviation's divisor lacks of n; undefined where the program sets none.
 */
export function statisticOf(
  checking: Checking,
  response: ResponseValue,
  name: string,
  ddof: number | undefined,
  place: Place,
): Value | undefined {
  const own = Object.hasOwn(aliases, name) ? aliases[name] : name;
  const isKnown = Object.hasOwn(statistics, own) && (own !== "std" || ddof !== undefined);
  if (!isKnown || checking.isTimed || checking.responseShape.length !== 1) return undefined;
  const { transform = [] } = response;
  const values = checking.response!.values.map((y) => transformed(transform, y)).sort();
  const number = statistics[own](values, ddof ?? 0);
  if (!Number.isFinite(number)) return undefined;
  return withStatistic(checking, place, [response], { number, spread: deviationOf(values, 1) });
}

/** A value computed from the response that is this number. */
function withStatistic(
  checking: Checking,
  place: Place,
  from: readonly Value[],
  statistic: Statistic,
): DerivedValue {
  const made = checking.derive(place, ...from);
  made.statistic = statistic;
  return made;
}

/** Arithmetic on statistics and numbers that are written in the program; undefined for everything else. */
export function operatedStatistic(
  checking: Checking,
  op: string,
  left: Value,
  right: Value,
  place: Place,
): Value | undefined {
  const [a, b] = [left, right].map((value) => numberIn(checking, value));
  if (!a || !b || (!a.spread && !b.spread)) return undefined;
  const number = calculated(op, a.number, b.number);
  if (number === undefined || !Number.isFinite(number)) return undefined;
  const spread = Math.max(a.spread, b.spread);
  return withStatistic(checking, place, [left, right], { number, spread });
}

/** A literal number, or a statistic, which is used up by that. */
export function numberIn(checking: Checking, value: Value): Statistic | undefined {
  if (value.kind === "derived") return value.statistic;
  if (value.kind !== "numeric") return undefined;
  const node = checking.graph.nodes[value.node];
  return node.kind === "constant" && node.values.length === 1 && Number.isFinite(node.values[0])
    ? { number: node.values[0], spread: 0 }
    : undefined;
}

function calculated(op: string, a: number, b: number): number | undefined {
  switch (op) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / b;
    default:
      return undefined;
  }
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, x) => sum + x, 0) / values.length;
}

function deviationOf(values: Float64Array, ddof: number): number {
  const mean = meanOf(values);
  const square = values.reduce((sum, x) => sum + (x - mean) * (x - mean), 0);
  return Math.sqrt(square / (values.length - ddof));
}
