/** Sentences in narrow terminals. */
import assert from "node:assert/strict";
import { tableWithTexts } from "../../src/report/format.ts";
import { wrapped } from "../../src/report/wrapped.ts";
import { readWarnings } from "../../src/report/report.ts";
import { printWarnings } from "../../src/report/terminal_report/report.ts";
import type { Terminal } from "../../src/report/terminal.ts";

Deno.test("a number keeps its percent sign and its error", () => {
  const text = "normal 60 %, 50 % before the data; apart by 3.2 ± 1.3 nats";
  for (let width = 12; width < 60; width++) {
    const lines = wrapped(text, width).split("\n");
    assert.equal(lines.map((line) => line.trim()).join(" "), text);
    assert(!lines.some((line) => /^ *[%±]|±$/.test(line)), lines.join("\n"));
  }
});

Deno.test("no line is longer than the width where words are shorter", () => {
  const lines = wrapped("a b ".repeat(40).trim(), 20).split("\n");
  assert(lines.slice(1).every((line) => line.length <= 20 && line.startsWith("  ")));
});

Deno.test("a warning names its stage, and one of the whole run none", async () => {
  const said: string[] = [];
  const plain = (text: string) => text;
  const terminal = {
    out: (text: string) => said.push(text),
    ...{ width: 60, colour: { bold: plain, yellow: plain } },
  } as unknown as Terminal;
  const rows = [{ stage: "p", message: "one" }, { stage: null, message: "two" }];
  printWarnings(await readWarnings(() => Promise.resolve(rows)), terminal);
  assert.deepEqual(said, ["\nWarnings", "! p: one", "! two"]);
});

Deno.test("a text below a row ends in what tells it from others, or in an ellipsis", () => {
  const colour = { dim: (text: string) => text } as unknown as Terminal["colour"];
  const below = (text: string) =>
    tableWithTexts(["n"], [["1"]], [text], { width: 24, colour }).split("\n").slice(2);
  assert.deepEqual(below("y ~ 1 + a, normal"), ["    y ~ 1 + a, normal"]);
  assert.deepEqual(below("`blood pressure` ~ 1 + age, normal"), [
    "    `blood pressure` ~ 1",
    "      + age, normal",
  ]);
  const long = below("word ".repeat(40).trim());
  assert.equal(long.length, 4);
  assert.ok(long.every((line) => line.length <= 24) && long[3].endsWith("…"), long.join("\n"));
});
