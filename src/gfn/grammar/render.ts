/** Renders a derivation as text, and knows which production wrote which character. */
import type { CompiledGrammar, CompiledText } from "./compile.ts";
import type { TextSource } from "./places.ts";
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

/** A text with what fills its holes, in order. */
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
  let position = 0;
  const clauses = new Map<number, FilledText>();
  const slots: { readonly fillings: FilledText[]; readonly at: number; readonly clause: number }[] =
    [];
  const fill = (text: CompiledText): FilledText => {
    const filled: FilledText = { text, fillings: [] };
    text.holes.forEach((hole, at) => {
      const clause = grammar.holes[hole].clause;
      if (clause >= 0) slots.push({ fillings: filled.fillings, at, clause });
      else filled.fillings[at] = fill(grammar.actions[actions[position++]].text);
    });
    return filled;
  };
  const root = fill(grammar.start);
  while (position < actions.length) {
    const { hole, text } = grammar.actions[actions[position++]];
    clauses.set(grammar.holes[hole].clause, fill(text));
  }
  for (const { fillings, at, clause } of slots) {
    fillings[at] = clauses.get(clause) ?? { text: grammar.clauses[clause].text, fillings: [] };
  }
  return root;
}

function linesOf({ text, fillings }: FilledText): Line[] {
  let hole = 0;
  return text.template.flatMap((line) => {
    if (line.kind === "block") {
      return indented(linesOf(fillings[hole++]), line.indent, text.source);
    }
    return [line.pieces.flatMap((piece) => {
      return piece.kind === "literal"
        ? [chunkOf(piece, text.source)]
        : linesOf(fillings[hole++]).flat();
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
