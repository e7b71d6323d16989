/** A graph that is not what the text says is refused, whichever program printed it. */
import assert from "node:assert/strict";
import type { Dataset } from "../../../src/base/dataset.ts";
import { disagreement } from "../../../src/engine/score/graph_agreement.ts";
import { readExtraction } from "../../../src/engine/language/graph_import/read_extraction.ts";
import { checkExtraction } from "../../../src/engine/language/graph_import/to_program.ts";
import type { CheckedProgram } from "../../../src/engine/language/ir/program.ts";
import { finish } from "../../../src/engine/inference/mcmc/sample_chains.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreGraph } from "../../../src/engine/score/score_graph.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { refusePython } from "../../../src/executor/pymc/allowed_python.ts";
import { sharedPrograms } from "./programs.ts";

const golden: { readonly graphs: readonly { name: string; graph: unknown }[] } = JSON.parse(
  Deno.readTextFileSync(new URL("../../golden/pymc_graphs.json", import.meta.url)),
);
const graphs = new Map(golden.graphs.map(({ name, graph }) => [name, graph]));
const programs = sharedPrograms();

function built(graph: unknown, dataset: Dataset): CheckedProgram {
  const read = readExtraction(graph);
  assert.ok(read.kind === "model");
  const checked = checkExtraction(read.extraction, dataset);
  assert.ok(checked.ok);
  return checked.program;
}

Deno.test("all graphs that real PyMC built of programs agree with their texts", () => {
  const wrong = programs.flatMap(({ name, program, dataset }) => {
    const found = disagreement(built(graphs.get(name), dataset), program, dataset);
    return found ? [`${name}: ${found.message}`] : [];
  });
  assert.deepEqual(wrong, []);
});

Deno.test("a graph with one number changed on its way out is refused, and not scored", () => {
  const { name, program, dataset } = programs[0];
  const graph = JSON.stringify(graphs.get(name));
  const values = /"values":\[(2|0\.2|10\.0|5\.0|1\.0)\]/;
  assert.match(graph, values);
  const forged = JSON.parse(graph.replace(values, '"values":[0.725]'));
  const found = disagreement(built(forged, dataset), program, dataset);
  assert.equal(found?.code, "lh/front-ends-differ");
  assert.match(found.message, /another model than its text says: log densities of/);
  const { status, diagnostics } = finish(
    scoreGraph(forged, dataset, defaultSchedule, { text: program }),
  );
  assert.deepEqual([status, diagnostics[0].code], ["rejected", "lh/front-ends-differ"]);
});

Deno.test("a variable more, or of another shape, is named", () => {
  const { name, program, dataset } = programs[0];
  const whole = built(graphs.get(name), dataset);
  const [first, ...others] = whole.parameters;
  const renamed = { ...whole, hash: "", parameters: [{ ...first, name: "other" }, ...others] };
  assert.match(
    disagreement(renamed, program, dataset)?.message ?? "",
    /which only one of them has/,
  );
  assert.equal(disagreement(renamed, "not Python", dataset), undefined);
});

Deno.test("a program that has its own graph printed otherwise is refused by the comparison alone", () => {
  const honest = `import pymc as pm
with pm.Model() as model:
    a = pm.Normal("a", 1.725, 0.01)
    s = pm.HalfNormal("s", 1)
    pm.Normal("length", a, s, observed=data["length"])
`;
  const attack = `import json
real = json.dumps
def forged(o, *args, **kwargs):
    return real(o, *args, **kwargs).replace("17.25", "1.725")
json.dumps = forged
${honest.replace("1.725", "17.25")}`;
  assert.equal(refusePython(attack)?.code, "unsupported/import");
  const { dataset } = programs[0];
  const printed = checkProgram(honest, dataset);
  assert.ok(printed.ok);
  assert.equal(disagreement(printed.program, honest, dataset), undefined);
  const found = disagreement(printed.program, attack, dataset);
  assert.equal(found?.code, "lh/front-ends-differ");
});
