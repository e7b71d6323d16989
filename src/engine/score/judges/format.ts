/** The judge `format`: the shape of a text, 0 … 1. */
import { defineJudge, type Judge } from "./judge.ts";
import { codeOf, evenly } from "./code_of.ts";

/** Demands on a text; those that are left out are not checked. */
export interface FormatSettings {
  /** `one`: exactly one block of code between fences; `none`: no fence. */
  readonly code_block?: "one" | "none";
  /** Of the whole text. */
  readonly most_characters?: number;
  /** Of the whole text. */
  readonly most_lines?: number;
  /** Parts that must not occur in its code. */
  readonly forbidden?: readonly string[];
}

/**
 * Product of the measures that the settings ask for, each 0 … 1: `block` is 1 of one closed block,
 * ½ if words stand beside it; `length` is the share of the text that the limit allows; `forbidden`
 * is 1 if none of the parts occurs. A text without a visible letter has 0.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { formatOf } from "./format.ts";
 * const { score } = formatOf("x = 1\ny = 2\n", { most_lines: 1 });
 * assert.equal(score, 0.5);
 * ```
 */
export function formatOf(
  text: string,
  settings: FormatSettings,
): { readonly score: number; readonly parts: Readonly<Record<string, number>> } {
  const { most_characters, most_lines, code_block, forbidden } = settings;
  const lengths = [most_characters && most_characters / [...text].length];
  lengths.push(most_lines && most_lines / text.trimEnd().split("\n").length);
  const limited = lengths.filter((one) => one !== undefined);
  const parts: Record<string, number> = {
    ...(code_block && { block: blockScore(text, code_block) }),
    ...(limited.length > 0 && { length: Math.min(1, ...limited) }),
    ...(forbidden && { forbidden: lacks(codeIn(text), forbidden) }),
    ...(/[\p{L}\p{N}\p{P}\p{S}]/u.test(text) ? {} : { empty: 0 }),
  };
  return { score: Object.values(parts).reduce((product, one) => product * one, 1), parts };
}

/** The judge of these settings. */
export function formatJudge(name: string, settings: FormatSettings): Judge {
  return defineJudge({
    name,
    version: 1,
    uses: "text",
    judge(_execution, { text }) {
      const { score, parts } = formatOf(text, settings);
      return { logReward: score, components: parts };
    },
  });
}

const fence = /^ {0,3}(```+|~~~+)(.*)$/;

/** Blocks of code between fences, and the lines outside; `closed` is false if one has no end. */
function blocksOf(text: string) {
  const blocks: string[][] = [];
  const outside: string[] = [];
  let open: string | undefined;
  for (const line of text.split("\n")) {
    const found = fence.exec(line);
    if (open === undefined && found) {
      open = found[1];
      blocks.push([]);
    } else if (open !== undefined && found?.[1].startsWith(open) && found[2].trim() === "") {
      open = undefined;
    } else (open === undefined ? outside : blocks[blocks.length - 1]).push(line);
  }
  return {
    blocks: blocks.map((lines) => lines.join("\n")),
    outside: outside.join("\n"),
    closed: open === undefined,
  };
}

function blockScore(text: string, wanted: "one" | "none"): number {
  const { blocks, outside, closed } = blocksOf(text);
  if (wanted === "none") return blocks.length === 0 ? 1 : 0;
  if (blocks.length !== 1 || !closed || blocks[0].trim() === "") return 0;
  return outside.trim() === "" ? 1 : 0.5;
}

/** The code of an answer: its blocks, or all of it where it has none. */
function codeIn(text: string): string {
  const { blocks } = blocksOf(text);
  return codeOf(blocks.length > 0 ? blocks.join("\n") : text);
}

function lacks(code: string, parts: readonly string[]): number {
  const even = evenly(code);
  return parts.some((part) => even.includes(evenly(part))) ? 0 : 1;
}
