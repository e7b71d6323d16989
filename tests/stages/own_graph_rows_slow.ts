/** Graphs of executors of one's own are held to the rule that rows may change places. */
import assert from "node:assert/strict";
import { defineExecutor } from "../../src/executor/define_executor.ts";
import { checkGraph } from "../../src/engine/score/score_graph.ts";
import { readProgram } from "../../src/executor/read_program.ts";
import { coursePrograms } from "../engine/graph_import/course_programs.ts";

/** Made by tools/golden/course_graphs.py. */
const golden: { readonly graphs: readonly { name: string; graph: unknown }[] } = JSON.parse(
  Deno.readTextFileSync(new URL("../golden/course_graphs.json", import.meta.url)),
);

/** Codes of findings on a program whose executor gives the same graph for any order of its rows. */
async function codesOf(
  name: string,
  change: (text: string, x: Float64Array) => string = (text) => text,
  rows?: "ordered",
): Promise<readonly string[]> {
  const { program, dataset } = coursePrograms().find((one) => one.name === name)!;
  const x = dataset.columns.find((column) => column.name === "x")!.values;
  const found = golden.graphs.find((one) => one.name === name)!.graph;
  const graph = JSON.parse(change(JSON.stringify(found), x));
  let readings = 0;
  const executor = defineExecutor({
    ...{ name: "fixed", level: "L1", digest: "1" },
    read: () => ({ kind: "graph", graph: { n: readings++, ...graph as object } }),
  });
  const reading = await readProgram(executor, program, dataset);
  assert.equal(readings, 2);
  assert.ok(reading.kind === "graph");
  const checked = checkGraph(reading.graph, dataset, { rows });
  return checked.ok ? [] : checked.diagnostics.map(({ code }) => code);
}

Deno.test("a graph without predictors is the same whatever the order of rows", async () => {
  assert.deepEqual(await codesOf("counts: hurdle counts"), []);
});

/** Row numbers instead of the predictor. */
const numbered = (text: string, x: Float64Array) => {
  const changed = text.replace([...x].join(","), [...x.keys()].map((i) => i + 0.5).join(","));
  assert.notEqual(changed, text);
  return changed;
};

Deno.test("a graph with a column's numbers is the same, one with row numbers tells rows apart", async () => {
  assert.deepEqual(await codesOf("counts: Poisson regression"), []);
  assert.deepEqual(await codesOf("counts: Poisson regression", numbered), ["lh/row-table"]);
  assert.deepEqual(await codesOf("counts: Poisson regression", numbered, "ordered"), []);
});
