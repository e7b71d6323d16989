/** Renders a derivation as text, and knows which production wrote which character. */
import type { CompiledGrammar, CompiledText } from "./compile.ts";
import type { TextSource } from "./places.ts";
import { numberOfPart } from "./nested/halving.ts";
import { nestedHoles } from "./nested/nested_holes.ts";
import { type NestedTree, readNested } from "./nested/tree.ts";
import type { Piece } from "./template.ts";

/** Some characters of one line, and the place in the grammar where they are written. */
export interface Chunk {
  readonly text: string;
  readonly source: TextSource;
  /** 0-based, within the text of the source. */
  readonly line: number;
  readonly column: number;
}

type Line = readonly Chunk[];

/** A text with the fillings of its holes, in order. */
interface FilledText {
  readonly text: CompiledText;
  readonly fillings: FilledText[];
}

/**
 * The text of a complete derivation: lines joined by `\n`, and of a program one `\n` at the end. Equal
 * derivations give equal bytes.
 *
 * @param actions productions in the order in which they were chosen, without the exit.
 */
export function renderDerivation(grammar: CompiledGrammar, actions: readonly number[]): string {
  const lines = renderLines(grammar, actions);
  const text = lines.map((line) => line.map((chunk) => chunk.text).join("")).join("\n");
  return grammar.writes === "text" ? text : `${text}\n`;
}

/** The lines of a complete derivation, each as the chunks that it is made of. */
export function renderLines(grammar: CompiledGrammar, actions: readonly number[]): Line[] {
  return linesOf(fillDerivation(grammar, actions));
}

/** Replays the choices: mandatory holes depth first, then the clauses that were taken. */
function fillDerivation(grammar: CompiledGrammar, actions: readonly number[]): FilledText {
  const nested = nestedOf(grammar);
  const reading = { actions, at: 0 };
  const clauses = new Map<number, FilledText>();
  const slots: { readonly fillings: FilledText[]; readonly at: number; readonly clause: number }[] =
    [];
  const fill = (text: CompiledText): FilledText => {
    const filled: FilledText = { text, fillings: [] };
    text.holes.forEach((hole, at) => {
      const clause = grammar.holes[hole].clause;
      if (clause >= 0) slots.push({ fillings: filled.fillings, at, clause });
      else if (nested[hole].isNested) {
        filled.fillings[at] = filledBy(grammar, readNested(grammar, hole, reading));
      } else filled.fillings[at] = fill(grammar.actions[actions[reading.at++]].text);
    });
    return filled;
  };
  const root = fill(grammar.start);
  while (reading.at < actions.length) {
    const { hole, text } = grammar.actions[actions[reading.at++]];
    clauses.set(grammar.holes[hole].clause, fill(text));
  }
  for (const { fillings, at, clause } of slots) {
    fillings[at] = clauses.get(clause) ?? { text: grammar.clauses[clause].text, fillings: [] };
  }
  return root;
}

const known = new WeakMap<CompiledGrammar, ReturnType<typeof nestedHoles>>();

function nestedOf(grammar: CompiledGrammar): ReturnType<typeof nestedHoles> {
  const before = known.get(grammar);
  if (before) return before;
  const holes = nestedHoles(grammar);
  known.set(grammar, holes);
  return holes;
}

/** A tree as texts: a chain leans to the left, each link in the text of its production. */
function filledBy(grammar: CompiledGrammar, tree: NestedTree): FilledText {
  if (tree.kind === "number") {
    const range = grammar.holes[tree.hole].number!;
    return { text: numberText(numberOfPart(range, tree.part), tree.hole, grammar), fillings: [] };
  }
  const { text, normal } = grammar.actions[tree.action];
  const fillings = tree.inner.map((inner) => filledBy(grammar, inner));
  if (!normal) return { text, fillings };
  return fillings.reduce((left, right) => ({ text, fillings: [left, right] }));
}

/** A number as a text of its own, which the file has in bounds only. */
function numberText(number: string, hole: number, grammar: CompiledGrammar): CompiledText {
  const source = { kind: "number", hole: grammar.holes[hole].name } as const;
  const literal = { kind: "literal", text: number, line: 0, column: 0 } as const;
  return {
    source,
    written: number,
    template: [{ kind: "inline", pieces: [literal] }],
    holes: [],
  };
}

/** Lines of a text; fresh numbers count up through the whole derivation, from 1. */
function linesOf({ text, fillings }: FilledText, fresh = { count: 0 }): Line[] {
  let hole = 0;
  const isFresh = text.template.some((line) =>
    line.kind === "inline" && line.pieces.some(({ kind }) => kind === "fresh")
  );
  const own = isFresh ? String(++fresh.count) : "";
  return text.template.flatMap((line) => {
    if (line.kind === "block") {
      return indented(linesOf(fillings[hole++], fresh), line.indent, text.source);
    }
    return [line.pieces.flatMap((piece) => {
      if (piece.kind === "hole") return linesOf(fillings[hole++], fresh).flat();
      const written = piece.kind === "fresh" ? own : piece.text;
      return [chunkOf({ ...piece, kind: "literal", text: written }, text.source)];
    })];
  });
}

function indented(lines: readonly Line[], indent: string, source: TextSource): Line[] {
  if (indent === "") return [...lines];
  const margin = { text: indent, source, line: 0, column: 0 };
  return lines.map((line) => (line.length === 0 ? line : [margin, ...line]));
}

function chunkOf(piece: Piece & { kind: "literal" }, source: TextSource): Chunk {
  return { text: piece.text, source, line: piece.line, column: piece.column };
}
