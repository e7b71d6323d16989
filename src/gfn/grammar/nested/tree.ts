/** Reads choices of a nested hole as a tree. */
import type { CompiledGrammar } from "../compile.ts";
import type { Part } from "./halving.ts";

/** A filled hole. */
export type NestedTree =
  | { readonly kind: "number"; readonly hole: number; readonly part: Part }
  | {
    /** The productions of the text's holes in order; of a chain, its operands. */
    readonly kind: "production";
    readonly action: number;
    readonly inner: readonly NestedTree[];
  };

/** Choices that are read one after the other. */
interface Reading {
  readonly actions: readonly number[];
  /** The next to be read. */
  at: number;
}

/** The tree of a nested hole, whose choices come next. */
export function readNested(grammar: CompiledGrammar, hole: number, reading: Reading): NestedTree {
  const { number } = grammar.holes[hole];
  if (number) return { kind: "number", hole, part: readPart(grammar, hole, reading) };
  const action = reading.actions[reading.at++];
  const { normal, text } = grammar.actions[action];
  const holes = normal ? operandsOf(grammar, action, reading) : text.holes;
  return { kind: "production", action, inner: holes.map((h) => readNested(grammar, h, reading)) };
}

/** The links of a chain stand before its operands. */
function operandsOf(grammar: CompiledGrammar, action: number, reading: Reading): number[] {
  const { normal, text: { holes } } = grammar.actions[action];
  let count = 2;
  while (normal!.associative && reading.actions[reading.at] === action) {
    reading.at++;
    count++;
  }
  return Array(count).fill(holes[0]);
}

function readPart(grammar: CompiledGrammar, hole: number, reading: Reading): Part {
  const { number, actions: [lower, upper] } = grammar.holes[hole];
  let part: Part = { halvings: 0, index: 0 };
  while (part.halvings < number!.bits) {
    const action = reading.actions[reading.at++];
    if (action !== lower && action !== upper) break;
    part = { halvings: part.halvings + 1, index: 2 * part.index + (action === upper ? 1 : 0) };
  }
  return part;
}
