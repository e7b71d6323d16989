/** A point mass where two cells meet is in one of them. */
import assert from "node:assert/strict";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { datasetOf } from "../density/data.ts";

const lengths = Array.from({ length: 300 }, (_, i) => (i + 100) / 100);
const data = datasetOf("lengths", { y: lengths }, 0.01);

/** The mass of all cells of 1.00 … 3.99. */
function massOfCells(likelihood: string): number {
  const text = `import pymc as pm
with pm.Model() as model:
    p = pm.Normal("p", 0, 1)
    ${likelihood}
`;
  const checked = checkProgram(text, data);
  assert.ok(checked.ok, JSON.stringify(checked));
  const density = compileLogDensity(checked.program, data);
  const out = new Float64Array(lengths.length);
  density.logCells!(Float64Array.of(0), 0, out, 0);
  return out.reduce((sum, one) => sum + 0.01 * Math.exp(one), 0);
}

Deno.test("censored at the end of a cell, all of its tail is in one cell", () => {
  const meeting = lengths.flatMap((y, i) =>
    i > 0 && y - 0.005 <= lengths[i - 1] + 0.005 ? [i] : []
  );
  assert.ok(meeting.length > 0, "some ends are in both cells as they are computed");
  const ends = meeting.slice(0, 4).flatMap((i) => [lengths[i] - 0.005, lengths[i - 1] + 0.005]);
  for (const bound of ends) {
    const likelihood = `pm.Censored("y", pm.Normal.dist(p, 0.1), lower=${bound} + 0 * p, ` +
      'upper=5, observed=data["y"])';
    const mass = massOfCells(likelihood);
    assert.ok(Math.abs(mass - 1) < 1e-9, `${bound}: ${mass}`);
  }
});
