/** Texts of the tokens of a language model, up to a length, without a list of objects. */
import { digestOf } from "../../base/digest.ts";
import { inputError } from "../../base/diagnostic.ts";
import { log } from "../../numerics/math/mod.ts";
import type { Environment, TerminalObject } from "./environment.ts";
import { legalCount, maskOfRow, placeIn } from "./legal_actions.ts";
import { unclosedText } from "./thoughts.ts";
import { tokensKind, type TokenSource } from "./tokens.ts";
import { type WholePattern, wholePattern } from "../../base/whole_pattern.ts";

/** Tokens of a model where any of them may follow. */
export interface FreeTokenSource extends TokenSource {
  /** The text of tokens. */
  decode(ids: readonly number[]): string;
  /** `mask = "language"`: the tokens that can follow a text. */
  readonly mask?: { legal(text: string): Int32Array };
}

/** The plain JSON of an environment of free texts. */
export interface FreeTokenSpec {
  /** Environment of derivations by names; null where there are texts alone. */
  readonly of: { readonly kind: string; readonly spec: unknown } | null;
  /** Whether any token may follow, or only those that can continue a program. */
  readonly mask: "none" | "language";
  /** A text that holds one of these is over: the end alone may follow. */
  readonly stop?: readonly string[];
  /** A text that it does not match as a whole is no object of its own: {@linkcode wholePattern}. */
  readonly pattern?: string;
  /** Name and digest of the model, and of its tokenizer, which is needed to read texts. */
  readonly model: string;
  /** Digest of the model, 64 hexadecimal digits. */
  readonly sha256: string;
  /** Digest of the tokenizer, 64 hexadecimal digits. */
  readonly tokenizer: string;
  /** Number of tokens; ids are below it. */
  readonly vocabulary: number;
  /** Id of the token that ends a text. */
  readonly end: number;
  /** Most tokens of a text, the end included; one so long was cut off. */
  readonly most: number;
}

/** The tokens so far. */
export type TokenState = readonly number[];

/**
 * Whether an environment's texts are free: no grammar checks them.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "./built_in_environments.ts";
 * import { writesFreely } from "./free_tokens.ts";
 * const environment = environmentNamed("numbers", { max: 9, base: 10 });
 * assert(!writesFreely(environment));
 * ```
 */
export function writesFreely({ kind, spec }: Pick<Environment, "kind" | "spec">): boolean {
  return kind === tokensKind && (spec as { readonly mask: string }).mask !== "trie";
}

/**
 * All texts of a model's tokens. Every token may follow, the end included, or those that the mask
 * of a language allows; after `most − 1` tokens, behind a stop string, or where nothing can follow,
 * the end alone. A text is rewarded by its canonical tokens only: other
 * tokens of the same text, and texts that were cut off, are objects of their own, whose text is a
 * comment that says so, and no program.
 *
 * @param of Environment whose objects these texts may be; left out for texts of their own.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { freeTokens } from "./free_tokens.ts";
 * const source = {
 *   digest: "letters", vocabulary: 256, context: 64, end: 0,
 *   encode: (text: string) => [...text].map((letter) => letter.charCodeAt(0)),
 *   decode: (ids: readonly number[]) => String.fromCharCode(...ids),
 *   spell: (id: number) => String.fromCharCode(id),
 * };
 * const free = freeTokens(undefined, source, {
 *   of: null, mask: "none", model: "letters", sha256: "", tokenizer: "letters",
 *   vocabulary: 256, end: 0, most: 4,
 * });
 * assert.equal(free.terminal([55, 56]).text, "78");
 * assert.match(free.terminal([55, 56, 57]).text, /^# cut off after 3 tokens/);
 * ```
 */
export function freeTokens(
  of: Environment | undefined,
  source: FreeTokenSource,
  spec: FreeTokenSpec,
): Environment<TokenState> {
  const { vocabulary, end, most, stop = [] } = spec;
  const pattern = spec.pattern === undefined ? undefined : wholePattern(spec.pattern);
  const onlyEnd = Int32Array.of(end);
  const { mask } = source;
  if (spec.mask === "language" && !mask) throw new Error("internal: a language without its mask");
  const isStopped = (ids: TokenState) => {
    if (stop.length === 0) return false;
    const text = source.decode(ids);
    return stop.some((one) => text.includes(one));
  };
  const follow = (ids: TokenState) => mask!.legal(source.decode(ids));
  const legal = (ids: TokenState): Int32Array | "all" => {
    if (ids.length >= most - 1 || isStopped(ids)) return onlyEnd;
    if (spec.mask === "none") return "all";
    const found = follow(ids);
    return found.length > 0 ? found : onlyEnd;
  };
  const isDead = (ids: TokenState) => spec.mask === "language" && follow(ids).length === 0;
  const logPriorOf = (ids: TokenState) => 0 - log(legalCount(legal(ids), vocabulary));
  const actionsOf = (text: string) => {
    const ids = source.encode(text);
    if (ids.length >= most - 1) return undefined;
    const walked = [...ids, end];
    const isLegal = walked.every((id, t) => placeIn(legal(walked.slice(0, t)), id) >= 0);
    return isLegal ? walked : undefined;
  };
  return {
    kind: tokensKind,
    digest: digestOf({ kind: tokensKind, spec }),
    spec,
    actionNames: Array.from({ length: vocabulary }, (_, id) => id === end ? "end" : `token ${id}`),
    exitAction: end,
    maxActions: most,
    count: Infinity,
    initialState: () => [],
    legalActions: (ids) => maskOfRow(legal(ids), vocabulary),
    step(ids, id) {
      if (id === end || placeIn(legal(ids), id) < 0) {
        throw new Error(`internal: token ${id} is illegal`);
      }
      return [...ids, id];
    },
    logPrior: (ids) => {
      const all = new Float64Array(vocabulary).fill(-Infinity);
      const row = legal(ids);
      if (row === "all") return all.fill(logPriorOf(ids));
      for (const id of row) all[id] = logPriorOf(ids);
      return all;
    },
    rows: { legal, logPriorOf },
    terminal: (ids): TerminalObject => ({
      text: isDead(ids) ? deadText(ids) : matching(textOf(ids, source, most), pattern),
      logPrior: [...ids, end].reduce((sum, _, t) => sum + logPriorOf(ids.slice(0, t)), 0),
      actions: [...ids, end],
      features: [],
    }),
    enumerate: () => {
      const message = "Cannot list the texts of a model that writes freely";
      throw inputError("tokens/free", message, undefined, 'set mask = "trie" in its stage');
    },
    ...(of && { written: { of, actionsOf } }),
  };
}

/** Reason for which a text is no program, for the counts of a batch. */
export type Broken = "cut_off" | "dead_end" | "empty" | "not_canonical" | "unclosed" | "unmatched";

const beginningOf: Readonly<Record<Broken, string>> = {
  cut_off: "# cut off after ",
  dead_end: "# nothing can follow after ",
  empty: "# nothing was written",
  not_canonical: "# not the canonical tokens of a text: ",
  unclosed: unclosedText,
  unmatched: "# does not match the pattern: ",
};

/**
 * Why an object of such an environment is no program; undefined if it may be one.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { brokenAs } from "./free_tokens.ts";
 * assert.equal(brokenAs("import pymc as pm"), undefined);
 * ```
 */
export function brokenAs(text: string): Broken | undefined {
  return (Object.keys(beginningOf) as Broken[]).find((key) => text.startsWith(beginningOf[key]));
}

function deadText(ids: TokenState): string {
  return `${beginningOf.dead_end}${ids.length} tokens: ${ids.join(" ")}\n`;
}

function textOf(ids: TokenState, source: FreeTokenSource, most: number): string {
  if (ids.length >= most - 1) {
    return `${beginningOf.cut_off}${ids.length} tokens: ${ids.join(" ")}\n`;
  }
  const text = source.decode(ids);
  if (ids.length === 0) return `${beginningOf.empty}\n`;
  if (text !== "" && isCanonical(ids, text, source)) return text;
  return `${beginningOf.not_canonical}${ids.join(" ")}\n`;
}

/** A text, or a comment on its mismatch. */
function matching(text: string, pattern: WholePattern | undefined): string {
  if (!pattern || brokenAs(text) !== undefined || pattern.match(text).isMatch) return text;
  return `${beginningOf.unmatched}${JSON.stringify(text)}\n`;
}

function isCanonical(ids: TokenState, text: string, { encode }: FreeTokenSource): boolean {
  try {
    const canonical = encode(text);
    return canonical.length === ids.length && canonical.every((id, i) => id === ids[i]);
  } catch {
    return false; // Its tokens decode to another text.
  }
}
