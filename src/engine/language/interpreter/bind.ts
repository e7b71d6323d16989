/** Arguments of calls: evaluated once, then bound to the names of a signature. */
import type { Checking } from "./checking.ts";
import { knownNames } from "./findings.ts";
import type { Place } from "../syntax/source.ts";
import type { Call, Expression, Name } from "../syntax/tree.ts";
import { touchesResponse, type Value } from "./values.ts";

/** One argument with its place. */
export interface GivenValue {
  readonly value: Value;
  readonly place: Expression;
  /** Its name, where it was given by keyword. */
  readonly keyword?: Name;
}

/** The arguments of one call. */
export interface Arguments {
  readonly call: Call;
  readonly positional: readonly GivenValue[];
  readonly keywords: ReadonlyMap<string, GivenValue>;
}

/** Evaluates all arguments from left to right; undefined if one of them is wrong. */
export function evaluateArguments(checking: Checking, call: Call): Arguments | undefined {
  const positional: GivenValue[] = [];
  const keywords = new Map<string, GivenValue>();
  let fine = true;
  for (const { form, keyword, value: place } of call.arguments) {
    const value = checking.evaluate(place);
    if (value.kind === "invalid") fine = false;
    if (form === "positional") positional.push({ value, place });
    else if (form === "keyword" && keyword) keywords.set(keyword.id, { value, place, keyword });
    else if (form === "star" && value.kind === "sequence") {
      checking.collect(value.items.length, place);
      for (const item of value.items) positional.push({ value: item, place });
    } else if (form === "double_star" && value.kind === "dictionary") {
      for (const [key, item] of value.entries) keywords.set(`${key}`, { value: item, place });
    } else if (value.kind !== "invalid") {
      const message = `Cannot unpack ${
        checking.text(place)
      }: wanted a list after *, a dictionary after **`;
      checking.error("names/arguments", message, place, "write the arguments one by one");
      fine = false;
    }
  }
  return fine ? { call, positional, keywords } : undefined;
}

/** A value computed from arguments, some of which touch the response. */
export function deriveFrom(checking: Checking, call: Call, args: Arguments): Value {
  return checking.derive(call, ...allArguments(args).map(({ value }) => value));
}

/** All arguments, in order. */
export function allArguments({ positional, keywords }: Arguments): GivenValue[] {
  return [...positional, ...keywords.values()];
}

/** Whether some argument is the response or was computed from it, also inside of lists. */
export function anyTouchesResponse(given: readonly GivenValue[]): boolean {
  return given.some(({ value }) => carriesResponse(value));
}

/** Whether a value, or an item of it, is the response or was computed from it. */
export function carriesResponse(value: Value): boolean {
  return holds(value, touchesResponse);
}

/** Whether a value, or an item of it however deep, is such a one; lists may hold one another. */
export function holds(value: Value, isSuch: (value: Value) => boolean): boolean {
  if (value.kind !== "sequence" && value.kind !== "dictionary") return isSuch(value);
  const seen = new Set<Value>([value]);
  for (const one of seen) { // iterates over a set to its end, also while it grows
    const items = one.kind === "sequence"
      ? one.items
      : one.kind === "dictionary"
      ? one.entries.values()
      : undefined;
    if (!items && isSuch(one)) return true;
    for (const item of items ?? []) seen.add(item);
  }
  return false;
}

/** Names of a signature: positional ones, of which the first `required` must be given. */
interface Parameters {
  readonly names: readonly string[];
  readonly required: number;
  /** By keyword only. */
  readonly keywordOnly?: readonly string[];
  /** Read and without effect. */
  readonly ignored?: readonly string[];
  /** Other keywords for some of the names. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/** Arguments by name; undefined, with a finding, if they do not fit the signature. */
export function bind(
  checking: Checking,
  args: Arguments,
  text: string,
  { names, required, keywordOnly = [], ignored = [], aliases = {} }: Parameters,
): Map<string, GivenValue> | undefined {
  const bound = new Map<string, GivenValue>();
  if (args.positional.length > names.length) {
    return refuse(checking, args.call, text, countOf(names, required), args.positional.length);
  }
  args.positional.forEach((given, i) => bound.set(names[i], given));
  for (const [keyword, given] of args.keywords) {
    const alias = !names.includes(keyword) && Object.hasOwn(aliases, keyword);
    const name = alias ? aliases[keyword] : keyword;
    const place = given.keyword ?? given.place;
    if (ignored.includes(name)) continue;
    if (bound.has(name)) {
      const message = `Cannot call ${text}: ${name} is given twice`;
      checking.error("names/repeated-argument", message, place);
      return undefined;
    }
    if (!names.includes(name) && !keywordOnly.includes(name)) {
      const message = `Cannot use ${name}= in ${text}: no such argument, or not in the subset`;
      const hint = knownNames(name, "arguments", [...names, ...keywordOnly]);
      checking.error("names/unknown-argument", message, place, hint);
      return undefined;
    }
    bound.set(name, given);
  }
  const missing = names.slice(0, required).filter((name) => !bound.has(name));
  if (missing.length === 0) return bound;
  const message = `Cannot call ${text}: missing ${missing.join(" and ")}`;
  checking.error("names/missing-argument", message, args.call);
  return undefined;
}

function countOf(names: readonly string[], required: number): string {
  if (names.length === required) return `${required}`;
  return `${required} to ${names.length}`;
}

function refuse(
  checking: Checking,
  call: Place,
  text: string,
  wanted: string,
  found: number,
): undefined {
  const noun = wanted === "1" ? "argument" : "arguments";
  const message = `Cannot call ${text}: wanted ${wanted} ${noun} by position, found ${found}`;
  checking.error("names/arguments", message, call);
}
