/** Types and roles that columns get without a declaration. */
import assert from "node:assert/strict";
import { dataStageToml, inspectTable } from "../../src/data/inspect.ts";
import { parseTable } from "../../src/data/raw_table.ts";

const csv = `id,when,mass,sex,site,sexes,seen,note,code,same,empty
1,2024-01-01,3.75,1,a,f,3,first,x1,7,
2,2024-01-02,3.8,0,b,m,0,second,x2,7,
3,2024-01-03,NA,1,c,f,1,third,x3,7,
4,2024-01-04,3.75,1,d,m,2,fourth,9,7,
5,2024-01-05,4.1,0,e,f,0,fifth,9,7,
6,2024-01-06,3.7,1,f,m,5,sixth,9,7,
7,2024-01-07,3.9,0,a,f,1,seventh,9,7,
8,2024-01-08,3.8,1,b,m,1,eighth,9,7,
9,2024-01-09,3.8,1,c,m,1,ninth,9,7,
10,2024-01-10,3.8,1,d,m,1,tenth,9,7,
11,2024-01-11,3.8,1,e,m,1,eleventh,9,7,
12,2024-01-12,3.8,1,f,m,1,twelfth,9,7,
`;

async function inspected(response?: string) {
  const table = await parseTable(new TextEncoder().encode(csv), "birds.csv");
  return inspectTable(table, response);
}

Deno.test("columns have the roles and types that their values show", async () => {
  const found = (await inspected("seen")).map(({ name, role, type }) => [name, role, type]);
  assert.deepEqual(found, [
    ["id", "ignore", "real"],
    ["when", "ignore", "real"],
    ["mass", "predictor", "real"],
    ["sex", "predictor", "binary"],
    ["site", "predictor", "category"],
    ["sexes", "predictor", "category"],
    ["seen", "response", "count"],
    ["note", "ignore", "category"],
    ["code", "ignore", "real"],
    ["same", "ignore", "real"],
    ["empty", "ignore", "real"],
  ]);
});

Deno.test("what is not used says why, and a response of measurements its grid", async () => {
  const columns = await inspected("mass");
  const remarks = new Map(columns.map(({ name, remark }) => [name, remark]));
  assert.equal(remarks.get("id"), "it numbers the rows");
  assert.equal(
    remarks.get("when"),
    "dates: with --time when, init and rank order the rows by them",
  );
  assert.equal(remarks.get("note"), "nearly every row has a value of its own");
  assert.equal(remarks.get("code"), 'numbers, but for "x1", "x2", "x3" in 3 rows');
  assert.equal(remarks.get("same"), "every value is 7");
  assert.equal(remarks.get("empty"), "it holds nothing");
  const mass = columns.find(({ name }) => name === "mass")!;
  assert.deepEqual([mass.role, mass.resolution, mass.missing], ["response", 0.01, 1]);
});

Deno.test("the lines of a pipeline say the same, gaps included", async () => {
  assert.equal(
    dataStageToml("birds.csv", await inspected("mass")),
    `[stages.data]
kind = "dataset"
path = "birds.csv"
missing = "drop" # rows that lack a value of a column below

[stages.data.columns]
mass = { role = "response", resolution = 0.01 }
sex = { role = "predictor", type = "binary" }
site = { role = "predictor", type = "category" }
sexes = { role = "predictor", type = "category" }
seen = { role = "predictor" }`,
  );
});

/** A response of these values. */
async function response(values: readonly number[]) {
  const text = `y\n${values.join("\n")}\n`;
  const table = await parseTable(new TextEncoder().encode(text), "y.csv");
  return inspectTable(table, "y")[0];
}

Deno.test("multiples of a step are measurements, large whole numbers get a remark", async () => {
  const grams = await response([3750, 3800, 3250, 3450, 3650, 3625, 4675, 3475, 4250]);
  assert.deepEqual([grams.type, grams.resolution], ["real", 25]);
  assert.match(grams.remark!, /multiples of 25: if it counts something, write type = "count"/);
  const births = await response([0, 2, 4, 8, 10, 12, 2, 4]);
  assert.deepEqual([births.type, births.remark], ["count", undefined]);
  const heights = await response([171, 180, 165, 192, 177, 168, 159, 183, 176]);
  assert.deepEqual([heights.type, heights.resolution], ["real", 1]);
  assert.match(heights.hint!, /from 159 to 192, read as measurements.*--families poisson/);
  const seats = await response([21, 22, 22, 23, 21, 22, 23, 22, 21]);
  assert.equal(seats.type, "real", "no family of counts varies so little");
  const stops = await response([2, 10, 4, 22, 16, 10, 85, 120]);
  assert.match(stops.hint!, /from 2 to 120, read as counts: .*--families normal/);
});

Deno.test("two columns that add up to the response do not explain it", async () => {
  const text = "casual,registered,hour,riders\n3,13,0,16\n8,32,1,40\n5,27,1,32\n";
  const table = await parseTable(new TextEncoder().encode(text), "rides.csv");
  const found = inspectTable(table, "riders").map(({ role, remark }) => [role, remark]);
  assert.deepEqual(found, [
    ["ignore", 'with "registered" it tells "riders"'],
    ["ignore", 'with "casual" it tells "riders"'],
    ["predictor", undefined],
    ["response", undefined],
  ]);
});

Deno.test("a part of a whole does not explain the other part", async () => {
  const text = "casual,registered,hour,riders\n3,13,0,16\n8,32,1,40\n5,27,1,32\n";
  const table = await parseTable(new TextEncoder().encode(text), "rides.csv");
  const found = inspectTable(table, "casual").map(({ name, role }) => [name, role]);
  assert.deepEqual(found, [
    ["casual", "response"],
    ["registered", "ignore"],
    ["hour", "predictor"],
    ["riders", "ignore"],
  ]);
});

Deno.test("measurements above 0 with a long tail are asked about their logarithm", async () => {
  const many = Array.from({ length: 40 }, (_, i) => (5 + (i * 7) % 11) / 10);
  const skewed = await response([...many, 9.5, 7.2]);
  assert.equal(skewed.shape, "long_tail");
  assert.match(skewed.hint!, /^above 0 with a long tail: .* ask \[y \| log\(y\)\] ~/);
  for (const plain of [many, [...many, 9.5, 7.2, -0.3], [0.1, 0.2, 0.1, 0.2, 9.5]]) {
    const { shape, hint } = await response(plain);
    assert.deepEqual([shape, hint], [undefined, undefined]);
  }
});

Deno.test("what a field notebook holds is recognised: shares, signs, two words, codes for missing", async () => {
  const seen = async (cells: readonly string[]) => {
    const text = `x,y\n${cells.map((cell, i) => `${i % 7},"${cell}"`).join("\n")}\n`;
    return inspectTable(await parseTable(new TextEncoder().encode(text), "y.csv"), "y")[1];
  };
  const shares = Array.from({ length: 12 }, (_, i) => `${(i + 3) / 20}`);
  assert.match((await seen(shares)).hint!, /the family is beta/);
  assert.match((await seen(["0", "1", ...shares])).remark!, /from 0 to 1: .* y \| trials\(n\)/);
  assert.match((await seen(["12%", "3.5 %", "0%"])).remark!, /signs of per cent/);
  assert.match((await seen(["1,785", "2,003", "1,000,000"])).remark!, /separators of thousands/);
  for (const cells of [["1.695,00", "845,50"], ["1’695.5", "12"], ["1 695,5", "845,5"]]) {
    assert.match((await seen(cells)).remark!, /separators of thousands/, cells[0]);
  }
  assert.match((await seen(["3.1", "-999", "2.7", "4.4"])).remark!, /^1 row holds -999, far from/);
  const { type, order, range, remark } = await seen(["yes", "no", "yes"]);
  assert.deepEqual([type, order, range], ["binary", ["no", "yes"], [0, 1]]);
  assert.equal(remark, '1 is "yes", 0 is "no"');
});

Deno.test("different whole numbers under a name of row numbers are not used, gaps or not", async () => {
  const roleOf = async (name: string, ...values: number[]) => {
    const rows = values.map((value, i) => `${value},${i / 4}`).join("\n");
    const table = await parseTable(new TextEncoder().encode(`${name},y\n${rows}\n`), "rows.csv");
    return inspectTable(table, "y")[0].role;
  };
  for (const name of ["", "Unnamed: 0", "index", "rownames", "X", "...1", "id", "ID"]) {
    assert.equal(await roleOf(name, 3, 7, 8, 12, 4), "ignore", name);
    assert.equal(await roleOf(name, 3, 7, 8, 8, 4), "predictor", `${name}: two rows have one`);
    assert.equal(await roleOf(name, 3, 7.5, 8, 12, 4), "predictor", `${name}: no whole numbers`);
  }
  for (const name of ["x", "width", "year"]) {
    assert.equal(await roleOf(name, 3, 7, 8, 12, 4), "predictor", name);
  }
});
