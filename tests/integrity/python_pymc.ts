/** The catalogue of attempts through real PyMC in its sandbox; needs `sluice doctor --install-python`. */
import assert from "node:assert/strict";
import { PymcFrontEnd } from "../../src/exec/pymc/front_end.ts";
import { checkExtraction } from "../../src/pymc/to_program.ts";
import { readExtraction } from "../../src/pymc/read_extraction.ts";
import { checkProgram } from "../../src/lang/check.ts";
import { type Attempt, attempts, datasets, honest } from "./lh_catalogue.ts";
import { leaks, observer } from "./leakage.ts";

const root = new URL("../../", import.meta.url).pathname;
const frontEnd = new PymcFrontEnd({ root, slots: 2 });
const native = checkProgram(honest, datasets.measured);
assert.ok(native.ok);
const honestHash = native.program.hash;

/** What came of a program: codes of its findings, `no effect`, or `a model`. */
async function outcomeOf({ program, data = "measured" }: Attempt): Promise<readonly string[]> {
  const dataset = datasets[data];
  const result = await frontEnd.extract(program, dataset);
  if ("execution" in result) return codes(result.execution.diagnostics);
  const read = readExtraction(result.graph);
  if (read.kind !== "model") return ["unsupported/pymc-graph"];
  const checked = checkExtraction(read.extraction, dataset);
  if (!checked.ok) return codes(checked.diagnostics);
  return [checked.program.hash === honestHash ? "no effect" : "a model"];
}

function codes(diagnostics: readonly { readonly code: string; readonly severity: string }[]) {
  return diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
}

const tried = attempts.filter(({ python }) => python !== undefined);

Deno.test("through PyMC, each attempt ends as the catalogue says", async () => {
  const wrong: string[] = [];
  await Promise.all(tried.map(async (attempt) => {
    const found = await outcomeOf(attempt);
    const wanted = attempt.python!.kind === "refused" ? attempt.python!.code : attempt.python!.kind;
    if (found.includes(wanted)) return;
    wrong.push(`${attempt.rule}, ${attempt.title}: wanted ${wanted}, found ${found}`);
  }));
  assert.deepEqual(wrong, []);
});

Deno.test("what one program leaves behind does not reach the next", async () => {
  const cold = await frontEnd.extract(observer, datasets.measured);
  await frontEnd.extract(leaks, datasets.measured);
  const after = await frontEnd.extract(observer, datasets.measured);
  assert.ok("graph" in cold && "graph" in after, JSON.stringify([cold, after]).slice(0, 400));
  assert.deepEqual(after.graph, cold.graph);
});
