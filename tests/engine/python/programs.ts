/** Data and helpers for tests of the checker. */
import assert from "node:assert/strict";
import { renderDiagnostics } from "../../../src/base/diagnostic.ts";
import { type Dataset, makeDataset } from "../../../src/base/dataset.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import type { CheckedProgram } from "../../../src/engine/language/ir/program.ts";

/** Three rows with a response inside of the unit interval, which every family supports. */
export const data: Dataset = makeDataset("test", [
  { name: "age", role: "predictor", type: "real", values: Float64Array.of(1, 2, 6) },
  { name: "dose", role: "predictor", type: "real", values: Float64Array.of(0.5, 0.25, 4) },
  { name: "length", role: "response", type: "real", values: Float64Array.of(0.2, 0.4, 0.6) },
]);

/** `with pm.Model() as model:` around lines. */
export function model(...lines: readonly string[]): string {
  return ["with pm.Model() as model:", ...lines.map((line) => `    ${line}`)].join("\n") + "\n";
}

/** The checked program, or a failing test with the messages. */
export function accept(text: string): CheckedProgram {
  const result = checkProgram(text, data, undefined, { rows: "ordered" });
  if (result.ok) return result.program;
  assert.fail(renderDiagnostics(result.diagnostics, new Map([["program.py", text]])));
}

/** Codes of the errors of a program that must be refused. */
export function refuse(text: string): string[] {
  const result = checkProgram(text, data, undefined, { rows: "ordered" });
  assert.ok(!result.ok, `accepted:\n${text}`);
  return result.diagnostics.filter((d) => d.severity === "error").map((d) => d.code);
}

/** One distribution as the prior of `a`, with the values of its canonical arguments. */
export function priorOf(call: string) {
  const program = accept(
    model(`a = ${call}`, 'pm.Normal("y", a, 1, observed=data["length"])'),
  );
  const [{ prior, transform }] = program.parameters;
  const values = prior.args.map((id) => {
    const node = program.nodes[id];
    assert.equal(node.kind, "constant");
    return node.kind === "constant" ? node.values[0] : NaN;
  });
  return { family: prior.family, values, transform: transform.kind };
}
