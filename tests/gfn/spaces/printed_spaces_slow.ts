/** A program of every kind of space, printed, runs in real PyMC with the log density of its graph. */
import assert from "node:assert/strict";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { holdDensities, printedGolden } from "../../engine/print/printed_golden.ts";
import { jacobianOf, printedSpaces } from "./printed_spaces.ts";

/**
 * Made by `deno run -A tests/gfn/spaces/printed_spaces.ts | python tools/golden/printed_programs.py`;
 * the file names versions.
 */
const golden = printedGolden("space_programs.json");

for (const space of printedSpaces()) {
  const { name, program, dataset, options, file } = space;
  Deno.test(`the printed file runs in PyMC with the same density: ${name}`, () => {
    holdDensities(golden, space, { jacobian: jacobianOf(space), slack: 1e-7 });
    const read = checkProgram(file, dataset, undefined, { ...options, rows: "judged" });
    assert.ok(read.ok, JSON.stringify(read).slice(0, 300));
    const isProven = file.includes("Read back, it has the log densities of the graph at 64 points");
    assert.ok(read.program.hash === program.hash || isProven, file);
  });
}
