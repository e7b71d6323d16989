/** Programs in the style of language models: finite where chains start, with true gradients. */
import assert from "node:assert/strict";
import type { Dataset } from "../../../src/base/dataset.ts";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import type { PointwiseDensity } from "../../../src/numerics/math/log_density.ts";
import { readCases } from "../python/catalogue.ts";
import { datasets } from "../python/corpus_data.ts";

const folder = new URL("../python/corpus/", import.meta.url);

/** Positions about the centre of the starting region. */
function positions({ dimension, startingRegion }: PointwiseDensity): Float64Array[] {
  const { centre, spread } = startingRegion!;
  return [0, 0.3, 1].map((scale, k) =>
    Float64Array.from(
      { length: dimension },
      (_, i) => centre[i] + scale * spread[i] * Math.sin(i + k),
    )
  );
}

function assertSound(title: string, program: string, dataset: Dataset): void {
  const checked = checkProgram(program, dataset, undefined, { rows: "ordered" });
  assert.ok(checked.ok, title);
  const density = compileLogDensity(checked.program, dataset);
  const plain = compileLogDensity(checked.program, dataset, { backend: "plain" });
  const [gradient, same, sink] = [0, 0, 0].map(() => new Float64Array(density.dimension));
  for (const q of positions(density)) {
    const value = density.logDensity(q, gradient, 0);
    assert.ok(Number.isFinite(value), `${title}: ${value}`);
    assert.equal(plain.logDensity(q, same, 0), value, title);
    gradient.forEach((slope, i) => {
      assert.ok(Object.is(slope + 0, same[i] + 0), `${title}: d${i} ${slope} and ${same[i]}`);
      const at = (step: number) => density.logDensity(q.with(i, q[i] + step), sink, 0);
      const central = (step: number) => (at(step) - at(-step)) / (2 * step);
      const wanted = (4 * central(5e-5) - central(1e-4)) / 3;
      const allowed = 1e-6 * Math.max(1, Math.abs(value), Math.abs(wanted));
      assert.ok(Math.abs(slope - wanted) < allowed, `${title}: d${i} ${slope}, not ${wanted}`);
    });
  }
}

for (const [name, dataset] of Object.entries(datasets)) {
  Deno.test(`densities of programs on ${name} are finite and smooth, with equal bits`, () => {
    const cases = readCases(Deno.readTextFileSync(new URL(`${name}.txt`, folder)));
    assert.ok(cases.length > 0);
    for (const { title, program } of cases) assertSound(title, program, dataset);
  });
}
