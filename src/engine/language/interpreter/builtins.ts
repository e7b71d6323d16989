/** Python's own functions, as far as models use them. */
import { shapeOfResponse } from "./response_rows.ts";
import {
  applyMap,
  isHost,
  keyOf,
  numberOf,
  numeric,
  pythonBool,
  pythonNumber,
  shapeOf,
  wholeNumber,
} from "./arrays.ts";
import { type Arguments, bind, carriesResponse, type GivenValue } from "./bind.ts";
import type { Checking } from "./checking.ts";
import { formatText } from "./format.ts";
import { itemsOf } from "./items.ts";
import { castArray } from "./conversions.ts";
import { limits } from "../syntax/limits.ts";
import { applyOperator, truthOf } from "./operators.ts";
import type { Expression } from "../syntax/tree.ts";
import { describeValue, invalid, none, type Value } from "./values.ts";

type Builtin = (checking: Checking, args: Arguments, name: string) => Value;

function one(checking: Checking, args: Arguments, name: string): GivenValue | undefined {
  return bind(checking, args, name, { names: ["x"], required: 1 })?.get("x");
}

function length(checking: Checking, args: Arguments): Value {
  const given = one(checking, args, "len");
  if (!given) return invalid;
  const { value, place } = given;
  const count = lengthOf(checking, value);
  if (count !== undefined) return pythonNumber(checking, count, "int");
  if (value.kind === "invalid" || value.kind === "ignored") return value;
  const message = `Cannot take len of ${describeValue(value)}`;
  return checking.error("names/wrong-kind", message, place);
}

/** The length of a container; how many rows the response has is no secret. */
function lengthOf(checking: Checking, value: Value): number | undefined {
  switch (value.kind) {
    case "sequence":
      return value.items.length;
    case "dictionary":
      return value.entries.size;
    case "text":
      return [...value.value].length;
    case "response":
      return shapeOfResponse(checking, value)[0];
    case "data":
      return checking.dataset.rows;
    case "frame":
      return value.rows ?? checking.dataset.rows;
    case "numeric":
      return shapeOf(checking, value)[0];
    default:
      return undefined;
  }
}

function absolute(checking: Checking, args: Arguments): Value {
  const given = one(checking, args, "abs");
  const number = given && numeric(checking, given.value, given.place, "abs");
  if (!number) return invalid;
  return applyMap(checking, "abs", [number], args.call, number.dtype) ?? invalid;
}

function range(checking: Checking, args: Arguments): Value {
  const bound = bind(checking, args, "range", { names: ["start", "stop", "step"], required: 1 });
  if (!bound) return invalid;
  const numbers: number[] = [];
  for (const [name, { value, place }] of bound) {
    const number = wholeNumber(checking, value, place, name);
    if (number === undefined) return invalid;
    numbers.push(number);
  }
  const [start, stop, step] = numbers.length === 1 ? [0, numbers[0], 1] : [...numbers, 1];
  const count = Math.max(0, Math.ceil((stop - start) / step));
  if (!(count <= limits.steps)) {
    checking.stop("unrolling", `a range of ${count} numbers`, args.call);
  }
  const items = Array.from(
    { length: count },
    (_, i) => pythonNumber(checking, start + i * step, "int"),
  );
  return { kind: "sequence", form: "list", items };
}

function enumerate(checking: Checking, args: Arguments): Value {
  const bound = bind(checking, args, "enumerate", { names: ["iterable", "start"], required: 1 });
  const given = bound?.get("iterable");
  const items = given && itemsOf(checking, given.value, given.place);
  const start = bound?.has("start") ? numberOf(checking, bound.get("start")?.value) : 0;
  if (!items || start === undefined) return invalid;
  checking.collect(2 * items.length, given.place);
  const pairs = items.map((item, i): Value => ({
    kind: "sequence",
    form: "tuple",
    items: [pythonNumber(checking, start + i, "int"), item],
  }));
  return { kind: "sequence", form: "list", items: pairs };
}

function zip(checking: Checking, args: Arguments): Value {
  const columns: (readonly Value[])[] = [];
  for (const { value, place } of args.positional) {
    const items = itemsOf(checking, value, place);
    if (!items) return invalid;
    columns.push(items);
  }
  const shortest = columns.reduce((least, { length }) => Math.min(least, length), Infinity);
  const count = columns.length === 0 ? 0 : shortest;
  checking.collect(count * columns.length, args.call);
  const rows = Array.from({ length: count }, (_, i): Value => ({
    kind: "sequence",
    form: "tuple",
    items: columns.map((items) => items[i]),
  }));
  return { kind: "sequence", form: "list", items: rows };
}

/** `sum(items)`, from left to right as Python adds. */
function sum(checking: Checking, args: Arguments): Value {
  const bound = bind(checking, args, "sum", { names: ["iterable", "start"], required: 1 });
  const given = bound?.get("iterable");
  const items = given && itemsOf(checking, given.value, given.place);
  if (!items) return invalid;
  const { place } = given;
  const start: Value = bound?.get("start")?.value ?? pythonNumber(checking, 0, "int");
  return items.reduce((total: Value, item) => {
    checking.step(place);
    return applyOperator(checking, "+", total, item, { left: place, right: place, ...span(place) });
  }, start);
}

function span({ start, end }: Expression): { start: number; end: number } {
  return { start, end };
}

function extreme(op: "maximum" | "minimum"): Builtin {
  return (checking, args, name) => {
    const single = args.positional.length === 1;
    const [first] = args.positional;
    const items = single
      ? first && itemsOf(checking, first.value, first.place)
      : args.positional.map(({ value }) => value);
    if (!items || items.length === 0) return invalid;
    const place = first.place;
    let best: Value = items[0];
    for (const item of items.slice(1)) {
      checking.step(place);
      const [a, b] = [best, item].map((value) => numeric(checking, value, place, name));
      if (!a || !b) return invalid;
      if (!isHost(a) || !isHost(b)) return refuseComparison(checking, args, name);
      const larger = applyMap(checking, op, [a, b], args.call, a.dtype);
      if (!larger) return invalid;
      best = larger;
    }
    return best;
  };
}

function refuseComparison(checking: Checking, args: Arguments, name: string): Value {
  const message = `Cannot call ${name} on a random variable: it is known only while sampling`;
  const hint = `write pm.math.${name}imum(a, b)`;
  return checking.error("names/random-condition", message, args.call, hint);
}

function convert(type: string): Builtin {
  return (checking, args, name) => {
    const given = one(checking, args, name);
    if (!given) return invalid;
    const { value, place } = given;
    if (value.kind === "text") {
      const parsed = Number(value.value);
      const infinite = /^[+-]?inf(inity)?$/i.test(value.value.trim());
      if (infinite) {
        return pythonNumber(checking, value.value.includes("-") ? -Infinity : Infinity, "float");
      }
      if (value.value.trim() !== "" && Number.isFinite(parsed) && type !== "str") {
        return pythonNumber(checking, parsed, type === "int" ? "int" : "float");
      }
    }
    const number = numeric(checking, value, place, name);
    if (!number) return invalid;
    const site = { checking, place: args.call, text: name };
    const cast = castArray(site, number, { kind: "text", value: type });
    return cast ? { ...cast, origin: isHost(cast) ? "python" : "tensor" } : invalid;
  };
}

function toBool(checking: Checking, args: Arguments): Value {
  const given = one(checking, args, "bool");
  const truth = given && truthOf(checking, given.value, given.place);
  return truth === undefined ? invalid : pythonBool(checking, truth);
}

function toText(checking: Checking, args: Arguments): Value {
  const given = one(checking, args, "str");
  if (!given) return invalid;
  const { place } = given;
  const parts = [{ value: place, start: place.start, end: place.end }];
  return formatText(checking, { kind: "formatted", parts, start: place.start, end: place.end });
}

function sequenceOf(form: "list" | "tuple"): Builtin {
  return (checking, args, name) => {
    if (args.positional.length === 0) return { kind: "sequence", form, items: [] };
    const given = one(checking, args, name);
    const items = given && itemsOf(checking, given.value, given.place);
    if (!items) return invalid;
    checking.collect(items.length, given.place);
    return { kind: "sequence", form, items: [...items] };
  };
}

function reversed(checking: Checking, args: Arguments): Value {
  const given = one(checking, args, "reversed");
  const items = given && itemsOf(checking, given.value, given.place);
  if (!items) return invalid;
  checking.collect(items.length, given.place);
  return { kind: "sequence", form: "list", items: [...items].reverse() };
}

function sorted(checking: Checking, args: Arguments): Value {
  const given = one(checking, args, "sorted");
  const items = given && itemsOf(checking, given.value, given.place);
  if (!items) return invalid;
  checking.collect(items.length, given.place);
  const keyed = items.map((item) => ({
    item,
    key: item.kind === "text" ? item.value : numberOf(checking, item),
  }));
  if (keyed.some(({ key }) => key === undefined)) {
    const message = "Cannot sort this: wanted numbers or strings known before sampling";
    return checking.error("names/wrong-kind", message, given.place);
  }
  keyed.sort((a, b) => ((a.key ?? 0) < (b.key ?? 0) ? -1 : a.key === b.key ? 0 : 1));
  return { kind: "sequence", form: "list", items: keyed.map(({ item }) => item) };
}

/** Different items in the order of their first appearance: Python promises none. */
function distinct(checking: Checking, args: Arguments): Value {
  const given = one(checking, args, "set");
  const items = given && itemsOf(checking, given.value, given.place);
  if (!items) return invalid;
  checking.collect(items.length, given.place);
  const byKey = new Map(items.map((item) => [keyOf(checking, item), item]));
  if (!byKey.has(undefined)) return { kind: "sequence", form: "list", items: [...byKey.values()] };
  const message = "Cannot make a set of this: wanted numbers or strings known before sampling";
  return checking.error("names/wrong-kind", message, given.place);
}

function dictionary(checking: Checking, args: Arguments): Value {
  const entries = new Map<string | number, Value>();
  const [first] = args.positional;
  if (first?.value.kind === "dictionary") {
    for (const [key, value] of first.value.entries) entries.set(key, value);
  } else if (first) {
    for (const pair of itemsOf(checking, first.value, first.place) ?? []) {
      const [key, value] = pair.kind === "sequence" ? pair.items : [];
      const name = key?.kind === "text" ? key.value : numberOf(checking, key);
      if (name === undefined || !value) {
        const message = "Cannot make a dictionary of this: wanted pairs of a key and a value";
        return checking.error("names/wrong-kind", message, first.place);
      }
      entries.set(name, value);
    }
  }
  for (const [key, { value }] of args.keywords) entries.set(key, value);
  return { kind: "dictionary", entries };
}

function roundNumber(checking: Checking, args: Arguments): Value {
  const bound = bind(checking, args, "round", { names: ["x", "digits"], required: 1 });
  const given = bound?.get("x");
  const number = given && numeric(checking, given.value, given.place, "round");
  if (!number || !bound) return invalid;
  const digits = numberOf(checking, bound.get("digits")?.value);
  if (digits === undefined) {
    return applyMap(checking, "round", [number], args.call, "int") ?? invalid;
  }
  const scale = pythonNumber(checking, Number(`1e${digits}`), "float");
  const grown = applyMap(checking, "mul", [number, scale], args.call, "float");
  const whole = grown && applyMap(checking, "round", [grown], args.call, "float");
  return (whole && applyMap(checking, "div", [whole, scale], args.call, "float")) ?? invalid;
}

function decide(every: boolean): Builtin {
  return (checking, args, name) => {
    const given = one(checking, args, name);
    const items = given && itemsOf(checking, given.value, given.place);
    if (!items) return invalid;
    for (const item of items) {
      const truth = truthOf(checking, item, given.place);
      if (truth === undefined) return invalid;
      if (truth !== every) return pythonBool(checking, !every);
    }
    return pythonBool(checking, every);
  };
}

const power: Builtin = (checking, args) => {
  const bound = bind(checking, args, "pow", { names: ["x", "y"], required: 2 });
  const [x, y] = [bound?.get("x"), bound?.get("y")];
  if (!x || !y) return invalid;
  const place = { left: x.place, right: y.place, start: args.call.start, end: args.call.end };
  return applyOperator(checking, "**", x.value, y.value, place);
};

const silent: Builtin = () => none;

/** Python's functions by name. */
export const pythonFunctions: Readonly<Record<string, Builtin>> = {
  abs: absolute,
  len: length,
  range,
  enumerate,
  zip,
  sum,
  max: extreme("maximum"),
  min: extreme("minimum"),
  float: convert("float"),
  int: convert("int"),
  bool: toBool,
  str: toText,
  list: sequenceOf("list"),
  tuple: sequenceOf("tuple"),
  dict: dictionary,
  reversed,
  set: distinct,
  sorted,
  round: roundNumber,
  any: decide(false),
  all: decide(true),
  pow: power,
  print: silent,
  display: silent,
};

/** Names of Python's functions that are known. */
export const pythonBuiltins: ReadonlySet<string> = new Set(Object.keys(pythonFunctions));

/** Whether a function of Python may be given the response. */
export function mayLook(name: string, args: Arguments): boolean {
  if (
    name === "len" || name === "print" || name === "list" || name === "tuple" || name === "dict"
  ) return true;
  return !args.positional.some(({ value }) => carriesResponse(value));
}
