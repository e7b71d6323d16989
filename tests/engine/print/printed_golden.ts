/** Files that were printed of graphs, with their log densities in real PyMC: how they are held. */
import assert from "node:assert/strict";
import { sha256 } from "../../../src/base/digest.ts";
import type { Dataset } from "../../../src/base/dataset.ts";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import type { CheckedProgram } from "../../../src/engine/language/ir/program.ts";

/** Made by tools/golden/printed_programs.py; the file names versions. */
interface PrintedGolden {
  readonly programs: readonly {
    readonly name: string;
    readonly file: string;
    readonly points: readonly {
      readonly position: Readonly<Record<string, readonly number[]>>;
      readonly logp: string;
    }[];
  }[];
}

/** The golden file of that name. */
export function printedGolden(name: string): PrintedGolden {
  return JSON.parse(Deno.readTextFileSync(new URL(`../../golden/${name}`, import.meta.url)));
}

/** A printed file, and the graph that it is of. */
export interface PrintedFile {
  readonly name: string;
  readonly program: CheckedProgram;
  readonly dataset: Dataset;
  readonly file: string;
}

/**
 * Holds the graph's log density against PyMC's, in nats.
 *
 * @param jacobian what PyMC's lacks: that of a transformed response.
 * @param slack relative to the density.
 */
export function holdDensities(
  { programs }: PrintedGolden,
  { name, program, dataset, file }: PrintedFile,
  { jacobian = 0, slack }: { readonly jacobian?: number; readonly slack: number },
): void {
  const found = programs.find((one) => one.name === name);
  assert.ok(found, "make the golden file again");
  assert.equal(found.file, sha256(file), "printed otherwise: make the golden file again");
  const density = compileLogDensity(program, dataset);
  for (const { position, logp } of found.points) {
    // An angle is one number in PyMC, and two in the engine: a point of the circle, whose radius has a density of its own.
    const angles = program.parameters.filter(({ transform }) => transform.kind === "circular")
      .flatMap(({ name }) => position[name]);
    const own = jacobian - angles.length * Math.log(0.2 * Math.sqrt(2 * Math.PI));
    const wanted = logp === "-inf" ? -Infinity : Number(logp) + own;
    const vector = Float64Array.from(
      program.parameters.flatMap(({ name, transform }) =>
        transform.kind === "circular"
          ? position[name].flatMap((angle) => [Math.cos(angle), Math.sin(angle)])
          : position[name]
      ),
    );
    assert.equal(vector.length, density.dimension);
    const value = density.logDensity(vector, new Float64Array(vector.length), 0);
    // PyTensor computes with literals in single precision: 1 / 10 for pm.Exponential("a", 10).
    const close = Math.abs(value - wanted) <= slack * (1 + Math.abs(wanted));
    assert.ok(value === wanted || close, `${value} for ${wanted}`);
  }
}
