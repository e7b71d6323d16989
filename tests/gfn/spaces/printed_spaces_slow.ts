/** A program of every kind of space, printed, runs in real PyMC with the log density of its graph. */
import assert from "node:assert/strict";
import { sha256 } from "../../../src/base/digest.ts";
import { compileLogDensity } from "../../../src/engine/density/compile.ts";
import { checkProgram } from "../../../src/engine/pymc/check.ts";
import { jacobianOf, printedSpaces } from "./printed_spaces.ts";

/**
 * Made by `deno run -A tests/gfn/spaces/printed_spaces.ts | python tools/golden/printed_programs.py`;
 * the file names versions.
 */
const golden: {
  readonly programs: readonly {
    readonly name: string;
    readonly file: string;
    readonly points: readonly {
      readonly position: Readonly<Record<string, readonly number[]>>;
      readonly logp: string;
    }[];
  }[];
} = JSON.parse(
  Deno.readTextFileSync(new URL("../../golden/space_programs.json", import.meta.url)),
);

for (const space of printedSpaces()) {
  const { name, program, dataset, options, file } = space;
  Deno.test(`the printed file runs in PyMC with the same density: ${name}`, () => {
    const found = golden.programs.find((one) => one.name === name);
    assert.ok(found, "make the golden file again");
    assert.equal(found.file, sha256(file), "printed otherwise: make the golden file again");
    const density = compileLogDensity(program, dataset);
    const jacobian = jacobianOf(space);
    for (const { position, logp } of found.points) {
      const wanted = logp === "-inf" ? -Infinity : Number(logp) + jacobian;
      const vector = Float64Array.from(program.parameters.flatMap((one) => position[one.name]));
      assert.equal(vector.length, density.dimension);
      const value = density.logDensity(vector, new Float64Array(vector.length), 0);
      // PyTensor computes with literals in single precision: 1 / 10 for pm.Exponential("a", 10).
      const close = Math.abs(value - wanted) <= 1e-7 * (1 + Math.abs(wanted));
      assert.ok(value === wanted || close, `${value} for ${wanted}`);
    }
    const read = checkProgram(file, dataset, undefined, { ...options, rows: "judged" });
    assert.ok(read.ok, JSON.stringify(read).slice(0, 300));
    const isProven = file.includes("Read back, it has the log densities of the graph at 64 points");
    assert.ok(read.program.hash === program.hash || isProven, file);
  });
}
