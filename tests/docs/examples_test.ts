/** The example program of the README is one that the engine accepts. */
import assert from "node:assert/strict";
import { checkProgram, makeDataset } from "../../mod.ts";
import { read } from "./markdown.ts";

/** A column of a CSV file of two columns, without its heading. */
function column(file: string, index: number): Float64Array {
  const [, ...rows] = read(file).trim().split("\n");
  return Float64Array.from(rows, (row) => Number(row.split(",")[index]));
}

Deno.test("docs/examples/curve.py is a program on data/dugongs.csv", () => {
  const [age, length] = [0, 1].map((index) => column("data/dugongs.csv", index));
  const data = makeDataset("dugongs", [
    { name: "age", role: "predictor", type: "real", values: age },
    { name: "length", role: "response", type: "real", values: length },
  ]);
  const result = checkProgram(read("docs/examples/curve.py"), data);
  assert(result.ok, result.ok ? "" : result.diagnostics[0].message);
});
