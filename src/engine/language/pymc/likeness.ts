/** Beginnings of programs that go on alike: the same but for names, numbers, words in quotes. */
import { keywords } from "../syntax/cursor.ts";
import { lastStatement, outline } from "../syntax/last_statement.ts";

/** Names that were bound before a statement, as far as likeness distinguishes them. */
interface Names {
  readonly bound: ReadonlySet<string>;
  readonly aliases: ReadonlyMap<string, string>;
}

/** Characters outside of ASCII, continued lines, long strings: handled one by one. */
const strange = /[^\0-\x7f]|\\|"""|'''/;
/** Letters that may become the prefix of a string. */
const letters = /^[bfru]{1,2}$/i;
/** A prefix of a string, where strings and comments are empty. */
const prefixed = /[A-Za-z0-9_]["']/;
const filled = /"[^"\n]*"|'[^'\n]*'|#[^\n]*/g;
const part =
  /"[^"\n]*"|'[^'\n]*'|"[^"\n]*$|'[^'\n]*$|#[^\n]*$|[A-Za-z_][A-Za-z0-9_]*|[0-9][A-Za-z0-9_.]*|[^]/g;

/**
 * A key that beginnings share which have the same continuations, but for words of their own;
 * undefined for those that are handled one by one.
 *
 * @param general Words that every program may read, which stay as they are.
 * @param namesBefore Names after whole statements; undefined if these begin no program.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { likenessOf } from "./likeness.ts";
 * const names = () => ({ bound: new Set(["a", "b"]), aliases: new Map() });
 * const key = (text: string) => likenessOf(text, new Set(["abs"]), names);
 * assert.equal(key('ab = f("x", 1)\ncd = a + '), key('q = 1\nce = b + '));
 * assert.notEqual(key("cd = a + "), key("cd = (a + "));
 * ```
 */
export function likenessOf(
  text: string,
  general: ReadonlySet<string>,
  namesBefore: (text: string) => Names | undefined,
): string | undefined {
  const { before, around, open, isWhole } = lastStatement(text) ?? outline(text);
  if (strange.test(around + open) || prefixed.test((around + open).replace(filled, '""'))) {
    return undefined;
  }
  if (/^\s*(import|from)\b/.test(open)) return undefined;
  const names = namesBefore(before);
  return names && `${isWhole}\n${shapeOf(around + open, general, names)}`;
}

function shapeOf(text: string, general: ReadonlySet<string>, names: Names): string {
  const parts = text.match(part) ?? [];
  const places = new Map<string, number>();
  let last = "";
  const shape = parts.map((one, i) => {
    const isLast = i === parts.length - 1;
    const before = last;
    if (one.trim() !== "") last = one;
    if (/^["']/.test(one)) return quoted(one, isLast);
    if (one[0] === "#") return "#";
    if (/^[0-9]/.test(one)) return numeral(one);
    if (!/^[A-Za-z_]/.test(one) || keywords.has(one)) return one;
    if (before === ".") return isLast ? one : "m";
    if (!places.has(one)) places.set(one, places.size);
    const said = isLast ? beginsOne(general, one) || letters.test(one) : general.has(one);
    const again = isLast && new RegExp(`\\b${one}\\s*=`).test(text) ? "k" : "";
    return `{${said ? one : places.get(one)}:${again}${marksOf(one, isLast, names)}}`;
  });
  return renumbered(withoutRead(shape.join(""), openBracket(parts, shape)));
}

/** Where the first bracket begins that is still open; the length of the shape if none is. */
function openBracket(parts: readonly string[], shape: readonly string[]): number {
  const open: number[] = [];
  let at = 0;
  parts.forEach((one, i) => {
    if ("([{".includes(one)) open.push(at);
    else if (")]}".includes(one)) open.pop();
    at += shape[i].length;
  });
  return open[0] ?? at;
}

/** A name that is bound, a value, an argument, and a place where a value may begin. */
const name = String.raw`\{[^{}:]*:k?:1?b[^{}]*\}`;
const atom = String.raw`(?:${name}|["']s["']|[0-9]+(?:\.[0-9]+)?|x)`;
const argument = String.raw`(?:\{[^{}]*\}=)?${atom}`;
const begins = String.raw`(?<=[(,=[+\-*/])`;
/** Forms inside of brackets that were read whole, and decide nothing of what follows. */
const read: readonly (readonly [RegExp, string])[] = [
  [String.raw`\s*([(),=[\]+\-*/])\s*(?=[^])`, "$1"],
  [String.raw`${begins}${atom}\.m(?=[^])`, "x"],
  [String.raw`${begins}(?:${name}|x)\((?:${argument},)*(?:${argument})?\)`, "x"],
  [String.raw`${begins}(?:${name}|x)\[${atom}\]`, "x"],
  [String.raw`(?<=[(,=[])${atom}(?:[+\-/]|\*\*?)${atom}(?=[+\-*/,)\]])`, "x"],
  [String.raw`(?<=[(,])\{[^{}]*\}=${atom},`, "k,"],
  ["(?:k,)+", "k,"],
  [String.raw`(?<=[(,[])${atom},`, "x,"],
  ["(?:x,)+", "x,"],
].map(([found, put]) => [new RegExp(found, "g"), put]);

function withoutRead(shape: string, from: number): string {
  const head = shape.slice(0, from);
  let rest = shape.slice(from);
  for (let before = ""; before !== rest;) {
    before = rest;
    for (const [found, put] of read) rest = rest.replace(found, put);
  }
  return head + rest;
}

function renumbered(shape: string): string {
  const places = new Map<string, number>();
  return shape.replace(/\{([0-9]+):/g, (_, one) => {
    if (!places.has(one)) places.set(one, places.size);
    return `{${places.get(one)}:`;
  });
}

/** Marks that decide whether a name may be read, and what may follow it. */
function marksOf(name: string, isLast: boolean, { bound, aliases }: Names): string {
  const goesOn = isLast && beginsOne(bound, name) ? "+" : "";
  const one = name.length === 1 ? "1" : "";
  return `:${one}${bound.has(name) ? "b" : ""}${goesOn}${aliases.get(name) ?? ""}`;
}

function beginsOne(words: ReadonlySet<string>, beginning: string): boolean {
  for (const one of words) if (one.startsWith(beginning)) return true;
  return false;
}

/** Letters in quotes say nothing; that there are some does, for two quotes may become three. */
function quoted(text: string, isLast: boolean): string {
  const closed = text.length > 1 && text.at(-1) === text[0];
  if (closed) return text.length > 2 || !isLast ? `${text[0]}s${text[0]}` : text;
  return text.length > 1 ? `${text[0]}s` : text[0];
}

function numeral(text: string): string {
  return /^[1-9][0-9]*$/.test(text) ? "1" : text.replace(/^([0-9]+\.)[0-9]+$/, "1.1");
}
