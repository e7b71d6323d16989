/** Tables with a schema: types of pandas arrive, as pandas itself writes them. */
import assert from "node:assert/strict";
import { inspectTable } from "../../src/data/inspect.ts";
import { namedArrays } from "../../src/data/named_arrays.ts";
import { parseTable } from "../../src/data/raw_table.ts";
import { typedDataset } from "../../src/data/typed_dataset.ts";

// pandas 3.1.1, python -c 'frame.to_json("pandas_table.json", orient="table", index=False)' with
// site = Categorical([1, 2, 4, 1], categories=[4, 2, 1, 9]), dose an ordered Categorical of low, mid,
// high, code = [1, 2, 1, 2].astype(str), flagna of dtype boolean, n of Int64, cm = Categorical([1.0,
// None, 2.0, 1.0]).
const bytes = Deno.readFileSync(new URL("pandas_table.json", import.meta.url));
const table = await parseTable(bytes, "pandas_table.json");

Deno.test("categories, texts, truth values and dates of a frame keep their types", () => {
  const found = inspectTable(table, "y");
  assert.deepEqual(
    found.map(({ name, role, type, order, ordered }) => [name, role, type, order, ordered]),
    [
      ["y", "response", "real", undefined, undefined],
      ["site", "predictor", "category", ["4", "2", "1"], undefined],
      ["dose", "predictor", "category", ["low", "mid", "high"], true],
      ["code", "predictor", "category", ["1", "2"], undefined],
      ["flag", "predictor", "binary", undefined, undefined],
      ["flagna", "predictor", "binary", undefined, undefined],
      ["when", "ignore", "real", undefined, undefined],
      ["n", "predictor", "real", undefined, undefined],
      ["w", "ignore", "category", undefined, undefined],
      ["s", "predictor", "category", ["1", "2", "3"], undefined],
      ["cm", "predictor", "category", ["1", "2"], undefined],
    ],
  );
  assert.equal(found.find(({ name }) => name === "when")!.dates, true);
  assert.equal(found.find(({ name }) => name === "n")!.missing, 1);
});

Deno.test("codes of levels count in the order of the frame, and a table is no dictionary of arrays", () => {
  const specs = {
    flag: { role: "response", type: "binary" },
    dose: { role: "predictor", type: "category", levels: ["low", "mid", "high"] },
  } as const;
  const { columns } = typedDataset("frame", table, specs, "error");
  assert.deepEqual(columns.map(({ values }) => [...values]), [[1, 0, 1, 1], [0, 1, 2, 0]]);
  assert.equal(columns[1].ordered, true);
  assert.equal(namedArrays(new TextDecoder().decode(bytes), "pandas_table.json"), undefined);
});

Deno.test("a response of texts that are numbers is its numbers, one of ordered levels its levels", () => {
  const response = (name: string) => inspectTable(table, name).find((one) => one.name === name)!;
  assert.deepEqual([response("s").type, response("s").range], ["count", [1, 3]]);
  assert.deepEqual([response("dose").type, response("dose").order], ["category", [
    "low",
    "mid",
    "high",
  ]]);
});

Deno.test("levels that are numbers count as numbers do, not as words", () => {
  const levels = (cells: readonly string[]) => {
    const columns = new Map<string, readonly (string | number)[]>([["y", [1, 2, 3]], ["g", cells]]);
    const plain = { file: "a.csv", columns, rows: 3, spanOf: () => undefined };
    const specs = { y: { role: "response" }, g: { role: "predictor", type: "category" } } as const;
    return typedDataset("a", plain, specs, "error").columns[1].categories;
  };
  assert.deepEqual(levels(["10", "9", "1"]), ["1", "9", "10"]);
  assert.deepEqual(levels(["10", "9", "a"]), ["10", "9", "a"]);
});
