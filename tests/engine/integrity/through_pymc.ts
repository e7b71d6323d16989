/** Attempts through real PyMC in its sandbox; needs `sluice doctor --install-python`. */
import assert from "node:assert/strict";
import { PymcFrontEnd } from "../../../src/executor/pymc/front_end.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { readExtraction } from "../../../src/engine/language/graph_import/read_extraction.ts";
import { readReordered } from "../../../src/engine/language/graph_import/reordered.ts";
import { checkExtraction } from "../../../src/engine/language/graph_import/to_program.ts";
import { type Attempt, attempts, datasets, honest } from "./lh_catalogue.ts";

const root = new URL("../../../", import.meta.url).pathname;
/** Without the static check of texts, so that what lies behind it is tried. */
export const frontEnd = new PymcFrontEnd({ root, slots: 2, refuse: "asked" });

const native = checkProgram(honest, datasets.measured);
assert.ok(native.ok);
const honestHash = native.program.hash;

/** Attempts that can be written in Python. */
export const tried: readonly Attempt[] = attempts.filter(({ python }) => python !== undefined);

/** One line for each attempt that does not end as the catalogue says. */
export async function surprises(some: readonly Attempt[]): Promise<string[]> {
  const wrong: string[] = [];
  await Promise.all(some.map(async (attempt) => {
    const found = await outcomeOf(attempt);
    const wanted = attempt.python!.kind === "refused" ? attempt.python!.code : attempt.python!.kind;
    if (found.includes(wanted)) return;
    wrong.push(`${attempt.rule}, ${attempt.title}: wanted ${wanted}, found ${found}`);
  }));
  return wrong;
}

/** Outcome of a program: codes of its findings, `no effect`, or `a model`. */
async function outcomeOf({ program, data = "measured" }: Attempt): Promise<readonly string[]> {
  const dataset = datasets[data];
  const result = await frontEnd.extract(program, dataset);
  if ("execution" in result) return codes(result.execution.diagnostics);
  const read = readExtraction(result.graph);
  if (read.kind !== "model") return ["unsupported/pymc-graph"];
  const other = readReordered(result.graph);
  const checked = checkExtraction(read.extraction, dataset, "p.py", other, { text: program });
  if (!checked.ok) return codes(checked.diagnostics);
  return [checked.program.hash === honestHash ? "no effect" : "a model"];
}

function codes(diagnostics: readonly { readonly code: string; readonly severity: string }[]) {
  return diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
}
