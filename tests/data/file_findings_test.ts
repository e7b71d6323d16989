/** Findings about files: a response in other units, rows that stand twice, rows sorted by the response. */
import assert from "node:assert/strict";
import { type Column, makeDataset } from "../../src/base/dataset.ts";
import { RandomStream } from "../../src/base/random.ts";
import { fileFindings } from "../../src/data/file_findings.ts";

const random = new RandomStream("files");
const lengths = Array.from({ length: 27 }, () => Number((1.5 + random.uniform()).toFixed(2)));
const ages = lengths.map((one) => Number((10 * one + 5 * random.uniform()).toFixed(1)));
const column = (name: string, values: readonly number[], own: Partial<Column> = {}): Column => ({
  ...{ name, role: "predictor", type: "real" },
  ...own,
  values: Float64Array.from(values),
});
const response = (values: readonly number[]) =>
  column("length", values, { role: "response", resolution: 0.01 });
const found = (...columns: Column[]) => fileFindings(makeDataset("d", columns));

Deno.test("a column that is the response in other units tells it, rounded or not, and a noisy one does not", () => {
  const tells = (values: readonly number[]) => found(response(lengths), column("z", values));
  assert.match(tells(lengths.map((y) => 1000 * y))[0], /^z tells length: length = 0 \+ 0.001 z/);
  assert.match(
    tells(lengths.map((y) => Number((y / 2.54).toFixed(2))))[0],
    /^z tells length: length = .* \+ 2\.5/,
  );
  assert.match(tells(lengths.map((y) => 32 - 1.8 * y))[0], /^z tells length/);
  assert.match(tells(lengths.map((y) => y ** 3))[0], /log\(length\) is a line in log\(z\)/);
  assert.deepEqual(tells(ages), []);
  const off = tells(lengths.map((y, i) => y + (i === 5 ? 0.2 : 0)));
  assert.deepEqual(off.filter((said) => said.includes("tells length")), []);
});

Deno.test("a response of few steps is told by an exact line alone", () => {
  const rating = lengths.map((_, i) => 1 + i % 5);
  const tells = (values: readonly number[]) =>
    found(column("rating", rating, { role: "response", resolution: 1 }), column("z", values));
  assert.match(tells(rating.map((y) => 20 * y))[0], /^z tells rating/);
  assert.deepEqual(tells(rating.map((y, i) => y + lengths[i] / 4)), []);
});

Deno.test("levels that are the response in words tell it, groups of several rows that vary do not", () => {
  const hit = lengths.map((_, i) => Number(i % 3 > 0));
  const words = { type: "category", categories: ["no", "yes"] } as const;
  const y = column("hit", hit, { role: "response", type: "binary" });
  assert.match(found(y, column("label", hit, words))[0], /^label tells hit: rows of one level/);
  assert.deepEqual(found(y, column("label", hit.map((_, i) => i % 2), words)), []);
});

Deno.test("rows that stand twice are counted, and rows of few values are not", () => {
  const both = (values: readonly number[]) => [...values, ...values];
  const [said] = found(response(both(lengths)), column("age", both(ages)));
  assert.match(said, /^27 rows equal an earlier one in all columns read \(28, 29,/);
  assert.deepEqual(found(response(lengths), column("age", ages)), []);
  const close = Array.from({ length: 60 }, (_, i) => (i * 7) % 19 / 10);
  const rounded = column("length", close, { role: "response", resolution: 0.1 });
  assert.deepEqual(found(rounded, column("site", close.map((_, i) => i % 2))), [], "by chance");
  const few = (k: number) => Array.from({ length: 60 }, (_, i) => (i * 7) % k);
  const counts = column("seen", few(3), { role: "response", type: "count" });
  assert.deepEqual(found(counts, column("site", few(4))), []);
  // Four counts of each of forty persons, whose number tells their age.
  const person = Array.from({ length: 160 }, (_, i) => Math.floor(i / 4));
  const seen = person.map((one, i) => (one * 5 + (i * i) % 7) % 9);
  const persons = column("seen", seen, { role: "response", type: "count" });
  const age = column("age", person.map((one) => 20 + (one * 7) % 40));
  assert.deepEqual(found(persons, column("person", person), age), []);
});

Deno.test("a file that is sorted by its response says so, a series does not", () => {
  const up = [...lengths].sort((a, b) => a - b);
  const sorted = /^the rows are sorted by length/;
  assert.match(found(response(up), column("age", ages))[0], sorted);
  assert.match(found(response(up.toReversed()), column("age", ages))[0], sorted);
  const year = column("year", lengths.map((_, i) => 2000 + i), { role: "time" });
  assert.deepEqual(found(response(up), column("age", ages), year), []);
});

Deno.test("rounding of both columns is allowed for, and a logarithm of the response is named", () => {
  const centimetres = Float64Array.from({ length: 40 }, (_, i) => 152 + (i * 17) % 37);
  const inches = centimetres.map((one) => Math.round(one / 0.254) / 10);
  const logs = centimetres.map((one) => Math.round(1e4 * Math.log(one)) / 1e4);
  const found = (name: string, values: Float64Array) =>
    fileFindings(makeDataset("made", [
      { name: "cm", role: "response", type: "real", resolution: 1, values: centimetres },
      { name, role: "predictor", type: "real", values },
    ]));
  assert.match(found("inch", inches)[0], /^inch tells cm: cm = -?[\d.]+ \+ 2\.5\d+ inch/);
  assert.match(found("log_cm", logs)[0], /^log_cm tells cm: log\(cm\) is a line in log_cm/);
});

Deno.test("five copies among rows that tie here and there are found, coincidences of a grid are not", () => {
  const x = Array.from({ length: 60 }, (_, i) => ((i * 37) % 53) / 10);
  const y = Array.from({ length: 60 }, (_, i) => ((i * i * 7 + i) % 61) / 10);
  const found = (x: readonly number[], y: readonly number[]) =>
    fileFindings(makeDataset("made", [
      { name: "y", role: "response", type: "real", values: Float64Array.from(y) },
      { name: "x", role: "predictor", type: "real", values: Float64Array.from(x) },
    ]));
  assert.deepEqual(found(x, y), []);
  const copied = found([...x, ...x.slice(0, 5)], [...y, ...y.slice(0, 5)]);
  assert.match(
    copied[0],
    /^5 rows equal an earlier one in all columns read \(61, 62, 63, 64, 65\)/,
  );
  const coarse = (values: readonly number[]) => values.map((one) => Math.round(3 * one));
  assert.deepEqual(found(coarse(x), coarse(y)), []);
});
