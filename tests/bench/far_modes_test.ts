/** How the benchmark of proposals counts, and what bench/results/learning.md makes of its lines. */
import assert from "node:assert/strict";
import { foundModes } from "../../bench/proposals/modes.ts";
import { peerTable, speedRatios } from "../../bench/learning/peer_table.ts";
import { recipeDigest } from "../../bench/proposals/results.ts";
import { explorers, tasks } from "../../bench/proposals/tasks.ts";

Deno.test("a mode is found within either distance, and met at 0", () => {
  const modes = { texts: ["0000", "1111"], within: 1, withinHamming: 2 };
  const of = (...objects: string[]) => Object.values(foundModes(objects, modes));
  assert.deepEqual(of("0011"), [0, 2, 0, 0]);
  assert.deepEqual(of("0011", "0001", "0000"), [1, 2, 1, 2]);
  assert.deepEqual(of("1110", "0100", "0000"), [2, 2, 1, 2]);
  assert.deepEqual(of("0100"), [1, 1, 0, 1]);
});

Deno.test("a shift costs two edits and many bits", () => {
  const modes = { texts: ["01010101"], within: 2, withinHamming: 7 };
  assert.deepEqual(foundModes(["10101010"], modes), { found: 1, hamming: 0, met: 0, after: 1 });
});

Deno.test("every task has a digest of its own, so that a changed recipe has no lines", () => {
  const all = [...tasks, ...explorers];
  assert.equal(new Set(all.map(recipeDigest)).size, all.length);
  const [task] = tasks;
  const longer = { ...task, recipe: { ...task.recipe, steps: task.recipe.steps + 1 } };
  assert.notEqual(recipeDigest(longer), recipeDigest(task));
});

const line = (program: string, recipe: string, tv: number, cpu_seconds: number, seed = 1) => ({
  ...{ task: "grid", objective: "TB", program, recipe, tv, cpu_seconds, seed, threads: 1 },
  ...{ trajectories: 32000, interleaved: 1 },
});

Deno.test("recipes are not mixed, in time neither", () => {
  const lines = [
    line("torchgfn 2", "constant", 0.02, 70),
    line("torchgfn 2", "falling", 0.001, 90),
    line("Sluice", "falling", 0.002, 10),
  ];
  const rows = peerTable(lines).split("\n").filter((row) => / TB,/.test(row));
  assert.deepEqual(rows.map((row) => row.split(" | ").slice(0, 3)), [
    ["| torchgfn, TB, rate held at 0.001", "1", "0.02"],
    ["| torchgfn, TB, rate falls from 0.005", "1", "0.001"],
    ["| Sluice, TB, rate falls from 0.005", "1", "0.002"],
  ]);
  assert.deepEqual(speedRatios(lines), [9, 9]);
  const second = [
    line("torchgfn 2", "falling", 0, 30, 2),
    line("Sluice", "falling", 0, 10, 2),
  ];
  assert.deepEqual(speedRatios([...lines, ...second]), [6, 6], "a mean over pairs of a seed");
  const older = lines.map((one) => ({ ...one, interleaved: 0 }));
  assert.equal(speedRatios(older), undefined, "other lines may be of another day");
});
