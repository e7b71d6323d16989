/** How a text that ends inside a word may go on to the end of it. */
import { keywords } from "./cursor.ts";

/** Text behind the last complete word of a text, and its completions. */
interface LastWord {
  /** The letters of a name that ends the text; empty if it ends with something else. */
  readonly name: string;
  /** Texts of which one at least makes the last word complete, if the whole can be a program. */
  readonly completions: readonly string[];
}

const nameAtEnd = /(?<![\p{XIDC}])([\p{XIDS}_][\p{XIDC}]*)$/u;
const numberAtEnd = /(?:^|[^A-Za-z0-9_])((?:[0-9]|\.[0-9])[0-9A-Za-z_.]*(?:[eE][+-])?)$/;
const indentationAtEnd = /(?:^|\n)([ \t]*)$/;

/** Makes a longer name of a word that is a keyword. */
export const longerName = "_";

/** Characters by which an operator at the end may grow; any other stays as it is. */
const operatorTails: Readonly<Record<string, readonly string[]>> = {
  "*": [" ", "* ", "= ", "*= "],
  "/": [" ", "/ ", "= ", "/= "],
  ">": [" ", "> ", "= ", ">= "],
  "<": [" ", "< ", "= ", "<= "],
  "-": [" ", "= ", "> "],
  ".": [" ", "0 ", ". ", ".. "],
  ...Object.fromEntries(Array.from("=!+%@&|^:", (c) => [c, [" ", "= "]])),
};

/**
 * Endings of the last word of a text, each of which is to be tried.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { lastWord } from "./last_word.ts";
 * assert.equal(lastWord("x = pm.Nor").name, "Nor");
 * assert(lastWord("a i").completions.includes("f ")); // a if …
 * assert(lastWord('"al').completions.includes('" '));
 * ```
 */
export function lastWord(text: string): LastWord {
  const inside = openString(text);
  if (inside === "#") return { name: "", completions: nextLines(text) };
  if (inside !== "") return { name: "", completions: stringTails(text, inside) };
  const indentation = indentationAtEnd.exec(text);
  if (indentation) return { name: "", completions: ["", ...lineTails(text, indentation[1])] };
  const name = nameAtEnd.exec(text)?.[1] ?? "";
  if (name !== "") {
    const longer = keywords.has(name) ? [`${longerName} `] : [];
    return { name, completions: [" ", ...longer, ...keywordTails(name), '"" '] };
  }
  if (numberAtEnd.test(text)) {
    return { name: "", completions: [" ", "0 ", "1 ", ".0 ", "1.0 ", "_0 "] };
  }
  return {
    name: "",
    completions: operatorTails[text.at(-1)!] ?? [text.endsWith("\\") ? "\n " : " "],
  };
}

function keywordTails(name: string): string[] {
  return [...keywords].filter((word) => word.startsWith(name) && word !== name)
    .map((word) => `${word.slice(name.length)} `);
}

function stringTails(text: string, quote: string): string[] {
  const escaped = /(?:^|[^\\])(?:\\\\)*\\$/.test(text) ? ["n"] : [""];
  const partial = quote.length === 3 ? ["", quote[0].repeat(1), quote[0].repeat(2)] : [""];
  return escaped.flatMap((one) =>
    partial.flatMap(() =>
      ["", "}", "0}", "}}"].flatMap((close) =>
        [quote, quote.slice(1), quote.slice(2)].filter((end) => end !== "")
          .map((end) => `${one}${close}${end} `)
      )
    )
  );
}

/** At the beginning of a line: any indentation of an earlier line that is as deep, or a new one. */
function lineTails(text: string, spaces: string): string[] {
  const known = new Set([spaces, `${spaces} `]);
  for (const [, one] of text.matchAll(/(?:^|\n)([ \t]*)(?=[^ \t\n])/g)) {
    if (one.startsWith(spaces)) known.add(one);
  }
  return [...known].flatMap((one) => {
    const rest = one.slice(spaces.length);
    return [`${rest}pass `, `${rest}elif `, `${rest}else `];
  });
}

/** Behind a comment: a line as deep as an earlier one, or as the comment. */
function nextLines(text: string): string[] {
  const depths = new Set([""]);
  for (const [, one] of text.matchAll(/(?:^|\n)([ \t]*)(?=[^ \t\n])/g)) depths.add(one);
  return [...depths].flatMap((
    one,
  ) => [`\n${one}pass `, `\n${one} pass `, `\n${one}) `, `\n${one}] `]);
}

/** The quotes of a string that is open at the end of a text, "#" in a comment, or nothing. */
function openString(text: string): string {
  for (let at = 0; at < text.length;) {
    const c = text[at];
    if (c === "#") {
      const end = text.indexOf("\n", at);
      if (end < 0) return "#";
      at = end;
    } else if (c === '"' || c === "'") {
      const quote = text.startsWith(c.repeat(3), at) ? c.repeat(3) : c;
      const end = endOfString(text, at + quote.length, quote);
      if (end < 0) return quote;
      at = end;
    } else at++;
  }
  return "";
}

/** Behind the quotes that close a string; −1 if none do. */
function endOfString(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text.startsWith(quote, at)) return at + quote.length;
    else if (text[at] === "\n" && quote.length === 1) return at;
  }
  return -1;
}
