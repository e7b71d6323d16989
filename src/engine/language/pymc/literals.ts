/** Numbers that stand in a program's text: how many may, and that they are not the data. */
import type { ModelState } from "./model_state.ts";
import { limits } from "../syntax/limits.ts";
import { type CarriedNumbers, findMemory, type Memory } from "./memorised.ts";
import { expressionsIn, seenStatements } from "./seen_statements.ts";
import type { Place } from "../syntax/source.ts";
import { children, type Expression, type NumberLiteral, type Statement } from "../syntax/tree.ts";

/**
 * Refuses programs that carry the response in their text: half of its distinct fractional values,
 * or a list that follows it. Such a program has memorised the data, not explained it. Numbers that
 * the model cannot depend on are not searched.
 *
 * @throws SyntaxFailure, if there are more numbers than `limits.literals`.
 */
export function checkLiterals(checking: ModelState, statements: readonly Statement[]): void {
  const all = collect(statements).numbers;
  if (all.length > limits.literals) {
    const what = `more than ${limits.literals} numbers in the text`;
    checking.stop("literals", what, all[limits.literals]);
  }
  const seen = seenStatements(statements);
  const { numbers, lists } = collect(seen);
  const carried = {
    numbers: numbers.map(({ value }) => value),
    lists: lists.map(({ values }) => values),
  };
  const found = memoryIn(checking, carried);
  if (!found) return;
  refuseMemory(checking, "number" in found ? numbers[found.number] : lists[found.list].place);
}

/** Where the response of the data was found among the numbers of a program. */
export function memoryIn(checking: ModelState, carried: CarriedNumbers): Memory | undefined {
  const { response, dataset } = checking;
  const others = dataset.columns.filter((one) => one !== response && one.role !== "ignore");
  return response && findMemory(response, others, carried);
}

/** The finding about a program that has learnt the data by heart. */
export function refuseMemory(checking: ModelState, place: Place): void {
  const name = checking.response?.name;
  const message = `The text repeats values of "${name}": that is the data, not a model`;
  checking.error("lh/memorised-literals", message, place, "explain the response by predictors");
}

interface Literals {
  readonly numbers: NumberLiteral[];
  /** Lists and tuples of numbers alone. */
  readonly lists: { readonly place: Expression; readonly values: readonly number[] }[];
}

function collect(statements: readonly Statement[]): Literals {
  const found: Literals = { numbers: [], lists: [] };
  const pending: Expression[] = statements.flatMap(expressionsIn);
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
