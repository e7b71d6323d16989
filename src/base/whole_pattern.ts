/** Regular expressions of whole texts, matched in a number of steps that grows with the text alone. */
import { inputError } from "./diagnostic.ts";

/** A compiled pattern. */
export interface WholePattern {
  /** States; a match takes at most `size × (code points + 1)` steps. */
  readonly size: number;
  /** Whether the whole text matches, and in how many steps that was found. */
  match(text: string): { readonly isMatch: boolean; readonly steps: number };
}

/** Most states, and most brackets in brackets. */
const [mostStates, mostNested] = [5000, 100];

interface Repeat {
  readonly kind: "repeat";
  readonly part: Part;
  readonly least: number;
  readonly most: number;
}

type Part =
  | { readonly kind: "one"; readonly letter: RegExp }
  | { readonly kind: "edge"; readonly edge: "^" | "$" }
  | { readonly kind: "sequence"; readonly parts: readonly Part[] }
  | { readonly kind: "choice"; readonly parts: readonly Part[] }
  | Repeat;

/** A state with transitions to others: without a letter, past a letter, or past an edge of the text. */
interface State {
  readonly letter?: RegExp;
  readonly edge?: "^" | "$";
  to: readonly number[];
}

/**
 * Compiles a regular expression (JavaScript's syntax, flags `s` and `u`) that a whole text has to match.
 * All states are followed at once (Thompson 1968), so no text makes it go back and try again, as a
 * matcher that backtracks does on `(a+)+b`. Refused: references to groups, looking ahead or behind, edges
 * of words, flags within the pattern.
 *
 * @throws InputError `pattern/…` with the part that is refused.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { wholePattern } from "./whole_pattern.ts";
 * const { size, match } = wholePattern("(a+)+b");
 * assert.ok(match("aaab").isMatch);
 * const { isMatch, steps } = match("a".repeat(10_000));
 * assert.ok(!isMatch && steps <= size * 10_001);
 * ```
 */
export function wholePattern(source: string): WholePattern {
  const states: State[] = [];
  const last = add(states, { to: [] });
  const first = emit(new Reader(source).read(), last, states, source);
  const match = (text: string) => follow(states, first, last, text);
  return { size: states.length, match };
}

function follow(states: readonly State[], first: number, last: number, text: string) {
  const letters = [...text];
  const seenAt = new Int32Array(states.length).fill(-1);
  let steps = 0;
  let open = [first];
  for (let t = 0; t <= letters.length && open.length > 0; t++) {
    const past: number[] = [];
    while (open.length > 0) {
      const at = open.pop()!;
      if (seenAt[at] === t) continue;
      seenAt[at] = t;
      steps++;
      const { letter, edge, to } = states[at];
      if (letter) {
        if (t < letters.length && letter.test(letters[t])) past.push(...to);
      } else if (!edge || t === (edge === "^" ? 0 : letters.length)) open.push(...to);
    }
    open = past;
  }
  return { isMatch: seenAt[last] === letters.length, steps };
}

function add(states: State[], state: State): number {
  return states.push(state) - 1;
}

/** Adds the states of a part before the state `next`; the first of them. */
function emit(part: Part, next: number, states: State[], source: string): number {
  if (states.length > mostStates) {
    throw refused(source, "large", `has more than ${mostStates} states`, "repeat less often");
  }
  if (part.kind === "one") return add(states, { letter: part.letter, to: [next] });
  if (part.kind === "edge") return add(states, { edge: part.edge, to: [next] });
  if (part.kind === "choice") {
    return add(states, { to: part.parts.map((one) => emit(one, next, states, source)) });
  }
  if (part.kind === "sequence") {
    return part.parts.reduceRight((after, one) => emit(one, after, states, source), next);
  }
  return emitRepeat(part, next, states, source);
}

function emitRepeat(repeat: Repeat, next: number, states: State[], source: string): number {
  const { part: inner, least, most } = repeat;
  let at = next;
  if (most === Infinity) {
    at = add(states, { to: [] });
    states[at].to = [emit(inner, at, states, source), next];
  } else {
    for (let k = least; k < most; k++) {
      at = add(states, { to: [emit(inner, at, states, source), next] });
    }
  }
  for (let k = 0; k < least; k++) {
    const before = emit(inner, at, states, source);
    if (before === at) break; // nothing, however often
    at = before;
  }
  return at;
}

/** One code point, or one class of them, as JavaScript writes it in patterns with the flag `u`. */
const atom =
  /\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u\{[^}]*\}|\\u....|\\x..|\\c.|\\[pP]\{[^}]*\}|\\k<[^>]*>|\\.|\[(?:\\.|[^\]\\])*\]|[^]/suy;

/** How often: `*`, `+`, `?`, `{3}`, `{3,}`, `{3,5}`; lazy or not is the same for whole texts. */
const quantifier = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/uy;

const ranges = { "*": [0, Infinity], "+": [1, Infinity], "?": [0, 1] } as const;

/** Reads a pattern that JavaScript reads, too. */
class Reader {
  #at = 0;
  #depth = 0;

  constructor(readonly source: string) {
    try {
      new RegExp(source, "su");
    } catch (error) {
      const why = error instanceof Error ? error.message.split(": ").at(-1) : `${error}`;
      throw refused(source, "syntax", `is no regular expression: ${why}`, "mend it");
    }
  }

  read(): Part {
    const parts = [this.#sequence()];
    while (this.#takes("|")) parts.push(this.#sequence());
    return parts.length === 1 ? parts[0] : { kind: "choice", parts };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.source.length && !"|)".includes(this.source[this.#at])) {
      parts.push(this.#repeated(this.#one()));
    }
    return { kind: "sequence", parts };
  }

  #repeated(part: Part): Part {
    const found = this.#match(quantifier);
    if (!found) return part;
    const [, sign, few, comma, many] = found;
    const [least, most] = sign
      ? ranges[sign as keyof typeof ranges]
      : [Number(few), many ? Number(many) : comma ? Infinity : Number(few)];
    if (Math.max(least, most === Infinity ? 0 : most) > mostStates) {
      const hint = `repeat at most ${mostStates} times`;
      throw refused(this.source, "large", `repeats a part too often (${found[0]})`, hint);
    }
    return { kind: "repeat", part, least, most };
  }

  #one(): Part {
    if (this.#takes("(")) return this.#group();
    const [text] = this.#match(atom)!;
    if (text === "^" || text === "$") return { kind: "edge", edge: text };
    if (/^\\[1-9k]/.test(text)) throw this.#refused(text, "refers back to a group");
    if (/^\\[bB]/.test(text)) throw this.#refused(text, "looks for the edge of a word");
    return { kind: "one", letter: new RegExp(`^${text}$`, "su") };
  }

  #group(): Part {
    const [begin] = this.#match(/(?:\?(?::|<?[=!]|<[^>]*>|[-a-z]*:))?/uy)!;
    if (/[=!]$/.test(begin)) throw this.#refused(`(${begin}`, "looks ahead or behind");
    if (/^\?[-a-z]/.test(begin)) throw this.#refused(`(${begin}`, "changes flags");
    if (++this.#depth > mostNested) {
      const hint = "write fewer brackets in brackets";
      throw refused(this.source, "deep", `is nested more than ${mostNested} levels deep`, hint);
    }
    const part = this.read();
    this.#depth--;
    this.#takes(")");
    return part;
  }

  #takes(letter: string): boolean {
    const isThere = this.source[this.#at] === letter;
    if (isThere) this.#at++;
    return isThere;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.source);
    if (found) this.#at += found[0].length;
    return found;
  }

  #refused(part: string, what: string) {
    const hint = "write it by letters, classes, groups, |, *, +, ? and {n,m} alone";
    const why = `${what} (${part}), which may take for ever on a text that a policy writes`;
    return refused(this.source, "unbounded", why, hint);
  }
}

function refused(source: string, code: string, why: string, hint: string) {
  const shown = source.length > 60 ? `${source.slice(0, 60)}…` : source;
  return inputError(`pattern/${code}`, `The pattern ${shown} ${why}`, undefined, hint);
}
