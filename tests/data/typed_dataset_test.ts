/** Raw tables as data sets: roles, types, categories, and missing cells. */
import assert from "node:assert/strict";
import { makeDataset } from "../../src/base/dataset.ts";
import fc from "fast-check";
import type { Dataset } from "../../src/base/dataset.ts";
import { InputError } from "../../src/base/diagnostic.ts";
import { parseTable } from "../../src/data/raw_table.ts";
import type { MissingRule } from "../../src/data/missing_rules.ts";
import { type ColumnSpec, typedDataset } from "../../src/data/typed_dataset.ts";

type Specs = Readonly<Record<string, ColumnSpec>>;

async function dataset(text: string, specs: Specs, missing: MissingRule = "error", file = "d.csv") {
  const table = await parseTable(new TextEncoder().encode(text), file);
  return typedDataset("d", table, specs, missing);
}

async function refusal(text: string, specs: Specs, missing: MissingRule = "error") {
  try {
    await dataset(text, specs, missing);
  } catch (error) {
    if (error instanceof InputError) return error.diagnostics;
    throw error;
  }
  throw new Error("it was not refused");
}

const values = (data: Dataset, name: string) => [
  ...data.columns.find((column) => column.name === name)!.values,
];

const y: ColumnSpec = { role: "response" };

Deno.test("columns get roles and types; those that nobody names are left out", async () => {
  const data = await dataset("a,b,c\n1,2,3\n4,5,6\n", {
    a: { role: "predictor" },
    b: { ...y, resolution: 0.1 },
  });
  assert.deepEqual([data.rows, data.dropped], [2, 0]);
  assert.deepEqual(data.columns.map(({ name, role, type }) => [name, role, type]), [
    ["a", "predictor", "real"],
    ["b", "response", "real"],
  ]);
  assert.equal(data.columns[1].resolution, 0.1);
  assert.deepEqual(values(data, "b"), [2, 5]);
});

Deno.test("an ignored column may hold anything", async () => {
  const data = await dataset("a,y\n?,1\n,2\n", { a: { role: "ignore" }, y });
  assert.deepEqual([data.rows, data.columns.map(({ name }) => name)], [2, ["y"]]);
});

Deno.test("categories become codes in the order of their names", async () => {
  const group: ColumnSpec = { role: "group", type: "category" };
  const data = await dataset("g,y\nwest,1\neast,2\nwest,3\n", { g: group, y });
  assert.deepEqual(data.columns[0].categories, ["east", "west"]);
  assert.deepEqual(values(data, "g"), [1, 0, 1]);
});

Deno.test("rows with a missing cell are dropped and counted, if that is asked for", async () => {
  const text = "a,y,z\n1,1,\nNA,2,\n3,NaN,\n,,\n5,5,x\n";
  const specs: Specs = { a: { role: "predictor" }, y };
  const data = await dataset(text, specs, "drop");
  assert.deepEqual([data.rows, data.dropped], [2, 3]);
  assert.deepEqual([values(data, "a"), values(data, "y")], [[1, 5], [1, 5]]);
  const found = await refusal(text, specs);
  assert.deepEqual(found.map(({ code, span }) => [code, span?.line, span?.column]), [
    ["data/missing-value", 3, 1],
    ["data/missing-value", 4, 3],
    ["data/missing-value", 5, 1],
    ["data/missing-value", 5, 2],
  ]);
});

Deno.test("null of JSON is missing, not 0; true is 1", async () => {
  const text = '{"a":[null,true,false],"y":[1,2,3]}';
  const specs: Specs = { a: { role: "predictor", type: "binary" }, y };
  const data = await dataset(text, specs, "drop", "d.json");
  assert.deepEqual([data.dropped, values(data, "a")], [1, [1, 0]]);
});

Deno.test("no complete row is no data set", async () => {
  const found = await refusal("y\nNA\n", { y }, "drop");
  assert.equal(found[0].message, "Cannot use d.csv: no row is complete");
});

const cells: [ColumnSpec["type"], string, string | undefined][] = [
  ["real", "-1e-3", undefined],
  ["real", "1,5", "a finite number"],
  ["real", "1e999", "a finite number"],
  ["real", "0x10", "a finite number"],
  ["count", "0", undefined],
  ["count", "2.5", "a whole number, 0 or more"],
  ["count", "-1", "a whole number, 0 or more"],
  ["binary", "1", undefined],
  ["binary", "2", "0 or 1"],
];

for (const [type, cell, wanted] of cells) {
  Deno.test(`a cell ${cell} of type ${type} is ${wanted ? "refused" : "read"}`, async () => {
    const text = `y\n"${cell}"\n`;
    const spec: Specs = { y: { role: "response", type } };
    if (wanted === undefined) {
      assert.deepEqual(values(await dataset(text, spec), "y"), [Number(cell)]);
      return;
    }
    const [{ code, message }] = await refusal(text, spec);
    const where = `Cannot use d.csv: column "y", row 1: found "${cell}", wanted ${wanted}`;
    assert.deepEqual([code, message], ["data/bad-value", where]);
  });
}

Deno.test("an unknown column and a missing response are reported at once", async () => {
  const found = await refusal("age,length\n1,2\n", { agee: { role: "predictor" } });
  assert.deepEqual(found.map(({ code, hint }) => [code, hint]), [
    ["data/missing-column", 'did you mean "age"? Columns: age, length'],
    ["data/response", 'set role = "response" on one column, e.g. age = { role = "response" }'],
  ]);
});

Deno.test("two responses are refused by name", async () => {
  const [{ message }] = await refusal("a,b\n1,2\n", { a: y, b: y });
  const wanted = 'Cannot use d.csv: wanted one column with role "response", found a, b';
  assert.equal(message, wanted);
});

Deno.test("finite numbers survive CSV and give the same digest as the same numbers in JSON", async () => {
  const numbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(numbers, async (raw) => {
      const list = raw.map((value) => value + 0);
      const csv = await dataset(`y\n${list.join("\n")}\n`, { y });
      const json = await dataset(JSON.stringify({ y: list }), { y }, "error", "d.json");
      assert.deepEqual(values(csv, "y"), list);
      assert.equal(csv.digest, json.digest);
    }),
    { numRuns: 50 },
  );
});

Deno.test("an event in words, or in ones and twos, is told what an event is", async () => {
  const specs: Specs = { y, died: { role: "event", type: "binary" } };
  for (const cells of [["dead", "censored", "dead"], ["2", "1", "2"]]) {
    const [{ hint }] = await refusal(
      `y,died\n${cells.map((cell, i) => `${i + 1},${cell}`).join("\n")}\n`,
      specs,
    );
    assert.match(hint!, /^write 1 for an event, and 0 for a censored row/);
    assert.match(hint!, /levels = \["censored", "dead"\]$/);
  }
});

Deno.test("left, none and right say at which side a response is a limit", async () => {
  const text = "y,side\n0.5,left\n2,none\n4,right\n1,none\n";
  const table = await parseTable(new TextEncoder().encode(text), "d.csv");
  const side = { role: "event", type: "category", levels: ["left", "none", "right"] } as const;
  const { columns } = typedDataset("d", table, { y: { role: "response" }, side }, "error");
  const values = (name: string) => [...columns.find((one) => one.name === name)!.values];
  assert.deepEqual(values("y_limit_below"), [0.5, 0.25, 0.25, 0.25]);
  assert.deepEqual(values("y_limit"), [7.5, 7.5, 4, 7.5]);
  const two = { ...side, levels: ["left", "none"] };
  assert.throws(
    () => typedDataset("d", table, { y: { role: "response" }, side: two }, "error"),
    (error: InputError) => /none of its levels/.test(error.diagnostics[0].message),
  );
});

Deno.test("an event may be in two words, of which the last is the event", async () => {
  const died = { role: "event", type: "binary", levels: ["lost", "dead"] } as const;
  const data = await dataset("y,died\n1,dead\n2,lost\n3,dead\n", { y, died });
  assert.deepEqual(values(data, "died"), [1, 0, 1]);
});

Deno.test("a yes and no keeps its words, which change no digest", () => {
  const columns = new Map([["y", ["no", "yes", "yes"]]]);
  const table = { file: "y.csv", columns, rows: 3, spanOf: () => undefined };
  const spec = { role: "response", type: "binary", levels: ["no", "yes"] } as const;
  const made = typedDataset("y", table, { y: spec }, "error");
  assert.deepEqual(made.columns[0].words, ["no", "yes"]);
  const { words: _, ...bare } = made.columns[0];
  assert.equal(makeDataset("y", [bare]).digest, made.digest);
});
