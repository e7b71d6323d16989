/** The column that records whether the event happened, in any words of a file. */
import { inputError } from "../base/diagnostic.ts";
import { listed } from "../base/listed.ts";
import { shellWords } from "../base/shell_words.ts";
import type { InspectedColumn } from "../data/inspect.ts";

/** Pairs of words whose second one means that it happened, in small letters. */
const plainWords = [["false", "true"], ["no", "yes"], ["f", "t"], ["n", "y"]];

/**
 * The column as an event: 0 and 1, words that are as plain, or two values in the order given.
 *
 * @param order both values, that of the event last.
 * @throws InputError `init/event` for other pairs of values, without an order, and for more than two.
 */
export function eventColumn(column: InspectedColumn, order?: readonly string[]): InspectedColumn {
  const event = { ...column, role: "event", type: "binary", remark: undefined } as const;
  const pair = pairOf(column);
  const others = otherValues(column);
  if (!pair && others !== undefined) throw notTwo(column.name, others);
  if (!pair) return event;
  const isPair = order?.length === 2 && [...order].sort().every((value, i) => value === pair[i]);
  if (isPair) return { ...event, range: [0, 1], order, remark: `1 is "${order[1]}"` };
  const isPlain = plainWords.some((words) =>
    words.every((word, i) => word === pair[i].toLowerCase())
  );
  if (isPlain && !order) return { ...event, range: [0, 1], order: pair };
  const message = `Cannot use "${column.name}" as the event: it holds ${pair.join(" and ")}`;
  const hint = "name both values, the event last: " +
    `${shellWords(["--levels", pair.join(",")])}; or write 1 for an event, 0 for a censored row`;
  throw inputError("init/event", message, undefined, hint);
}

/** The values of a column that are neither 0 and 1 nor two; undefined where they are. */
function otherValues({ levels, range, distinct }: InspectedColumn): string | undefined {
  if (levels) return levels.length > 2 ? listed(levels) : undefined;
  if (!range || distinct < 3 && range[0] >= 0 && range[1] <= 1) return undefined;
  return `${distinct} values from ${range[0]} to ${range[1]}`;
}

function notTwo(name: string, held: string): Error {
  const message = `Cannot use "${name}" as the event: it holds ${held}, wanted two values`;
  const hint =
    "add a column to the file that is 1 where the event happened and 0 where the row was " +
    "censored; of several kinds of event one is asked about, and rows of the others are censored";
  return inputError("init/event", message, undefined, hint);
}

/** The meaning of the values of `cens(…)`, in words and in numbers: left, none, right, interval. */
const sides = [["left", "none", "right", "interval"], ["-1", "0", "1", "2"]];

/**
 * The column as the side at which each value of the response is censored.
 *
 * @param hasUntil whether a column of upper ends stands beside it.
 * @throws InputError `init/event` where it holds other words, or intervals have no upper ends.
 */
export function censoredColumn(column: InspectedColumn, hasUntil: boolean): InspectedColumn {
  const { levels, codes, range, distinct } = column;
  const held = levels ?? codes?.map(String) ?? (range && distinct <= 2 ? range.map(String) : []);
  const order = sides.find((words) => held.length > 0 && held.every((one) => words.includes(one)));
  if (order && hasUntil) return asSides(column, order);
  const isInterval = order !== undefined && held.includes(order[3]);
  if (order && !isInterval) return asSides(column, order.slice(0, 3));
  const message = `Cannot use "${column.name}" as cens(…): it holds ${
    held.join(", ") || "many values"
  }`;
  const hint = isInterval
    ? `name the column of their upper ends, too: y | cens(${column.name}, upper) ~ …`
    : "wanted left, none, right and interval, or -1, 0, 1 and 2; of intervals y | cens(c, upper)";
  throw inputError("init/event", message, undefined, hint);
}

function asSides(column: InspectedColumn, order: readonly string[]): InspectedColumn {
  return { ...column, role: "event", type: "category", order, remark: undefined };
}

/** Two values, sorted, of which a reader of the data cannot know which is 1. */
function pairOf({ levels, range, distinct }: InspectedColumn): readonly string[] | undefined {
  if (levels) return levels.length === 2 ? levels : undefined;
  return distinct === 2 && range && range[0] !== 0 ? range.map(String) : undefined;
}
