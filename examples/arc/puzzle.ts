/** Puzzles in the public JSON format of ARC: pairs of grids to learn from, and pairs that are held out. */
import { InputError } from "sluice";
import { type Grid, mostSide } from "./grid_programs.ts";

/** A grid, and what it is to become. */
export interface Pair {
  readonly input: Grid;
  readonly output: Grid;
}

/** `{"train": [{"input": [[0, 1]], "output": [[1, 0]]}], "test": […]}`. */
export interface Puzzle {
  /** Pairs that are shown. */
  readonly train: readonly Pair[];
  /** Pairs that are held out. */
  readonly test: readonly Pair[];
}

/**
 * Checks what was read from a JSON file.
 *
 * @throws InputError with the first grid that is none.
 */
export function readPuzzle(value: unknown, name: string): Puzzle {
  const puzzle = value as Partial<Puzzle> | null;
  for (const part of ["train", "test"] as const) {
    const pairs = puzzle?.[part];
    if (!Array.isArray(pairs) || pairs.length === 0) throw refused(name, `"${part}" has no pairs`);
    pairs.forEach((pair, i) => {
      for (const side of ["input", "output"] as const) {
        if (!isGrid(pair?.[side])) throw refused(name, `${part}[${i}].${side} is no grid`);
      }
    });
  }
  return puzzle as Puzzle;
}

function isGrid(value: unknown): boolean {
  const isSide = (length: number) => length >= 1 && length <= mostSide;
  return Array.isArray(value) && isSide(value.length) && value.every((row) => {
    return Array.isArray(row) && isSide(row.length) && row.length === value[0].length &&
      row.every((cell) => Number.isInteger(cell) && cell >= 0 && cell <= 9);
  });
}

function refused(name: string, why: string): InputError {
  return new InputError([{
    code: "arc/puzzle",
    severity: "error",
    message: `Cannot read puzzle "${name}": ${why}`,
    hint:
      `a grid is a list of rows of equal length with numbers from 0 to 9, at most ${mostSide} a side`,
  }]);
}
