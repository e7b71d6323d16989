/** Which tokens of a vocabulary can go on with a text, given what can begin one. */

/** What a language says of texts. */
export interface TextRules {
  /** Whether a text can be the beginning of one that is wanted; every beginning of such a text can. */
  canBegin(text: string): boolean;
  /** Whether a text is one that is wanted. */
  canEnd(text: string): boolean;
  /** Words that are told apart where a text goes on; any others are alike. */
  knownWords(text: string): ReadonlySet<string>;
}

/** What is known of tokens. */
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

const word = /[A-Za-z_][A-Za-z0-9_]*/g;
const unit = /[A-Za-z_][A-Za-z0-9_]*|[0-9][A-Za-z0-9_]*|[^]/gu;
/** A word that no program holds. */
const strange = "zq_zq";

/** States whose legal tokens are remembered. */
const mostStates = 20_000;

/**
 * The tokens behind which a text can still become one that is wanted. Tokens are told apart by their
 * characters, by their numbers' first digits, and by words that are known; a text is asked about once
 * for all that are alike. Tokens that are not the canonical ones of what they spell, such as parts of a
 * character, are never legal.
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
 *   knownWords: () => new Set(["abab"]),
 * });
 * assert.deepEqual([...mask.legal("")], [0, 2]);
 * assert.deepEqual([...mask.legal("abab")], [4]);
 * ```
 */
export class TokenMask {
  readonly #groups: readonly Group[];
  readonly #words: ReadonlyMap<number, readonly string[]>;
  readonly #spelt: readonly string[];
  readonly #known = new Map<string, Int32Array>();

  /** Groups the tokens that the rules cannot tell apart. */
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
    this.#words = new Map(spelt.map((text, id) => [id, text.match(word) ?? []]));
  }

  /** Ids in rising order, the end among them where the text may end; none where nothing can follow. */
  legal(text: string): Int32Array {
    const known = this.#known.get(text);
    if (known) return known;
    const made = this.#find(text);
    if (this.#known.size >= mostStates) this.#known.clear();
    this.#known.set(text, made);
    return made;
  }

  #find(text: string): Int32Array {
    const verdicts = new Map<string, boolean>();
    const canFollow = (units: readonly string[]): boolean => {
      let behind = "";
      return units.every((one) => {
        behind += one;
        let verdict = verdicts.get(behind);
        if (verdict === undefined) {
          verdict = this.rules.canBegin(text + behind);
          verdicts.set(behind, verdict);
        }
        return verdict;
      });
    };
    const tail = /[A-Za-z_][A-Za-z0-9_]*$/.exec(text)?.[0] ?? "";
    const beginnings = beginningsOf(this.rules.knownWords(text));
    const found: number[] = [];
    for (const { units, ids } of this.#groups) {
      const first = units[0];
      if (first !== strange && !canFollow([first])) continue;
      const asGroup = canFollow(units);
      for (const id of ids) {
        const words = this.#words.get(id)!;
        const isKnown = words.some((one, i) =>
          beginnings.has(i === 0 && first === strange ? tail + one : one)
        );
        if (isKnown ? canFollow(this.#spelt[id].match(unit)!) : asGroup) found.push(id);
      }
    }
    if (this.rules.canEnd(text)) found.push(this.tokens.end);
    return Int32Array.from(found).sort();
  }
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
