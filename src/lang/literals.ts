/** Numbers that stand in a program's text: how many may, and that they are not the data. */
import type { Column } from "../base/dataset.ts";
import type { Checking } from "./checking.ts";
import { limits } from "./limits.ts";
import { children, type Expression, type NumberLiteral, type Statement } from "./tree.ts";

/** So many values of the response in the text are no accident. */
const fewest = 8;

/**
 * Refuses programs that carry the response in their text: half of its distinct fractional values,
 * or a list that repeats a run of it. Such a program has learnt the data by heart, not explained it.
 *
 * @throws SyntaxFailure, if there are more numbers than `limits.literals`.
 */
export function checkLiterals(checking: Checking, statements: readonly Statement[]): void {
  const { numbers, lists } = collect(statements);
  if (numbers.length > limits.literals) {
    const what = `more than ${limits.literals} numbers in the text`;
    checking.stop("literals", what, numbers[limits.literals]);
  }
  const { response } = checking;
  if (!response || numbers.length < Math.min(4, response.values.length)) return;
  const found = repeatedValue(response, numbers) ?? repeatedRun(response, lists);
  if (!found) return;
  const message = `The text repeats values of "${response.name}": that is the data, not a model`;
  checking.error("lh/memorised-literals", message, found, "explain the response by predictors");
}

interface Literals {
  readonly numbers: NumberLiteral[];
  /** Lists and tuples of numbers alone. */
  readonly lists: { readonly place: Expression; readonly values: readonly number[] }[];
}

function collect(statements: readonly Statement[]): Literals {
  const found: Literals = { numbers: [], lists: [] };
  const pending: Expression[] = expressionsOf(statements);
  for (let e = pending.pop(); e; e = pending.pop()) {
    if (e.kind === "number") found.numbers.push(e);
    if (e.kind === "list" || e.kind === "tuple") {
      const values = e.items.map(numberOf);
      if (values.every((value) => value !== undefined)) found.lists.push({ place: e, values });
    }
    pending.push(...children(e));
  }
  found.numbers.reverse();
  return found;
}

function numberOf(e: Expression): number | undefined {
  if (e.kind === "number") return e.value;
  if (e.kind !== "unary" || e.op !== "-") return undefined;
  const inner = numberOf(e.operand);
  return inner === undefined ? undefined : -inner;
}

/** All expressions of statements, those of inner blocks too. */
function expressionsOf(statements: readonly Statement[]): Expression[] {
  const found: Expression[] = [];
  const pending: Statement[] = [...statements];
  for (let s = pending.pop(); s; s = pending.pop()) {
    if ("value" in s && s.value) found.push(s.value);
    if ("expressions" in s) found.push(...s.expressions);
    if ("items" in s) found.push(...s.items.map(({ context }) => context));
    if ("parameters" in s) found.push(...s.parameters.flatMap((p) => p.default ?? []));
    if ("body" in s) pending.push(...s.body);
    if ("bodies" in s) pending.push(...s.bodies.flat());
  }
  return found;
}

/** The first literal, if half of the distinct fractional values stand in the text. */
function repeatedValue(
  { values }: Column,
  numbers: readonly NumberLiteral[],
): Expression | undefined {
  const wanted = new Set([...values].filter((y) => !Number.isInteger(y)).map(Math.abs));
  const matching = numbers.filter(({ value }) => wanted.has(value));
  const distinct = new Set(matching.map(({ value }) => value)).size;
  return distinct >= fewest && 2 * distinct >= wanted.size ? matching[0] : undefined;
}

/** The first list that is a run of the response, long and irregular enough to be no design. */
function repeatedRun({ values }: Column, lists: Literals["lists"]): Expression | undefined {
  const length = Math.max(4, Math.min(fewest, values.length));
  const found = lists.find((list) =>
    list.values.length >= length && new Set(list.values).size >= 4 && !isRegular(list.values) &&
    isRun(values, list.values)
  );
  return found?.place;
}

function isRegular(values: readonly number[]): boolean {
  const step = values[1] - values[0];
  return values.every((value, i) => i === 0 || value - values[i - 1] === step);
}

function isRun(all: Float64Array, part: readonly number[]): boolean {
  for (let from = 0; from + part.length <= all.length; from++) {
    if (part.every((value, i) => all[from + i] === value)) return true;
  }
  return false;
}
