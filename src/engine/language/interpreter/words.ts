/** Words: methods of strings, alone or of each in a column, and columns that a program makes of them. */
import { hostArray, numberOf, pythonBool, pythonNumber } from "./arrays.ts";
import type { Arguments } from "./bind.ts";
import type { Checking } from "./checking.ts";
import type { Place } from "../syntax/source.ts";
import type { NumericValue, SequenceValue, Value } from "./values.ts";

/** Words of the codes of a column. */
export function namesOf(checking: Checking, x: NumericValue): readonly string[] | undefined {
  if (x.labels) return x.labels;
  const node = checking.graph.nodes[x.node];
  return node.kind === "column" ? checking.columns.get(node.column)?.categories : undefined;
}

/** The words of a column or a list; undefined of numbers, and of what is known only while sampling. */
export function wordsIn(checking: Checking, value: Value): readonly string[] | undefined {
  if (value.kind === "sequence") {
    const words = value.items.flatMap((item) => item.kind === "text" ? [item.value] : []);
    return words.length > 0 && words.length === value.items.length ? words : undefined;
  }
  if (value.kind !== "numeric") return undefined;
  const names = namesOf(checking, value);
  const known = names && checking.graph.valueOf(value.node);
  return known && known.shape.length === 1
    ? Array.from(known.values, (code) => names[code])
    : undefined;
}

/** A column of words: codes in the order of the alphabet. */
export function wordColumn(
  checking: Checking,
  words: readonly string[],
  place: Place,
): NumericValue {
  const labels = [...new Set(words)].sort((a, b) => a < b ? -1 : 1);
  const codeOf = new Map(labels.map((word, code) => [word, code]));
  const codes = Float64Array.from(words, (word) => codeOf.get(word)!);
  checking.collect(words.length, place);
  const column = hostArray(checking, codes, [codes.length], "int", place);
  return { ...column, origin: "series", labels };
}

/** One value for each item, as a column: words, or numbers. */
export function columnOfItems(
  checking: Checking,
  items: readonly Value[],
  place: Place,
): NumericValue | undefined {
  const list: SequenceValue = { kind: "sequence", form: "list", items: [...items] };
  const words = wordsIn(checking, list);
  if (words) return wordColumn(checking, words, place);
  const numbers = items.map((item) => numberOf(checking, item));
  if (items.length === 0 || numbers.some((one) => one === undefined)) return undefined;
  const values = Float64Array.from(numbers as number[]);
  const isWhole = items.every((item) => item.kind === "numeric" && item.dtype !== "float");
  const dtype = items.every((item) => item.kind === "numeric" && item.dtype === "bool")
    ? "bool"
    : isWhole
    ? "int"
    : "float";
  return { ...hostArray(checking, values, [values.length], dtype, place), origin: "series" };
}

const isBlank = /^\s$/;

/** The rest of a word without these letters at its ends. */
function stripped(text: string, letters: string | undefined, [left, right]: [boolean, boolean]) {
  const goes = (one: string) => letters === undefined ? isBlank.test(one) : letters.includes(one);
  let [from, to] = [0, text.length];
  while (left && from < to && goes(text[from])) from++;
  while (right && to > from && goes(text[to - 1])) to--;
  return text.slice(from, to);
}

/** Each word's first letter large, the others small, as Python's `title` has it. */
function titled(text: string): string {
  return text.toLowerCase().replace(
    /(^|[^\p{L}])(\p{L})/gu,
    (_, a: string, b: string) => a + b.toUpperCase(),
  );
}

/** Python's `split`: at blanks where it is not said, or at a word. */
function splitText(text: string, at: string | undefined): string[] {
  if (at === undefined) return text.split(/\s+/).filter((part) => part !== "");
  return at === "" ? [text] : text.split(at);
}

/** Arguments of a method of strings: texts and numbers; undefined for others. */
function plainArguments(checking: Checking, { positional, keywords }: Arguments) {
  const plain = (value: Value) =>
    value.kind === "text" ? value.value : numberOf(checking, value) ?? value;
  const given = positional.map(({ value }) => plain(value));
  const named = new Map([...keywords].map(([name, { value }]) => [name, plain(value)]));
  return { given, named };
}

type Plain = string | number | boolean | readonly string[];

/** Methods of one string; undefined where arguments do not fit. */
const methods: Readonly<
  Record<string, (text: string, a: string | undefined, b: string | undefined) => Plain | undefined>
> = {
  lower: (text) => text.toLowerCase(),
  casefold: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  title: titled,
  capitalize: (text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase(),
  strip: (text, a) => stripped(text, a, [true, true]),
  lstrip: (text, a) => stripped(text, a, [true, false]),
  rstrip: (text, a) => stripped(text, a, [false, true]),
  startswith: (text, a) => a === undefined ? undefined : text.startsWith(a),
  endswith: (text, a) => a === undefined ? undefined : text.endsWith(a),
  contains: (text, a) => a === undefined ? undefined : text.includes(a),
  replace: (text, a, b) => {
    return a === undefined || a === "" || b === undefined ? undefined : text.split(a).join(b);
  },
  removeprefix: (text, a = "") => text.startsWith(a) ? text.slice(a.length) : text,
  removesuffix: (text, a = "") => {
    return a !== "" && text.endsWith(a) ? text.slice(0, -a.length) : text;
  },
  split: splitText,
  len: (text) => [...text].length,
  count: (text, a) => a === undefined || a === "" ? undefined : text.split(a).length - 1,
  find: (text, a) => a === undefined ? undefined : text.indexOf(a),
  isdigit: (text) => /^\p{Nd}+$/u.test(text),
  isalpha: (text) => /^\p{L}+$/u.test(text),
};

/** Arguments that change nothing of what is read here. */
const harmless = new Set(["regex", "na"]);
const pattern = /[.^$*+?{}[\]\\|()]/;

/**
 * A method of each of some words: words, numbers, or lists of words; undefined for methods and arguments that are not
 * read. Of `contains`, `count` and `split` at several letters pandas reads a pattern, and of `replace` where it is
 * asked; here they are words.
 */
function eachWord(
  checking: Checking,
  words: readonly string[],
  name: string,
  args: Arguments,
  isColumn: boolean,
): readonly Plain[] | undefined {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  const { given, named } = plainArguments(checking, args);
  if (!method || given.some((one) => typeof one !== "string") || given.length > 2) return undefined;
  const [a, b] = given as string[];
  const known = isColumn
    ? [...named.keys()].every((key) => harmless.has(key) || (key === "case" && name === "contains"))
    : named.size === 0;
  if (!known || (!isColumn && (name === "contains" || name === "len"))) return undefined;
  const asked = named.get("regex");
  const isPattern = asked === 1 || name === "count" ||
    (asked === undefined && (name === "contains" || (name === "split" && (a ?? "").length > 1)));
  if (isPattern && (b ?? "").includes("\\")) return undefined;
  if (isColumn && a !== undefined && isPattern && pattern.test(a)) return undefined;
  const folds = name === "contains" && named.get("case") === 0;
  const result = words.map((word) =>
    folds ? method(word.toLowerCase(), a?.toLowerCase(), b) : method(word, a, b)
  );
  return result.every((one) => one !== undefined) ? result as Plain[] : undefined;
}

function valueOf(checking: Checking, one: Plain): Value {
  if (typeof one === "string") return { kind: "text", value: one };
  if (typeof one === "number") return pythonNumber(checking, one, "int");
  if (typeof one === "boolean") return pythonBool(checking, one);
  return { kind: "sequence", form: "list", items: one.map((item) => valueOf(checking, item)) };
}

/** `"a_b".split("_")`, `", ".join(names)`; undefined for methods that are not read. */
export function textMethod(
  checking: Checking,
  text: string,
  name: string,
  args: Arguments,
): Value | undefined {
  checking.collect(text.length, args.call);
  if (name === "join") {
    const words = args.positional[0] && wordsIn(checking, args.positional[0].value);
    const value = words?.join(text);
    return value !== undefined && value.length <= 4096 ? { kind: "text", value } : undefined;
  }
  const [made] = eachWord(checking, [text], name, args, false) ?? [];
  return made === undefined ? undefined : valueOf(checking, made);
}

/** `df["g"].str.lower()`: the method of each word, once for each different one. */
export function wordsMethod(
  checking: Checking,
  x: NumericValue,
  name: string,
  args: Arguments,
): Value | undefined {
  const labels = namesOf(checking, x);
  const known = labels && checking.graph.valueOf(x.node);
  const made = known && eachWord(checking, labels, name, args, true);
  if (!known || !made) return undefined;
  checking.collect(known.values.length, args.call);
  const items = Array.from(known.values, (code) => valueOf(checking, made[code]));
  if (made.some((one) => typeof one === "object")) {
    return { kind: "sequence", form: "list", items };
  }
  return columnOfItems(checking, items, args.call);
}

/** `left + right` of columns of words and words: each joined to each; undefined where one has none. */
export function joinedWords(
  checking: Checking,
  left: Value,
  right: Value,
  place: Place,
): Value | undefined {
  const isColumn = (value: Value) =>
    value.kind === "numeric" && namesOf(checking, value) !== undefined;
  if (!isColumn(left) && !isColumn(right)) return undefined;
  const [a, b] = [left, right].map((value) =>
    value.kind === "text" ? value.value : wordsIn(checking, value)
  );
  if (a === undefined || b === undefined) return undefined;
  const count = typeof a === "string" ? b.length : a.length;
  if (typeof a !== "string" && typeof b !== "string" && a.length !== b.length) return undefined;
  const at = (words: string | readonly string[], i: number) =>
    typeof words === "string" ? words : words[i];
  const words = Array.from({ length: count }, (_, i) => at(a, i) + at(b, i));
  return wordColumn(checking, words, place);
}
