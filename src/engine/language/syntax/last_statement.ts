/** The statement that a text ends in, and the blocks around it: all that its syntax depends on. */

/** A text cut where its last statement begins. */
interface LastStatement {
  /** All before it. */
  readonly before: string;
  /** The lines that open the blocks it stands in, and a line in place of those before it there. */
  readonly around: string;
  /** The statement, with its indentation. */
  readonly open: string;
  /** Whether the syntax of the statement depends on nothing else. */
  readonly isWhole: boolean;
}

interface Line {
  readonly text: string;
  readonly indent: string;
}

/**
 * Cuts a text; undefined where its syntax depends on more than that: at the beginning of a line, at what
 * may be `elif` or `else`, where a line is as deep as none before.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { lastStatement } from "./last_statement.ts";
 * const { around, open } = lastStatement("import a\nwith a:\n  b = 1\n  c = [\n1, d")!;
 * assert.equal(around, "with a:\n  pass\n");
 * assert.equal(open, "  c = [\n1, d");
 * ```
 */
export function lastStatement(text: string): LastStatement | undefined {
  const starts = lineStarts(text);
  const at = starts.at(-1)!;
  const open = text.slice(at);
  const [, indent, first] = /^([ \t]*)([^]?)/.exec(open)!;
  if (first === "" || first === "e" || first === "#") return undefined;
  const lines = starts.slice(0, -1).map((start, i) => lineOf(text.slice(start, starts[i + 1])))
    .filter(({ text }) => text !== "" && !text.startsWith("#"));
  const around = linesAround(lines, indent);
  return around === undefined
    ? undefined
    : { before: text.slice(0, at), around, open, isWhole: true };
}

const compound = /^(with|def|class|if|elif|else|while|for|try|except|finally)\b/;

/**
 * A text as its last statement; the lines before it are summarised by their depths and the blocks that they
 * open. The syntax of the last statement depends on these where {@linkcode lastStatement} finds nothing.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { outline } from "./last_statement.ts";
 * assert.equal(outline("with a:\n  b = 1\n  c = [\n1]\n  ").around, "with:\n  pass\n");
 * ```
 */
export function outline(text: string): LastStatement {
  const starts = lineStarts(text);
  const at = starts.at(-1)!;
  const lines = starts.slice(0, -1).map((start, i) => lineOf(text.slice(start, starts[i + 1])))
    .filter(({ text }) => text !== "").map(headOf);
  const around = lines.filter((line, i) => line !== lines[i - 1]).join("");
  return { before: text.slice(0, at), around, open: text.slice(at), isWhole: false };
}

function headOf({ text, indent }: Line): string {
  if (text.startsWith("#")) return `${indent}#\n`;
  const head = compound.exec(text)?.[0] ?? "pass";
  return `${indent}${head}${text.endsWith(":") ? ":" : ""}\n`;
}

function lineOf(line: string): Line {
  const indent = /^[ \t]*/.exec(line)![0];
  return { indent, text: line.trim() };
}

/** The lines that open the blocks around a line of this indentation. */
function linesAround(lines: readonly Line[], indent: string): string | undefined {
  let k = lines.length - 1;
  const opens = k >= 0 && lines[k].text.endsWith(":");
  if (opens && lines[k].indent.length >= indent.length) return undefined;
  let held = "";
  if (!opens) {
    while (k >= 0 && lines[k].indent.length > indent.length) k--;
    if (k < 0) return indent === "" ? "" : undefined;
    if (lines[k].indent !== indent) return undefined;
    held = `${indent}pass\n`;
  }
  let depth = indent.length;
  let headers = "";
  for (; k >= 0 && depth > 0; k--) {
    const line = lines[k];
    if (line.indent.length >= depth) continue;
    if (!line.text.endsWith(":")) return undefined;
    headers = `${line.indent}${
      /^(elif|else|except|finally)\b/.test(line.text) ? "if 1:" : line.text
    }\n${headers}`;
    depth = line.indent.length;
  }
  return headers + held;
}

/** Where lines begin outside of brackets and strings. */
function lineStarts(text: string): number[] {
  const starts = [0];
  let level = 0;
  for (let at = 0; at < text.length; at++) {
    const c = text[at];
    if (c === "#") {
      while (at + 1 < text.length && text[at + 1] !== "\n") at++;
    } else if (c === '"' || c === "'") at = endOfString(text, at) - 1;
    else if ("([{".includes(c)) level++;
    else if (")]}".includes(c)) level = Math.max(0, level - 1);
    else if (c === "\n" && level === 0 && text[at - 1] !== "\\") starts.push(at + 1);
  }
  return starts;
}

function endOfString(text: string, from: number): number {
  const quote = text.startsWith(text[from].repeat(3), from) ? text[from].repeat(3) : text[from];
  for (let at = from + quote.length; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text.startsWith(quote, at)) return at + quote.length;
    else if (text[at] === "\n" && quote.length === 1) return at;
  }
  return text.length;
}
