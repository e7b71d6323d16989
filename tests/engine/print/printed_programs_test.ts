/** Files that are printed of graphs run in real PyMC, with the log densities of the graphs. */
import assert from "node:assert/strict";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { holdDensities, printedGolden } from "./printed_golden.ts";
import { printedPrograms } from "./printed_programs.ts";

const golden = printedGolden("printed_programs.json");

for (const printed of printedPrograms()) {
  const { name, program, dataset, file } = printed;
  Deno.test(`the printed file runs in PyMC with the same density: ${name}`, () => {
    holdDensities(golden, printed, { slack: 1e-8 });
  });

  Deno.test(`the printed file, whole, is read back as the program: ${name}`, () => {
    const read = checkProgram(file, dataset, undefined, { rows: "judged" });
    assert.ok(read.ok, JSON.stringify(read).slice(0, 300));
    assert.equal(read.program.hash, program.hash);
  });
}
