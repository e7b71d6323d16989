/** Limits of censored rows through real PyMC; needs `sluice doctor --install-python`. */
import assert from "node:assert/strict";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { readExtraction } from "../../../src/engine/language/graph_import/read_extraction.ts";
import { readReordered } from "../../../src/engine/language/graph_import/reordered.ts";
import { checkExtraction } from "../../../src/engine/language/graph_import/to_program.ts";
import { censoredData, honest, peeks } from "./limit_catalogue.ts";
import { frontEnd } from "./through_pymc.ts";

const data = censoredData();

/** The hash of the program, or the code of its first finding. */
async function outcome(text: string): Promise<string> {
  const result = await frontEnd.extract(text, data);
  if ("execution" in result) {
    return result.execution.diagnostics.map(({ code, message }) => `${code} ${message}`).join();
  }
  const read = readExtraction(result.graph);
  if (read.kind !== "model") return JSON.stringify(read);
  const checked = checkExtraction(read.extraction, data, "p.py", readReordered(result.graph));
  if (checked.ok) return checked.program.hash;
  return checked.diagnostics.map(({ code, message }) => `${code} ${message}`).join();
}

Deno.test("through PyMC, honest survival programs are the graphs that the native reader has", async () => {
  await Promise.all(
    Object.values(honest).map(async (text) => {
      const native = checkProgram(text, data);
      assert.equal(await outcome(text), native.ok ? native.program.hash : "");
    }),
  );
});

Deno.test("through PyMC, nothing looks at limits or events", async () => {
  const found = await Promise.all(
    Object.entries(peeks).map(async ([title, text]) => `${title}: ${await outcome(text)}`),
  );
  const open = found.filter((one) =>
    !/: (lh\/protected-use-before-score|names\/python-exception)/.test(one)
  );
  assert.deepEqual(open, []);
});
