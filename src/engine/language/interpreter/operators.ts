/** Operators of Python on the values of a program, with NumPy's kinds of numbers. */
import type { BinaryOp } from "../ir/operations.ts";
import {
  applyMap,
  hostArray,
  isHost,
  joinOrigins,
  numberOf,
  numeric,
  pythonBool,
  pythonNumber,
  shapeOf,
  widest,
} from "./arrays.ts";
import type { Arguments } from "./bind.ts";
import type { Checking } from "./checking.ts";
import { matrixMultiply } from "./linear_algebra.ts";
import { frameOperator } from "./frames.ts";
import { operatedStatistic } from "./response_statistics.ts";
import { lessThanOne, negatedResponse, operatedResponse } from "./response_transforms.ts";
import { mentionsResponse } from "./response_use.ts";
import { dateOperator, daysOf } from "./dates.ts";
import { differInKeys } from "./keyed_columns.ts";
import { joinedWords, namesOf, wordsIn } from "./words.ts";
import { limits } from "../syntax/limits.ts";
import type { Place } from "../syntax/source.ts";
import type {
  Binary,
  BooleanOperation,
  Comparison,
  Conditional,
  Expression,
  Unary,
} from "../syntax/tree.ts";
import {
  describeValue,
  type Dtype,
  invalid,
  type NumericValue,
  touchesResponse,
  type Value,
} from "./values.ts";

/** `-x`, `+x`, `~x`, `not x`. */
export function unaryOperator(checking: Checking, e: Unary): Value {
  const operand = checking.evaluate(e.operand);
  if (operand.kind === "response" && e.op === "-") return negatedResponse(operand);
  if (touchesResponse(operand)) return checking.derive(e, operand);
  if (e.op === "not") {
    const truth = truthOf(checking, operand, e.operand);
    return truth === undefined ? invalid : pythonBool(checking, !truth);
  }
  const number = numeric(checking, operand, e.operand, `\`${e.op}\``);
  if (!number) return invalid;
  if (e.op === "~") return invert(checking, number, e);
  const dtype = number.dtype === "bool" ? "int" : number.dtype;
  if (e.op === "-") return applyMap(checking, "neg", [number], e, dtype) ?? invalid;
  if (isHost(number)) return { ...number, dtype };
  const message = "Cannot use `+` before a random variable: PyMC has no such operator";
  return checking.error("unsupported/expression", message, e, "leave the + out");
}

function invert(checking: Checking, value: NumericValue, e: Unary): Value {
  if (value.dtype === "bool") return applyMap(checking, "not", [value], e, "bool") ?? invalid;
  const message = "Cannot use `~`: wanted conditions, found numbers";
  return checking.error("names/wrong-kind", message, e, "compare first, or write 1 - x");
}

/** `a + b` and the like. */
export function binaryOperator(checking: Checking, e: Binary): Value {
  return applyOperator(checking, e.op, checking.evaluate(e.left), checking.evaluate(e.right), e);
}

/** An operator on two values; `e` names the operands in messages. */
export function applyOperator(
  checking: Checking,
  op: string,
  left: Value,
  right: Value,
  e: { readonly left: Place; readonly right: Place } & Place,
): Value {
  if (left.kind === "invalid" || right.kind === "invalid") return invalid;
  if (left.kind === "ignored" || right.kind === "ignored") {
    return left.kind === "ignored" ? left : right;
  }
  if (op === "@" && (left.kind === "frame" || right.kind === "frame")) {
    const [a, b] = [left, right].map((value) =>
      value.kind === "frame" ? numeric(checking, value, e, "`@`") ?? invalid : value
    );
    return applyOperator(checking, op, a, b, e);
  }
  const framed = frameOperator(left, right, (a, b) => applyOperator(checking, op, a, b, e));
  if (framed) return framed;
  if (touchesResponse(left) || touchesResponse(right)) {
    return operatedResponse(checking, op, left, right) ??
      operatedStatistic(checking, op, left, right, e) ?? checking.derive(e, left, right);
  }
  if (left.kind === "object" || right.kind === "object") {
    return checking.objectOperator(op, left, right, e);
  }
  if (differInKeys(checking, left, right)) {
    const message = `Cannot use \`${op}\` here: the rows of its sides have other keys`;
    const hint = "bring both to the rows of the data first: df[key].map(x)";
    return checking.error("names/wrong-kind", message, e, hint);
  }
  const joined = joinSequences(checking, op, left, right, e) ??
    dateOperator(checking, op, left, right, e) ?? wordOperator(checking, op, left, right, e);
  if (joined) return joined;
  const a = numeric(checking, left, e.left, `\`${op}\``);
  const b = a && numeric(checking, right, e.right, `\`${op}\``);
  return b ? arithmetic(checking, op, a, b, e) : invalid;
}

/** Words that a file gave are joined by `+`, and know no other operator; undefined where there are none. */
function wordOperator(
  checking: Checking,
  op: string,
  left: Value,
  right: Value,
  e: Place,
): Value | undefined {
  const holdsWords = [left, right].some((value) => value.kind === "numeric" && value.labels);
  if (!holdsWords || ["&", "|", "^"].includes(op)) return undefined;
  const joined = op === "+" ? joinedWords(checking, left, right, e) : undefined;
  if (joined) return joined;
  const message = `Cannot use \`${op}\` with words`;
  return checking.error("names/wrong-kind", message, e, "write codes: pd.Categorical(x).codes");
}

/** Methods of columns and frames for operators. */
const operatorsByName: Readonly<Record<string, string>> = {
  add: "+",
  sub: "-",
  subtract: "-",
  mul: "*",
  multiply: "*",
  div: "/",
  divide: "/",
  truediv: "/",
  pow: "**",
};

/** `x.sub(y)` as `x - y`; undefined of other methods, and of arguments that operators do not have. */
export function operatorMethod(
  checking: Checking,
  object: Value,
  name: string,
  { call, positional, keywords }: Arguments,
): Value | undefined {
  const op = Object.hasOwn(operatorsByName, name) ? operatorsByName[name] : undefined;
  if (op === undefined || positional.length !== 1 || keywords.size > 0) return undefined;
  const e = { ...call, left: call.callee, right: positional[0].place };
  return applyOperator(checking, op, object, positional[0].value, e);
}

/** Lists and texts know `+`, and `*` by a number. */
function joinSequences(
  checking: Checking,
  op: string,
  left: Value,
  right: Value,
  e: Place,
): Value | undefined {
  if (op === "+" && left.kind === "text" && right.kind === "text") {
    return shortText(checking, left.value + right.value, e);
  }
  if (
    op === "+" && left.kind === "sequence" && right.kind === "sequence" && left.form === right.form
  ) {
    checking.collect(left.items.length + right.items.length, e);
    return { ...left, items: [...left.items, ...right.items] };
  }
  if (op !== "*") return undefined;
  const sequence = left.kind === "sequence" ? left : right.kind === "sequence" ? right : undefined;
  const times = numberOf(checking, sequence === left ? right : left);
  if (!sequence || times === undefined) return undefined;
  const other = sequence === left ? right : left;
  if (other.kind === "numeric" && other.origin !== "python") return undefined;
  const count = sequence.items.length === 0 ? 0 : Math.max(0, times) * sequence.items.length;
  if (count > limits.steps) checking.stop("unrolling", `a list of ${count} items`, e);
  checking.collect(count, e);
  const items = Array.from({ length: count === 0 ? 0 : times }, () => sequence.items).flat();
  return { ...sequence, items };
}

function shortText(checking: Checking, value: string, e: Place): Value {
  if (value.length > limits.stringLength) {
    checking.stop("string", `a string of more than ${limits.stringLength} characters`, e);
  }
  return { kind: "text", value };
}

const plainOperators: Readonly<Record<string, BinaryOp>> = {
  "+": "add",
  "-": "sub",
  "*": "mul",
  "/": "div",
  "**": "pow",
  "%": "mod",
};
const logicalOperators: Readonly<Record<string, BinaryOp>> = { "&": "and", "|": "or", "^": "ne" };

function arithmetic(
  checking: Checking,
  op: string,
  a: NumericValue,
  b: NumericValue,
  e: Place,
): Value {
  if (op === "@") return matrixMultiply(checking, a, b, e) ?? invalid;
  if (op === "//") return floorDivide(checking, a, b, e) ?? invalid;
  if (Object.hasOwn(logicalOperators, op)) return logical(checking, op, a, b, e);
  if (!Object.hasOwn(plainOperators, op)) {
    const message = `Cannot use \`${op}\`: numbers are not strings of bits here`;
    return checking.error("unsupported/expression", message, e);
  }
  const ofFlags = flagOperator(checking, op, a, b, e);
  if (ofFlags) return ofFlags;
  return applyMap(checking, plainOperators[op], [a, b], e, resultType(checking, op, a, b)) ??
    invalid;
}

/** Two conditions of NumPy: their sum is `|`, their product `&`, and they have no difference; undefined of others. */
function flagOperator(
  checking: Checking,
  op: string,
  a: NumericValue,
  b: NumericValue,
  e: Place,
): Value | undefined {
  const areFlags = [a, b].every((x) => x.dtype === "bool" && isHost(x)) &&
    [a, b].some((x) => x.origin !== "python");
  if (!areFlags || !["+", "-", "*"].includes(op)) return undefined;
  if (op !== "-") {
    return applyMap(checking, op === "+" ? "or" : "and", [a, b], e, "bool") ?? invalid;
  }
  const message = "Cannot use `-` with two conditions: NumPy has no such difference";
  return checking.error("names/wrong-kind", message, e, "write .astype(int) of each, or a ^ b");
}

function resultType(checking: Checking, op: string, a: NumericValue, b: NumericValue): Dtype {
  if (op === "/") return "float";
  const wide = widest(a, b);
  if (op === "**" && wide !== "float") {
    const powers = checking.graph.valueOf(b.node)?.values;
    return powers?.every((power) => power >= 0) ? "int" : "float";
  }
  return wide === "bool" ? "int" : wide;
}

/** `a // b`. */
function floorDivide(
  checking: Checking,
  a: NumericValue,
  b: NumericValue,
  e: Place,
): NumericValue | undefined {
  const ratio = applyMap(checking, "div", [a, b], e, "float");
  const dtype = widest(a, b) === "float" ? "float" : "int";
  return ratio && applyMap(checking, "floor", [ratio], e, dtype);
}

function logical(
  checking: Checking,
  op: string,
  a: NumericValue,
  b: NumericValue,
  e: Place,
): Value {
  if (a.dtype === "bool" && b.dtype === "bool") {
    return applyMap(checking, logicalOperators[op], [a, b], e, "bool") ?? invalid;
  }
  const message = `Cannot use \`${op}\`: wanted conditions on both sides, found numbers`;
  const hint = "put comparisons into parentheses: (a > 1) & (b < 2)";
  return checking.error("names/wrong-kind", message, e, hint);
}

const comparisons: Readonly<Record<string, BinaryOp>> = {
  "<": "lt",
  "<=": "le",
  ">": "gt",
  ">=": "ge",
  "==": "eq",
  "!=": "ne",
};

/** `a < b`, `a in b`, `a < b < c`. */
export function comparisonOperator(checking: Checking, e: Comparison): Value {
  const values = e.operands.map((operand) => checking.evaluate(operand));
  if (values.some((value) => value.kind === "invalid")) return invalid;
  if (values.some((value) => value.kind === "ignored")) return { kind: "ignored" };
  if (e.ops.length === 1 && isNoneTest(e)) return compareOnce(checking, e, 0, values);
  if (values.some(touchesResponse)) {
    return isOneOfTwo(checking, e, values) ?? checking.derive(e, ...values);
  }
  let result = compareOnce(checking, e, 0, values);
  for (let i = 1; i < e.ops.length; i++) {
    const truth = truthOf(checking, result, e);
    if (truth === undefined) return invalid;
    if (!truth) return result;
    result = compareOnce(checking, e, i, values);
  }
  return result;
}

/** `sex == "male"` of a response of two words, both of which occur: its codes, or one less its codes. */
function isOneOfTwo({ response }: Checking, { ops }: Comparison, values: readonly Value[]) {
  const [left, right] = values;
  const word = right.kind === "text" ? right.value : undefined;
  if (values.length !== 2 || ops[0] !== "==" || left.kind !== "response" || left.transform) return;
  const at = word === undefined ? -1 : response?.categories?.indexOf(word) ?? -1;
  if (response?.categories?.length !== 2 || at < 0) return undefined;
  return at === 1 ? left : lessThanOne(left);
}

function isNoneTest(e: Comparison): boolean {
  const [, right] = e.operands;
  return (e.ops[0] === "is" || e.ops[0] === "is not") && right.kind === "constant";
}

/** The comparison of one pair of operands of a chain. */
export function compareOnce(
  checking: Checking,
  e: Pick<Comparison, "operands" | "ops"> & Place,
  i: number,
  values: readonly Value[],
): Value {
  const [op, left, right] = [e.ops[i], values[i], values[i + 1]];
  const words = compareDates(checking, op, left, right, e) ??
    compareWords(checking, op, left, right, e);
  if (words) return words;
  const known = compareKnown(checking, op, left, right, e);
  if (known !== undefined) return pythonBool(checking, known);
  if (!Object.hasOwn(comparisons, op)) {
    const message = `Cannot use \`${op}\` with ${describeValue(left)} and ${describeValue(right)}`;
    return checking.error("unsupported/expression", message, e);
  }
  const a = numeric(checking, left, e.operands[i], `\`${op}\``);
  const b = a && numeric(checking, right, e.operands[i + 1], `\`${op}\``);
  if (!b) return invalid;
  if ((!isHost(a) || !isHost(b)) && refuseEquality(checking, op, e)) return invalid;
  const result = applyMap(checking, comparisons[op], [a, b], e, "bool");
  if (!result) return invalid;
  const scalars = [a, b].every((x) => shapeOf(checking, x).length === 0);
  return {
    ...result,
    origin: scalars && isHost(a) && isHost(b) ? joinOrigins(a, b) : result.origin,
  };
}

/** `df["day"] >= "2020-03-01"`; undefined of values that are no dates. */
function compareDates(
  checking: Checking,
  op: string,
  left: Value,
  right: Value,
  place: Place,
): Value | undefined {
  const isDated = (value: Value) => value.kind === "numeric" && value.dated !== undefined;
  if (!Object.hasOwn(comparisons, op) || (!isDated(left) && !isDated(right))) return undefined;
  const numbers = [left, right].flatMap((value): NumericValue[] => {
    if (value.kind === "numeric" && value.dated) return [{ ...value, dated: undefined }];
    const days = value.kind === "text" ? daysOf(value.value) : undefined;
    return days === undefined ? [] : [pythonNumber(checking, days, "float")];
  });
  if (numbers.length === 2) {
    return applyMap(checking, comparisons[op], numbers, place, "bool") ?? invalid;
  }
  const message = "Cannot compare dates with this: wanted dates as 2020-01-31";
  return checking.error("names/wrong-kind", message, place);
}

/** `df["species"] == "setosa"`: row by row, by the names of the column's codes. */
function compareWords(
  checking: Checking,
  op: string,
  left: Value,
  right: Value,
  place: Place,
): Value | undefined {
  if (left.kind === "numeric" && right.kind === "numeric") {
    return compareColumnsOfWords(checking, op, left, right, place);
  }
  if (op !== "==" && op !== "!=") return undefined;
  const [column, word] = left.kind === "text" ? [right, left] : [left, right];
  if (column.kind !== "numeric" || word.kind !== "text") return undefined;
  const node = checking.graph.nodes[column.node];
  if (node.shape.length === 0) return undefined;
  const names = namesOf(checking, column);
  if (!names) {
    const message = `Cannot compare ${checking.text(place)}: the column has numbers, no words`;
    return checking.error("names/wrong-kind", message, place, "compare it with a number");
  }
  const codes = checking.graph.valueOf(column.node)!.values;
  const same = codes.map((code) => (names[code] === word.value) === (op === "==") ? 1 : 0);
  const made = hostArray(checking, same, [same.length], "bool", place);
  return { ...made, origin: "series" };
}

/** `df["home"] == df["away"]`: by their words; undefined of columns of numbers. */
function compareColumnsOfWords(
  checking: Checking,
  op: string,
  left: NumericValue,
  right: NumericValue,
  place: Place,
): Value | undefined {
  if (!checking.readsFile || !Object.hasOwn(comparisons, op)) return undefined;
  if (!namesOf(checking, left) && !namesOf(checking, right)) return undefined;
  const [a, b] = [left, right].map((one) => wordsIn(checking, one));
  if (!a || !b || a.length !== b.length || (op !== "==" && op !== "!=")) {
    const message = `Cannot compare ${
      checking.text(place)
    }: wanted words on both sides, by == or !=`;
    return checking.error("names/wrong-kind", message, place, "compare codes or numbers");
  }
  const same = Float64Array.from(a, (word, row) => (word === b[row]) === (op === "==") ? 1 : 0);
  return { ...hostArray(checking, same, [same.length], "bool", place), origin: "series" };
}

/** In PyTensor `==` compares variables, not values: `d == 1` is False. */
function refuseEquality(checking: Checking, op: string, e: Place): boolean {
  if (op !== "==" && op !== "!=") return false;
  const name = op === "==" ? "eq" : "neq";
  const message =
    `Cannot use \`${op}\` with a tensor: PyMC compares the variables, not their values`;
  checking.error("names/tensor-equality", message, e, `write pm.math.${name}(a, b)`);
  return true;
}

/** Comparisons of other things than numbers. */
function compareKnown(
  checking: Checking,
  op: string,
  left: Value,
  right: Value,
  place: Place,
): boolean | undefined {
  if (op === "is" || op === "is not") return sameThing(left, right) === (op === "is");
  if (op === "in" || op === "not in") {
    const found = contains(checking, right, left, place);
    return found === undefined ? undefined : found === (op === "in");
  }
  if (op !== "==" && op !== "!=") return undefined;
  const plain = (value: Value) => value.kind === "text" || value.kind === "none";
  if (!plain(left) && !plain(right)) return undefined;
  const same = left.kind === right.kind &&
    (left.kind !== "text" || (right.kind === "text" && left.value === right.value));
  return same === (op === "==");
}

function sameThing(left: Value, right: Value): boolean {
  if (left.kind === "none" || right.kind === "none") return left.kind === right.kind;
  return left === right;
}

function contains(
  checking: Checking,
  container: Value,
  item: Value,
  place: Place,
): boolean | undefined {
  if (container.kind === "text" && item.kind === "text") {
    return container.value.includes(item.value);
  }
  const key = item.kind === "text" ? item.value : numberOf(checking, item);
  if (key === undefined) return undefined;
  if (container.kind === "dictionary") return container.entries.has(key);
  if (container.kind === "data") return checking.columns.has(`${key}`);
  if (container.kind !== "sequence") return undefined;
  checking.step(place);
  checking.collect(container.items.length, place);
  return container.items.some((one) =>
    (one.kind === "text" ? one.value : numberOf(checking, one)) === key
  );
}

/** `a and b`: Python gives the operand that decides. */
export function booleanOperator(checking: Checking, e: BooleanOperation): Value {
  let value: Value = invalid;
  for (const operand of e.operands) {
    value = checking.evaluate(operand);
    if (touchesResponse(value)) return checking.derive(e, value);
    const truth = truthOf(checking, value, operand);
    if (truth === undefined) return invalid;
    if (truth === (e.op === "or")) return value;
  }
  return value;
}

/** `a if test else b`. */
export function conditionalOperator(checking: Checking, e: Conditional): Value {
  const test = checking.evaluate(e.test);
  if (touchesResponse(test)) return checking.derive(e, test);
  const truth = truthOf(checking, test, e.test);
  if (truth === undefined) return mentionsResponse(checking, e) ? checking.derive(e) : invalid;
  return checking.evaluate(truth ? e.then : e.otherwise);
}

/** Whether a value counts as true; undefined, with a finding, where that is not known. */
export function truthOf(
  checking: Checking,
  value: Value,
  place: Expression | Place,
): boolean | undefined {
  switch (value.kind) {
    case "text":
      return value.value !== "";
    case "none":
      return false;
    case "sequence":
      return value.items.length > 0;
    case "dictionary":
      return value.entries.size > 0;
    case "invalid":
      return undefined;
    case "numeric":
      return truthOfNumber(checking, value, place);
    case "ignored":
    case "response":
    case "derived":
    case "observed": {
      const message = `Cannot decide by ${describeValue(value)}: it is not known here`;
      checking.error("names/random-condition", message, place);
      return undefined;
    }
    default:
      return true;
  }
}

function truthOfNumber(checking: Checking, value: NumericValue, place: Place): boolean | undefined {
  const number = numberOf(checking, value);
  if (number !== undefined) return number !== 0;
  if (!checking.graph.isHost(value.node)) {
    const message = "Cannot decide by a random variable: it is known only while sampling";
    checking.error(
      "names/random-condition",
      message,
      place,
      "write pm.math.switch(condition, a, b)",
    );
  } else {
    const message = "Cannot decide by an array: it has more than one element";
    checking.error("names/wrong-kind", message, place, "write np.where(condition, a, b)");
  }
  return undefined;
}
