/** Computes which tokens of a vocabulary can continue a text, given a test of valid beginnings. */

/** Rules of a language about texts. */
export interface TextRules {
  /** Whether a text can begin a valid one; every prefix of a valid text can. */
  canBegin(text: string): boolean;
  /** Whether a text is valid. */
  canEnd(text: string): boolean;
  /** Words that matter for continuations, of any text and of this one; all others are equivalent. */
  knownWords(text: string): {
    readonly general: ReadonlySet<string>;
    readonly own: ReadonlySet<string>;
  };
  /** A key of texts with equal continuations, except for their own words; undefined for a unique text. */
  likeness?(text: string): string | undefined;
}

/** Facts about tokens. */
export interface MaskTokens {
  /** Number of tokens; ids are below it. */
  readonly vocabulary: number;
  /** Id of the token that ends a text. */
  readonly end: number;
  /** Characters of a token. */
  spell(id: number): string;
  /** Canonical ids of a text. */
  encode(text: string): readonly number[];
}

/** Tokens that are alike but for their words. */
interface Group {
  /** A text of this shape, in parts: words, and characters. */
  readonly units: readonly string[];
  readonly ids: readonly number[];
}

/** Tokens that may follow all texts that are alike, and those that each of them has to be asked about. */
interface Shared {
  readonly legal: Int32Array;
  readonly left: readonly number[];
}

const wordAtEnd = /[A-Za-z_][A-Za-z0-9_]*$/;
const word = /[A-Za-z_][A-Za-z0-9_]*/g;
const unit = /[A-Za-z_][A-Za-z0-9_]*|[0-9][A-Za-z0-9_]*|[^]/gu;
/** A word that no program holds. */
const strange = "zq_zq";

/** States whose legal tokens are remembered. */
const mostStates = 20_000;

/**
 * The tokens behind which a text can still become a valid one. Tokens are grouped by their
 * characters, by their numbers' first digits, and by known words; one text is checked for each group,
 * and texts that continue alike share legal tokens except for their own words. Tokens that are not
 * canonical for the text that they spell, such as parts of a character, are never legal.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { TokenMask } from "./token_mask.ts";
 * const spelt = ["a", "b", "ab", "("];
 * const mask = new TokenMask({
 *   vocabulary: 5, end: 4,
 *   spell: (id) => spelt[id] ?? "",
 *   encode: (text) => [spelt.indexOf(text)],
 * }, {
 *   canBegin: (text) => "abab".startsWith(text), canEnd: (text) => text === "abab",
 *   knownWords: () => ({ general: new Set(["abab"]), own: new Set() }),
 * });
 * assert.deepEqual([...mask.legal("")], [0, 2]);
 * assert.deepEqual([...mask.legal("abab")], [4]);
 * ```
 */
export class TokenMask {
  readonly #groups: readonly Group[];
  readonly #words: readonly (readonly string[])[];
  readonly #spelt: readonly string[];
  /** Tokens by the words that they begin with, and by those further on. */
  readonly #beginning = new Map<string, number[]>();
  readonly #within = new Map<string, number[]>();
  readonly #known = new Map<string, Int32Array>();
  readonly #alike = new Map<string, Shared>();
  readonly #prefixes = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>();

  /** Groups the tokens that the rules do not distinguish. */
  constructor(readonly tokens: MaskTokens, readonly rules: TextRules) {
    const { vocabulary, end, spell, encode } = tokens;
    const spelt = Array.from({ length: vocabulary }, (_, id) => {
      const text = id === end ? "" : spell(id);
      return isCanonical(id, text, encode) ? text : "";
    });
    const groups = new Map<string, { units: string[]; ids: number[] }>();
    spelt.forEach((text, id) => {
      if (text === "") return;
      const units = shapeOf(text);
      const key = units.join("");
      const group = groups.get(key) ?? { units, ids: [] };
      group.ids.push(id);
      groups.set(key, group);
    });
    this.#spelt = spelt;
    this.#groups = [...groups.values()];
    this.#words = spelt.map((text) => text.match(word) ?? []);
    spelt.forEach((text, id) => this.#index(text, id));
  }

  #index(text: string, id: number): void {
    this.#words[id].forEach((one, i) => {
      const map = i === 0 && text.startsWith(one) ? this.#beginning : this.#within;
      const ids = map.get(one) ?? [];
      if (ids.at(-1) !== id) ids.push(id);
      map.set(one, ids);
    });
  }

  /** Ids in rising order, the end among them where the text may end; none where nothing can follow. */
  legal(text: string): Int32Array {
    return remembered(this.#known, text, () => this.#find(text));
  }

  #find(text: string): Int32Array {
    const { general, own } = this.rules.knownWords(text);
    const ofOwn = this.#spellingOwn(text, own);
    const canFollow = this.#follower(text);
    const find = () => this.#inGeneral(text, general, ofOwn, canFollow);
    const key = this.rules.likeness?.(text);
    const { legal, left } = key === undefined ? find() : remembered(this.#alike, key, find);
    const found = new Set(legal);
    for (const id of new Set([...ofOwn, ...left])) {
      if (canFollow(this.#spelt[id].match(unit)!)) found.add(id);
      else found.delete(id);
    }
    if (this.rules.canEnd(text)) found.add(this.tokens.end);
    return Int32Array.from(found).sort();
  }

  /** Whether a text can continue with these parts; each beginning of them is checked once. */
  #follower(text: string): (units: readonly string[]) => boolean {
    const verdicts = new Map<string, boolean>();
    return (units) => {
      let behind = "";
      return units.every((one) => {
        behind += one;
        return remembered(verdicts, behind, () => this.rules.canBegin(text + behind));
      });
    };
  }

  /** Tokens that may follow, if words of the text are like any others. */
  #inGeneral(
    text: string,
    general: ReadonlySet<string>,
    ofOwn: ReadonlySet<number>,
    canFollow: (units: readonly string[]) => boolean,
  ): Shared {
    const tail = wordAtEnd.exec(text)?.[0] ?? "";
    const beginnings = this.#beginningsOf(general);
    const [legal, left]: [number[], number[]] = [[], []];
    for (const { units, ids } of this.#groups) {
      const first = units[0];
      if (first !== strange && !canFollow([first])) continue;
      const asGroup = canFollow(units);
      for (const id of ids) {
        const isKnown = this.#words[id].some((one, i) =>
          beginnings.has(i === 0 && first === strange ? tail + one : one)
        );
        if (isKnown && ofOwn.has(id)) left.push(id);
        else if (isKnown ? canFollow(this.#spelt[id].match(unit)!) : asGroup) legal.push(id);
      }
    }
    return { legal: Int32Array.from(legal), left };
  }

  /** Tokens that hold the beginning of a word of the text. */
  #spellingOwn(text: string, own: ReadonlySet<string>): ReadonlySet<number> {
    const tail = wordAtEnd.exec(text)?.[0] ?? "";
    const found = new Set<number>();
    for (const one of beginningsOf(own)) {
      for (const id of this.#within.get(one) ?? []) found.add(id);
      if (!one.startsWith(tail)) continue;
      for (const id of this.#beginning.get(one.slice(tail.length)) ?? []) found.add(id);
    }
    return found;
  }

  #beginningsOf(words: ReadonlySet<string>): ReadonlySet<string> {
    const known = this.#prefixes.get(words) ?? beginningsOf(words);
    this.#prefixes.set(words, known);
    return known;
  }
}

function remembered<T>(known: Map<string, T>, key: string, make: () => T): T {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  if (known.size >= mostStates) known.clear();
  known.set(key, made);
  return made;
}

function isCanonical(id: number, text: string, encode: MaskTokens["encode"]): boolean {
  if (text === "") return false;
  try {
    const ids = encode(text);
    return ids.length === 1 && ids[0] === id;
  } catch {
    return false; // Its spelling cannot be read back.
  }
}

/** Words become the strange one, digits behind the first ones, letters of other scripts one letter. */
function shapeOf(text: string): string[] {
  return (text.match(unit) ?? []).map((one) => {
    if (/^[A-Za-z_]/.test(one)) return strange;
    if (/^[1-9]/.test(one)) return one.replace(/[2-9]/g, "1");
    if (one <= "\x7f") return one;
    return /\p{XIDS}/u.test(one) ? "é" : "☃";
  });
}

function beginningsOf(words: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const one of words) for (let i = 1; i <= one.length; i++) found.add(one.slice(0, i));
  return found;
}
