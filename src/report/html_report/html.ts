/** HTML as values: text in a template is escaped, and only HTML is not. */

import { visible } from "../visible_text.ts";

/** Markup that is whole. */
export class Html {
  constructor(readonly text: string) {}
}

/** Parts of a template, all of which are written. */
export type Part = Html | string | number | undefined | readonly Part[];

/**
 * A template of HTML. Text and numbers are escaped, so that they are read as they are, in elements and
 * in quoted attributes.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { markup } from "./html.ts";
 * const name = "<script>";
 * assert.equal(markup`<b title="${'"'}">${name}</b>`.text, '<b title="&quot;">&lt;script&gt;</b>');
 * ```
 */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, i) => text + markupOf(parts[i])).join(""));
}

function markupOf(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "string" || typeof part === "number") return escaped(String(part));
  return part.map(markupOf).join("");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text of unknown origin as HTML; characters that could hide or turn around their neighbours are made visible. */
export function escaped(text: string): string {
  return visible(text).replace(/[&<>"']/g, (letter) => entities[letter]);
}

/** A table; the first column holds labels, numbers stand to the right. */
export function tableOf(
  head: readonly Part[],
  body: readonly (readonly Part[])[],
  words: ReadonlySet<number> = new Set([0]),
): Html {
  const cell = (tag: "td" | "th") => (part: Part, i: number) => {
    const place = words.has(i) ? "" : ' class="n"';
    return new Html(`<${tag}${place}>${markupOf(part)}</${tag}>`);
  };
  const row = (cells: readonly Part[]) => markup`<tr>${cells.map(cell("td"))}</tr>\n`;
  const rows = body.map(row);
  return markup`<div class="wide"><table>
<thead><tr>${head.map(cell("th"))}</tr></thead>
<tbody>
${rows}</tbody></table></div>
`;
}

/** A part that is opened by who wants it; in print it is open. */
export function details(summary: Part, content: Part): Html {
  return markup`<details><summary>${summary}</summary>${content}</details>`;
}
