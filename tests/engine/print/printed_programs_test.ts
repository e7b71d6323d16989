/** Files that are printed of graphs run in real PyMC, with the log densities of the graphs. */
import assert from "node:assert/strict";
import { sha256 } from "../../../src/base/digest.ts";
import { compileLogDensity } from "../../../src/engine/density/compile.ts";
import { checkProgram } from "../../../src/engine/pymc/check.ts";
import { printedPrograms } from "./printed_programs.ts";

/** Made by tools/golden/printed_programs.py; the file names versions. */
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
  Deno.readTextFileSync(new URL("../../golden/printed_programs.json", import.meta.url)),
);

for (const { name, program, dataset, file } of printedPrograms()) {
  Deno.test(`the printed file runs in PyMC with the same density: ${name}`, () => {
    const found = golden.programs.find((one) => one.name === name);
    assert.ok(found);
    assert.equal(found.file, sha256(file), "printed otherwise: make the golden file again");
    const density = compileLogDensity(program, dataset);
    for (const { position, logp } of found.points) {
      const wanted = logp === "-inf" ? -Infinity : Number(logp);
      const vector = Float64Array.from(program.parameters.flatMap((one) => position[one.name]));
      assert.equal(vector.length, density.dimension);
      const value = density.logDensity(vector, new Float64Array(vector.length), 0);
      // PyTensor computes with literals in single precision: 1 / 10 for pm.Exponential("a", 10).
      const close = Math.abs(value - wanted) <= 1e-8 * (1 + Math.abs(wanted));
      assert.ok(value === wanted || close, `${value} for ${wanted}`);
    }
  });

  Deno.test(`the printed file, whole, is read back as the program: ${name}`, () => {
    const read = checkProgram(file, dataset, undefined, { rows: "judged" });
    assert.ok(read.ok, JSON.stringify(read).slice(0, 300));
    assert.equal(read.program.hash, program.hash);
  });
}
