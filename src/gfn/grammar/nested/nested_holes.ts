/** Which holes are filled by trees of their own: recursive ones, numbers, and all that they lead to. */
import type { CompiledGrammar } from "../compile.ts";

/** Relations of a hole to the others. */
export interface NestedHole {
  /** Whether its filling is a derivation of its own, apart from the situations of the grammar. */
  readonly isNested: boolean;
  /** Whether it leads back to itself. */
  readonly isRecursive: boolean;
  /** Whether it is recursive, or leads to one that is. */
  readonly leadsToRecursion: boolean;
  /** The holes that it leads to and that lead back to it, itself among them. */
  readonly circle: readonly number[];
}

/** Holes by number. A hole is nested if it is recursive, a number, or has a normal form. */
export function nestedHoles(grammar: CompiledGrammar): NestedHole[] {
  const inner = grammar.holes.map(({ actions }) => [
    ...new Set(actions.flatMap((action) => grammar.actions[action].text.holes)),
  ]);
  const reached = inner.map((_, hole) => reachedFrom(hole, inner));
  const isRecursive = reached.map((all, hole) => all.has(hole));
  const starts = grammar.holes.map(({ number, actions }, hole) =>
    number !== undefined || isRecursive[hole] ||
    actions.some((action) => grammar.actions[action].normal !== undefined)
  );
  return grammar.holes.map((_, hole) => ({
    isNested: starts[hole] || starts.some((is, other) => is && reached[other].has(hole)),
    isRecursive: isRecursive[hole],
    leadsToRecursion: isRecursive[hole] || [...reached[hole]].some((other) => isRecursive[other]),
    circle: grammar.holes.flatMap((_, other) =>
      other === hole || (reached[hole].has(other) && reached[other].has(hole)) ? [other] : []
    ),
  }));
}

/** The holes that one step or more lead to. */
function reachedFrom(hole: number, inner: readonly (readonly number[])[]): Set<number> {
  const reached = new Set<number>();
  const queue = [...inner[hole]];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    queue.push(...inner[next]);
  }
  return reached;
}
