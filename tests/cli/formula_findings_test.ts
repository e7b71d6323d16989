/** Findings about a formula beside its file, before anything is scored: silent ways to a wrong answer. */
import assert from "node:assert/strict";
import { formulaFindings } from "../../src/cli/formula_findings.ts";
import { inspectFile } from "../../src/cli/inspect_file.ts";
import type { AskedSpace } from "../../src/cli/asked_space.ts";
import { spacePipeline } from "../../src/cli/space_pipeline.ts";
import { parseFormula } from "../../src/gfn/spaces/mod.ts";
import { RandomStream } from "../../src/base/random.ts";
import type { InputError } from "../../src/base/diagnostic.ts";

const folder = Deno.makeTempDirSync({ prefix: "sluice-findings-" });
addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));

type Rows = readonly (readonly (string | number)[])[];

async function said(header: string, rows: Rows, formula: string, asked: AskedSpace = {}) {
  const file = `${folder}/made.csv`;
  Deno.writeTextFileSync(file, [header, ...rows.map((row) => row.join(","))].join("\n"));
  const read = await inspectFile(file, parseFormula(formula).response.column, asked);
  const request = { name: "made", path: file, columns: read.columns, ...asked, formula };
  const { remarks, families } = spacePipeline(request);
  const own = formulaFindings(read, { ...asked, formula }, families);
  return { families, all: [...remarks, ...own].join("\n"), own };
}

/** A number between −1 and 1 without a pattern. */
const noise = (k: number) => 2 * new RandomStream("findings", k).uniform() - 1;

const made = (n: number, row: (i: number, e: number) => readonly (string | number)[]) =>
  Array.from({ length: n }, (_, i) => row(i, noise(i + 1)));

Deno.test("a total in the place of failures is asked about, rare failures are not", async () => {
  const totals = made(30, (i, e) => [i % 7, 10 + i % 5, 20 + i % 9 + Math.round(e)]);
  const asked = await said("x,hits,all", totals, "cbind(hits, all) ~ [x]");
  assert.match(asked.all, /all is at least hits in every row.*write hits \| trials\(all\)/);
  const misses = made(30, (i, e) => [i % 7, 10 + i % 5, 8 + i % 9 + Math.round(e)]);
  assert.deepEqual((await said("x,a,b", misses, "cbind(a, b) ~ [x]")).own, []);
});

Deno.test("an amount in an offset without its logarithm is asked about", async () => {
  const rows = made(40, (i, e) => [1 + Math.abs(e), i % 3, Math.round(3 * Math.abs(e) + i % 4)]);
  const formula = (offset: string) => `n ~ offset(${offset}) + [x]`;
  assert.match(
    (await said("hours,x,n", rows, formula("hours"))).all,
    /write offset\(log\(hours\)\)/,
  );
  assert.deepEqual((await said("hours,x,n", rows, formula("log(hours)"))).own, []);
  assert.deepEqual((await said("log_hours,x,n", rows, formula("log_hours"))).own, []);
});

Deno.test("rows of a group that the formula leaves out are said to be alike, others are not", async () => {
  const persons = made(96, (i, e) => {
    const person = Math.floor(i / 8);
    return [
      `p${person}`,
      person % 2 ? "drug" : "placebo",
      (10 + 3 * noise(person + 200) + e).toFixed(2),
    ];
  });
  const header = "person,treat,score";
  const found = await said(header, persons, "score ~ [treat]", { families: ["normal"] });
  assert.match(found.all, /person: rows of one value are alike.*without \(1 \| person\)/);
  for (const formula of ["score ~ [treat] + (1 | person)", "score ~ [treat] + person"]) {
    assert.deepEqual((await said(header, persons, formula, { families: ["normal"] })).own, []);
  }
  assert.deepEqual(
    (await said(header, persons, "score ~ [treat]", { families: ["normal"], group: "person" })).own,
    [],
  );
  const alone = made(
    96,
    (i, e) => [`p${Math.floor(i / 8)}`, i % 2 ? "a" : "b", (10 + e).toFixed(2)],
  );
  assert.deepEqual(
    (await said(header, alone, "score ~ [treat]", { families: ["normal"] })).own,
    [],
  );
});

Deno.test("rows that follow one another are said to, once the line in time is taken out", async () => {
  let [a, b] = [0, 0];
  const walks = made(60, (i, e) => {
    a += e;
    b += noise(i + 500);
    return [1950 + i, a.toFixed(3), b.toFixed(3)];
  });
  const families = ["normal"] as const;
  const found = await said("year,gdp,sun", walks, "gdp ~ [sun]", { families: [...families] });
  assert.match(found.all, /year: rows next to each other.*--space time_series --time year/);
  const trend = made(60, (i, e) => [1950 + i, (i / 3 + e).toFixed(3), (i / 5).toFixed(3)]);
  const line = await said("year,gdp,sun", trend, "gdp ~ [year]", { families: [...families] });
  assert.deepEqual(line.own, []);
});

Deno.test("a table of frequencies is asked about, and read as the rows that it counts", async () => {
  const cells = ["1st", "2nd", "3rd"].flatMap((cls) =>
    ["f", "m"].flatMap((sex) => ["No", "Yes"].map((lived, k) => [cls, sex, lived, 5 + 7 * k]))
  );
  const header = "class,sex,lived,Freq";
  const found = await said(header, cells, "lived ~ [class]");
  assert.match(found.all, /Freq says, it seems.*--frequency Freq/);
  const whole = await said(header, cells, "lived ~ [class]", { frequency: "Freq" });
  assert.deepEqual(whole.own, []);
  const strange = cells.map((row) => row.with(3, 0.5));
  await assert.rejects(
    said(header, strange, "lived ~ [class]", { frequency: "Freq" }),
    /as often as "Freq" says: row 1 holds 0.5/,
  );
});

Deno.test("a response of 1 and 2 is a yes and no, unless families say otherwise", async () => {
  const rows = made(40, (i) => [i % 5, 1 + i % 2]);
  const { families, all } = await said("x,died", rows, "died ~ [x]");
  assert.deepEqual(families, ["bernoulli"]);
  assert.match(all, /1 is "2", 0 is "1"/);
  for (const family of ["normal", "poisson"]) {
    assert.doesNotMatch(
      (await said("x,died", rows, "died ~ [x]", { families: [family] })).all,
      /is "2"/,
    );
  }
});

Deno.test("steps of a scale are asked about, counts are not", async () => {
  const steps = made(60, (i, e) => [i % 5, Math.max(1, Math.min(5, Math.round(3 + 1.5 * e)))]);
  assert.match(
    (await said("x,rating", steps, "rating ~ [x]")).all,
    /say --space ordinal, if rows of 0/,
  );
  const counts = made(60, (i, e) => [i % 5, Math.max(0, Math.round(2 + 4 * e))]);
  assert.doesNotMatch((await said("x,n", counts, "n ~ [x]")).all, /ordinal/);
});

Deno.test("words for a missing value are asked about, and left out where they are said", async () => {
  const rows = made(
    40,
    (i, e) => [i % 9 ? 30 + i : ".", i % 8 ? "mf"[i % 2] : "unknown", e.toFixed(2)],
  );
  const formula = "y ~ [age] + [sex]";
  await assert.rejects(said("age,sex,y", rows, formula), (error: InputError) => {
    assert.match(error.diagnostics[0].hint!, /if these cells stand for missing values, --na \./);
    return true;
  });
  assert.match((await said("age,sex,y", rows, "y ~ [sex]")).all, /level "unknown".*--na unknown/);
  const found = await said("age,sex,y", rows, formula, { na: [".", "unknown"] });
  assert.deepEqual(found.own, []);
  const limits = rows.map(([age, sex, y], i) => [age, sex, i % 5 ? y : "<0.1"]);
  await assert.rejects(said("age,sex,y", limits, "y ~ [sex]"), (error: InputError) => {
    assert.match(error.diagnostics[0].hint!, /y \| cens\(c\)/);
    return true;
  });
});

Deno.test("levels that differ in case alone are asked about", async () => {
  const rows = made(40, (i, e) => [["M", "F", "m"][i % 3], e.toFixed(2)]);
  assert.match((await said("sex,y", rows, "y ~ [sex]")).all, /levels "M" and "m" differ in case/);
});

Deno.test("zeros that follow the formula's columns are said to, until they are asked about", async () => {
  const rows = made(80, (i, e) => {
    const x = noise(i + 900);
    return [x.toFixed(2), e + 1.5 * x > 0 ? 1 + Math.round(4 * Math.abs(noise(i + 1800))) : 0];
  });
  assert.match((await said("x,n", rows, "n ~ [x]")).all, /zeros of n follow.*`; zi ~ \[x\]`/);
  assert.doesNotMatch((await said("x,n", rows, "n ~ [x]; zi ~ [x]")).all, /zeros of n/);
  const apart = made(
    80,
    (i, e) => [e.toFixed(2), i % 3 ? 1 + Math.round(2 + 2 * noise(i + 700)) : 0],
  );
  assert.doesNotMatch((await said("x,n", apart, "n ~ [x]")).all, /zeros of n/);
});

Deno.test("shares in per cent are asked about, and times of survival get no families of amounts", async () => {
  const shares = made(40, (i, e) => [i % 5, (50 + 40 * e).toFixed(1)]);
  assert.match((await said("x,pct", shares, "pct ~ [x]")).all, /shares in per cent/);
  const times = made(
    40,
    (i, e) => [noise(i + 60).toFixed(2), i % 2, (Math.exp(3 * e) + 0.01).toFixed(2)],
  );
  assert.deepEqual((await said("x,d,t", times, "t | event(d) ~ [x]")).all, "");
});
