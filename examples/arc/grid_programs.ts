/** A small language of programs on grids: one operation after the other, each a word. */

/** Colours 0 … 9, `[rows][columns]`, rows of equal length; 0 is the background. */
export type Grid = readonly (readonly number[])[];

/** The grid that an operation makes of another. */
type Operation = (grid: Grid) => Grid;

/** Sides beyond which a grid of the public format does not go. */
export const mostSide = 30;

const turn: Operation = (grid) => grid[0].map((_, c) => grid.map((row) => row[c]).reverse());
const flip: Operation = (grid) => grid.map((row) => [...row].reverse());
const topple: Operation = (grid) => [...grid].reverse();
const transpose: Operation = (grid) => grid[0].map((_, c) => grid.map((row) => row[c]));

/** Rows and columns from the first to the last that hold a colour. */
const crop: Operation = (grid) => {
  const rows = grid.flatMap((row, r) => row.some((cell) => cell !== 0) ? [r] : []);
  const columns = grid[0].flatMap((_, c) => grid.some((row) => row[c] !== 0) ? [c] : []);
  if (rows.length === 0) return grid;
  return grid.slice(rows[0], rows[rows.length - 1] + 1)
    .map((row) => row.slice(columns[0], columns[columns.length - 1] + 1));
};

/** Colours fall to the bottom of their column. */
const drop: Operation = (grid) => {
  const columns = transpose(grid).map((column) => {
    const kept = column.filter((cell) => cell !== 0);
    return [...Array<number>(column.length - kept.length).fill(0), ...kept];
  });
  return transpose(columns);
};

/** Every colour becomes the one that most cells have, the background apart. */
const paint: Operation = (grid) => {
  const counts = new Map<number, number>();
  for (const cell of grid.flat()) if (cell !== 0) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const most = [...counts].sort(([a, n], [b, m]) => m - n || a - b)[0]?.[0] ?? 0;
  return grid.map((row) => row.map((cell) => cell === 0 ? 0 : most));
};

/** The grid, and beside it its mirror image. */
const mirror: Operation = (grid) =>
  2 * grid[0].length > mostSide ? grid : grid.map((row) => [...row, ...[...row].reverse()]);

/** Each cell becomes four. */
const grow: Operation = (grid) => {
  if (2 * Math.max(grid.length, grid[0].length) > mostSide) return grid;
  return grid.flatMap((row) => {
    const wide = row.flatMap((cell) => [cell, cell]);
    return [wide, wide];
  });
};

/** The words of the language. */
export const operations: Readonly<Record<string, Operation>> = {
  ...{ turn, flip, topple, transpose, crop, drop, paint, mirror, grow },
};

/** Names of the operations, in order. */
export const words: readonly string[] = Object.keys(operations);

/** The grid that a program makes of another. */
export function runProgram(program: readonly string[], grid: Grid): Grid {
  return program.reduce((here, word) => operations[word](here), grid);
}

/** Share of the cells of `wanted` that are the same in `found`; 0 where the sizes differ. */
export function exactShare(found: Grid, wanted: Grid): number {
  if (found.length !== wanted.length || found[0].length !== wanted[0].length) return 0;
  const cells = wanted.flatMap((row, r) => row.map((cell, c) => cell === found[r][c]));
  return cells.filter(Boolean).length / cells.length;
}
