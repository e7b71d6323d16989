/** The room of a nested hole, levels of itself and choices, and the productions legal in it. */
import type { CompiledGrammar } from "../compile.ts";
import { type NestedHole, nestedHoles } from "./nested_holes.ts";

/** Infinity where there is no bound. */
export interface Room {
  /** Levels of the holes that lead back to themselves, the next one included. */
  readonly depth: number;
  /** Choices. */
  readonly choices: number;
}

/** A hole as it stands somewhere in a filling: with its room, and a production that is not taken. */
export interface Place {
  /** Number of the hole. */
  readonly hole: number;
  /** Levels and choices that are left to it. */
  readonly room: Room;
  /** The production of whose chain the hole is an operand; −1 if of none. */
  readonly except: number;
}

/** Choices that fill a recursive hole if the grammar names no bound. */
const fewChoices = 64;

/**
 * Rooms of a grammar. The recursive holes of one text share its choices equally, so that operands
 * can change places.
 */
export class Rooms {
  /** Nested holes by number. */
  readonly nested: readonly NestedHole[];
  readonly #feasible = new Map<string, boolean>();
  readonly #longest = new Map<string, number>();
  readonly #legal = new Map<string, readonly number[]>();

  /** Finds the holes that lead back to themselves. */
  constructor(readonly grammar: CompiledGrammar) {
    this.nested = nestedHoles(grammar);
  }

  /** The place of a nested hole in a text that is not nested. */
  entry(hole: number): Place {
    return { hole, except: -1, room: this.nested[hole].leadsToRecursion ? this.#whole() : wide };
  }

  #whole(): Room {
    const { depth, choices } = this.grammar;
    const most = choices ?? (depth === undefined ? fewChoices : Infinity);
    return { depth: depth ?? Infinity, choices: most };
  }

  /** The places of the holes of an action's text; of a chain, those of `operands` operands. */
  inner({ hole, room }: Place, number: number, operands = 2): Place[] {
    const action = this.grammar.actions[number];
    const except = action.normal?.associative ? number : -1;
    const holes = this.#holes(number, operands);
    const open = holes.filter((one) => this.nested[one].leadsToRecursion);
    const share = Math.floor(this.#left(room, number, operands) / open.length);
    return holes.map((one) => {
      if (!this.nested[one].leadsToRecursion) return { hole: one, room: wide, except };
      return { hole: one, room: { depth: this.#depthOf(one, hole, room), choices: share }, except };
    });
  }

  /** The holes of an action's text; of a chain, one for each operand. */
  #holes(number: number, operands: number): readonly number[] {
    const { normal, text } = this.grammar.actions[number];
    return normal ? Array<number>(operands).fill(text.holes[0]) : text.holes;
  }

  /** Choices for the recursive holes of a text, when all else that it needs has its own. */
  #left({ choices }: Room, number: number, operands: number): number {
    const own = this.grammar.actions[number].normal ? operands - 1 : 1;
    return this.#holes(number, operands)
      .filter((one) => !this.nested[one].leadsToRecursion)
      .reduce((left, one) => left - this.longest(this.entry(one)), choices - own);
  }

  /** One level less within a circle; all levels where another one begins. */
  #depthOf(inner: number, hole: number, { depth }: Room): number {
    const { isRecursive, circle } = this.nested[inner];
    if (isRecursive && circle.includes(hole)) return depth - 1;
    return this.#whole().depth;
  }

  /** Whether an action may be taken, and can be finished; of a chain, whether with so many operands. */
  isLegal(place: Place, number: number, operands = 2): boolean {
    if (number === place.except) return false;
    if (place.room.depth < 1 || place.room.choices < 1) return false;
    const { normal } = this.grammar.actions[number];
    if (normal && operands > normal.operands) return false;
    if (this.#left(place.room, number, operands) < 0) return false;
    return this.inner(place, number, operands).every((inner) => this.#isFeasible(inner));
  }

  #isFeasible(place: Place): boolean {
    const { hole, room } = place;
    if (room.depth < 1 || room.choices < 1) return false;
    const { number, actions } = this.grammar.holes[hole];
    if (number) return true;
    return inPlace(this.#feasible, place, () => {
      return actions.some((action) => this.isLegal(place, action));
    });
  }

  /** The legal actions of a place, ascending. */
  legal(place: Place): readonly number[] {
    return inPlace(this.#legal, place, () => {
      const { actions } = this.grammar.holes[place.hole];
      return actions.filter((action) => this.isLegal(place, action));
    });
  }

  /** Operands that a chain can have here, from 2 on. */
  chainLengths(place: Place, number: number): number[] {
    const { operands } = this.grammar.actions[number].normal!;
    const all = Array.from({ length: operands - 1 }, (_, i) => i + 2);
    return all.filter((count) => this.isLegal(place, number, count));
  }

  /** Most choices that fill a place; −Infinity if nothing can. */
  longest(place: Place): number {
    const { number, actions } = this.grammar.holes[place.hole];
    if (number) return number.bits;
    return inPlace(this.#longest, place, () => {
      const all = actions.flatMap((action) => this.#lengths(place, action));
      return all.reduce((a, b) => Math.max(a, b), -Infinity);
    });
  }

  #lengths(place: Place, action: number): number[] {
    const total = (places: readonly Place[]) =>
      places.reduce((sum, one) => sum + this.longest(one), 0);
    if (!this.grammar.actions[action].normal) {
      return this.isLegal(place, action) ? [1 + total(this.inner(place, action))] : [];
    }
    return this.chainLengths(place, action)
      .map((count) => count - 1 + total(this.inner(place, action, count)));
  }
}

/** Room of a hole that leads to no recursion. */
const wide: Room = { depth: Infinity, choices: Infinity };

/** Equal for equal places. */
export function placeKey({ hole, room, except }: Place): string {
  return `${hole} ${room.depth} ${room.choices} ${except}`;
}

/** Returns the known value of a place, or computes it. */
export function inPlace<T>(known: Map<string, T>, place: Place, compute: () => T): T {
  const key = placeKey(place);
  const before = known.get(key);
  if (before !== undefined) return before;
  const value = compute();
  known.set(key, value);
  return value;
}
