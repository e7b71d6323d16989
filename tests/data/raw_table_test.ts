/** Data files as raw tables: CSV with its quotes, TSV, JSON by rows and by columns, Parquet. */
import assert from "node:assert/strict";
import { sniffDelimiter } from "../../src/data/dialect.ts";
import { DuckDBInstance } from "@duckdb/node-api";
import { InputError } from "../../src/base/diagnostic.ts";
import { parseTable, type RawTable } from "../../src/data/raw_table.ts";

async function table(file: string, text: string): Promise<RawTable> {
  return await parseTable(new TextEncoder().encode(text), file);
}

function plain({ columns, rows }: RawTable) {
  return { rows, columns: Object.fromEntries(columns) };
}

Deno.test("CSV: quotes, doubled quotes, delimiters and line ends inside cells", async () => {
  const text = 'name,note\r\n"a, b","say ""hi"""\r\n"two\nlines",plain\r\n';
  assert.deepEqual(plain(await table("d.csv", text)), {
    rows: 2,
    columns: { name: ["a, b", "two\nlines"], note: ['say "hi"', "plain"] },
  });
});

Deno.test("CSV: a byte order mark, blanks around cells and empty lines do not matter", async () => {
  const read = await table("D.CSV", "\uFEFFage , length\n 1 , 2.5\n\n3,4\n\n");
  assert.deepEqual(plain(read), { rows: 2, columns: { age: ["1", "3"], length: ["2.5", "4"] } });
});

Deno.test("TSV is separated by tabs; commas are decimal where a column is all numbers", async () => {
  const read = await table("d.tsv", "a\tb\tc\n1,5\t2\tx,y\n2\t3\t1,5\n");
  const columns = { a: ["1.5", "2"], b: ["2", "3"], c: ["x,y", "1,5"] };
  assert.deepEqual(plain(read), { rows: 2, columns });
});

Deno.test("commas are decimal beside words for missing values and limits, and not in lists of codes", async () => {
  const read = await table(
    "d.csv",
    "a;b;c\n1,5;0,2;1,2\n-;<0,1;1,2,3\n#NV;0,4;2\n2;0,5;1\n2,5;1;1\n",
  );
  const columns = {
    a: ["1.5", "-", "#NV", "2", "2.5"],
    b: ["0.2", "<0.1", "0.4", "0.5", "1"],
    c: ["1,2", "1,2,3", "2", "1", "1"],
  };
  assert.deepEqual(plain(read), { rows: 5, columns });
});

Deno.test("CSV as spreadsheets write it: semicolons, sep=, bars, Windows-1252, UTF-16", async () => {
  const columns = { a: ["1.5", "2"], "ö": ["x", "y"] };
  const text = "a;ö\n1,5;x\n2;y\n";
  assert.deepEqual(plain(await table("d.csv", text)), { rows: 2, columns });
  assert.deepEqual(plain(await table("d.csv", `sep=;\n${text}`)), { rows: 2, columns });
  assert.deepEqual(plain(await table("d.csv", text.replaceAll(";", "|"))), { rows: 2, columns });
  const latin = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  assert.deepEqual(plain(await parseTable(latin, "d.csv")), { rows: 2, columns });
  const wide = new Uint8Array(
    new Uint16Array([0xfeff, ...[...text].map((c) => c.charCodeAt(0))]).buffer,
  );
  assert.deepEqual(plain(await parseTable(wide, "d.csv")), { rows: 2, columns });
});

Deno.test("JSON by rows and by columns are one table", async () => {
  const expected = { rows: 2, columns: { a: [1, 2], b: ["x", null] } };
  assert.deepEqual(plain(await table("d.json", '[{"a":1,"b":"x"},{"a":2,"b":null}]')), expected);
  assert.deepEqual(plain(await table("d.json", '{"a":[1,2],"b":["x",null]}')), expected);
});

Deno.test("a key that a later row of JSON brings is a column, missing before", async () => {
  const read = await table("d.json", '[{"a":1},{"a":2,"b":3}]');
  assert.deepEqual(plain(read), { rows: 2, columns: { a: [1, 2], b: [undefined, 3] } });
});

for (const compression of ["uncompressed", "snappy", "zstd"]) {
  Deno.test(`Parquet that DuckDB wrote, ${compression}`, async () => {
    const folder = Deno.makeTempDirSync({ prefix: "sluice-parquet-" });
    const file = `${folder}/d.parquet`;
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    try {
      const rows = "(values (1, 1.5::double, 'a'), (2, null, 'b')) as t(n, x, name)";
      await connection.run(
        `copy (select * from ${rows}) to '${file}' (format parquet, compression ${compression})`,
      );
      const { rows: count, columns } = await parseTable(Deno.readFileSync(file), "d.parquet");
      assert.equal(count, 2);
      assert.deepEqual([...columns.keys()], ["n", "x", "name"]);
      assert.deepEqual(columns.get("n")!.map(Number), [1, 2]);
      assert.deepEqual(columns.get("x")!.map((cell) => cell ?? null), [1.5, null]);
      assert.deepEqual(columns.get("name"), ["a", "b"]);
    } finally {
      connection.closeSync();
      instance.closeSync();
      Deno.removeSync(folder, { recursive: true });
    }
  });
}

Deno.test("a cell of a CSV file is found again by line and column", async () => {
  const read = await table("d.csv", "a,b\n1,2\n\n30,xyz\n");
  assert.deepEqual(read.spanOf("b", 1), {
    file: "d.csv",
    line: 4,
    column: 4,
    endLine: 4,
    endColumn: 7,
  });
});

const refused: [string, string, string, string, string][] = [
  ["no bytes", "d.csv", "", "data/empty", "the file has no rows"],
  ["a header alone", "d.csv", "a,b\n", "data/empty", "the file has no rows"],
  ["no rows in JSON", "d.json", "[]", "data/empty", "the file has no rows"],
  [
    "a row that is too long",
    "d.csv",
    "a,b\n1,2,3\n",
    "data/csv",
    "line 2 has 3 cells, the header has 2",
  ],
  [
    "other separators below",
    "d.csv",
    "a;b;c\n1;2;3\n1,2,3\n",
    "data/csv",
    "line 3 has 1 cell, the header has 3",
  ],
  ["an open quote", "d.csv", 'a,b\n1,"2\n', "data/csv", "Quote Not Closed"],
  ["no names", "d.csv", "1.77,1.57\n3.1,2\n", "data/header", "numbers instead of names"],
  [
    "two columns of one name",
    "d.csv",
    "a,a\n1,2\n",
    "data/duplicate-column",
    'found two columns named "a"',
  ],
  ["a number as JSON", "d.json", "42", "data/json", "wanted columns or rows"],
  ["broken JSON", "d.json", "{", "data/json", "Expected property name"],
  [
    "columns of different length",
    "d.json",
    '{"a":[1],"b":[1,2]}',
    "data/ragged",
    "columns differ in length (a: 1, b: 2)",
  ],
  ["rows that are no objects", "d.json", "[1, 2]", "data/json", "wanted columns or rows"],
  ["no Parquet", "d.parquet", "PAR?", "data/parquet", "Cannot read d.parquet: "],
  [
    "another extension",
    "d.xls",
    "a",
    "data/format",
    'found the extension ".xls", wanted .csv, .tsv, .json or .parquet',
  ],
];

for (const [what, file, text, code, message] of refused) {
  Deno.test(`a data file is refused for ${what}`, async () => {
    await assert.rejects(() => table(file, text), (error) => {
      assert.ok(error instanceof InputError, String(error));
      assert.equal(error.diagnostics[0].code, code);
      assert.ok(error.message.includes(message), error.message);
      return true;
    });
  });
}

Deno.test("of several separators that one is taken by which rows are even, and two such are refused", () => {
  assert.equal(sniffDelimiter("age;length, cm\n1,5;2,3\n2;3\n"), ";");
  assert.equal(sniffDelimiter("age,a|b\n1,2\n"), ",");
  assert.equal(sniffDelimiter('"a;b",c\n1,2\n'), ",");
  assert.throws(
    () => sniffDelimiter("a;b,c\n1;2,3\n4,5;6\n", "mixed.csv"),
    /mixed\.csv: "," and ";" cut every row alike/,
  );
});

Deno.test("a row with other separators than the header says so, and where", async () => {
  await assert.rejects(() => table("d.csv", "a;b;c\n1;2;3\n1,2,3\n"), (error) => {
    assert.ok(error instanceof InputError);
    const [{ hint, span }] = error.diagnostics;
    assert.match(hint!, /by ";" in the header and by "," here: write one of them throughout/);
    assert.equal(span?.line, 3);
    return true;
  });
});

Deno.test("comments above the header are named as what stands in the way", async () => {
  await assert.rejects(() => table("d.csv", "# measured 2021\nx,y\n1,2\n"), (error) => {
    assert.ok(error instanceof InputError);
    return /delete the lines that begin with "#"/.test(error.diagnostics[0].hint!);
  });
});
