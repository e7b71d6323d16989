/** Writes the puzzles: `deno run --allow-write=examples/arc/puzzles examples/arc/make_puzzles.ts`. */
import { RandomStream } from "sluice";
import { type Grid, runProgram } from "./grid_programs.ts";

/** The law behind each puzzle. */
const laws: Readonly<Record<string, readonly string[]>> = {
  fall_and_turn: ["drop", "turn"],
  one_colour_mirrored: ["crop", "paint", "mirror"],
  grown: ["flip", "grow"],
};

for (const [name, law] of Object.entries(laws)) {
  const random = new RandomStream("arc", name);
  const pairs = Array.from({ length: 6 }, () => {
    const input = drawGrid(random);
    return { input, output: runProgram(law, input) };
  });
  const text = JSON.stringify({ train: pairs.slice(0, 3), test: pairs.slice(3) });
  Deno.writeTextFileSync(new URL(`puzzles/${name}.json`, import.meta.url), `${text}\n`);
}

/** Four to seven rows and columns, a third of the cells in one of three colours. */
function drawGrid(random: RandomStream): Grid {
  const [rows, columns] = [4 + random.below(4), 4 + random.below(4)];
  const colours = [1 + random.below(3), 4 + random.below(3), 7 + random.below(3)];
  return Array.from(
    { length: rows },
    () =>
      Array.from(
        { length: columns },
        () => random.below(3) === 0 ? colours[random.below(3)] : 0,
      ),
  );
}
