/** Grid puzzles: the language of grid programs, the public format, and the environment that they make. */
import assert from "node:assert/strict";
import { InputError } from "sluice";
import arc, { puzzles } from "../../examples/arc/environment.ts";
import { exactShare, runProgram } from "../../examples/arc/grid_programs.ts";
import { readPuzzle } from "../../examples/arc/puzzle.ts";

const grid = [[0, 1, 0], [2, 1, 0]];

const made: readonly (readonly [string, readonly (readonly number[])[]])[] = [
  ["turn", [[2, 0], [1, 1], [0, 0]]],
  ["flip", [[0, 1, 0], [0, 1, 2]]],
  ["topple", [[2, 1, 0], [0, 1, 0]]],
  ["transpose", [[0, 2], [1, 1], [0, 0]]],
  ["crop", [[0, 1], [2, 1]]],
  ["drop", [[0, 1, 0], [2, 1, 0]]],
  ["topple drop", [[0, 1, 0], [2, 1, 0]]],
  ["paint", [[0, 1, 0], [1, 1, 0]]],
  ["mirror", [[0, 1, 0, 0, 1, 0], [2, 1, 0, 0, 1, 2]]],
  ["crop grow", [[0, 0, 1, 1], [0, 0, 1, 1], [2, 2, 1, 1], [2, 2, 1, 1]]],
  ["turn turn turn turn", grid],
];

for (const [program, wanted] of made) {
  Deno.test(`the grid program "${program}" makes what it should`, () => {
    assert.deepEqual(runProgram(program.split(" "), grid), wanted);
  });
}

Deno.test("grids stay within the format, and an empty grid has no box", () => {
  const wide = [Array<number>(20).fill(1)];
  assert.deepEqual(runProgram(["mirror", "grow"], wide), wide);
  assert.deepEqual(runProgram(["crop", "paint"], [[0, 0]]), [[0, 0]]);
});

Deno.test("a share of exact cells is 0 where sizes differ", () => {
  assert.equal(exactShare([[1, 2]], [[1, 3]]), 0.5);
  assert.equal(exactShare([[1, 2, 3]], [[1, 2]]), 0);
});

const wrong: readonly (readonly [string, unknown, RegExp])[] = [
  ["no object", null, /"train" has no pairs/],
  ["no pairs", { train: [], test: [] }, /"train" has no pairs/],
  ["a colour 10", { train: [{ input: [[10]], output: [[1]] }], test: [] }, /train\[0\]\.input/],
  ["ragged rows", { train: [{ input: [[1]], output: [[1], [1, 2]] }] }, /train\[0\]\.output/],
  ["no test", { train: [{ input: [[1]], output: [[1]] }] }, /"test" has no pairs/],
];

for (const [what, value, message] of wrong) {
  Deno.test(`a puzzle is refused for ${what}`, () => {
    assert.throws(() => readPuzzle(value, "p"), (error) => {
      return error instanceof InputError && message.test(error.message);
    });
  });
}

Deno.test("every puzzle makes an environment of 820 programs, whose law is worth most", () => {
  for (const [puzzle, program] of [["fall_and_turn", "drop turn"], ["grown", "flip grow"]]) {
    const environment = arc.create({ puzzle });
    const objects = [...environment.enumerate()];
    assert.equal(objects.length, 820);
    assert.equal(environment.count, 820);
    assert.equal(objects.find(({ text }) => text === program)!.logReward, 0);
    assert.equal(Math.max(...objects.map(({ logReward }) => logReward!)), 0);
    const mass = objects.reduce((sum, { logPrior }) => sum + Math.exp(logPrior), 0);
    assert.ok(Math.abs(mass - 1) < 1e-12);
  }
});

Deno.test("pairs that are shown and pairs that are held out reward differently", () => {
  const worth = (pairs: string) =>
    [...arc.create({ puzzle: "grown", pairs }).enumerate()].map(({ logReward }) => logReward!);
  const [shown, held] = [worth("train"), worth("test")];
  assert.ok(shown.some((one, i) => one !== held[i]));
  assert.throws(() => arc.create({ puzzle: "mine" }), /Cannot find puzzle "mine"/);
  assert.deepEqual(Object.keys(puzzles).length, 3);
});
