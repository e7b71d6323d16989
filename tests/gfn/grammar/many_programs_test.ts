/** Grammars with more programs than anybody lists are checked by some that make every choice. */
import assert from "node:assert/strict";
import { InputError } from "../../../src/base/diagnostic.ts";
import { grammarEnvironment } from "../../../src/gfn/grammar/environment.ts";
import { checkGrammarPrograms } from "../../../src/gfn/grammar/programs.ts";
import { grammarFindings } from "../../../src/gfn/grammar/read.ts";
import type { GrammarSpec } from "../../../src/gfn/grammar/spec.ts";

import { parseTomlFile } from "../../../src/pipeline/toml/parse.ts";
import { grammarOf, repositoryText } from "./small_grammar.ts";

const production = (name: string, text: string) => ({
  ...{ name, weight: 1, text, requires: [], requiresAny: [], excludes: [] },
});

/** 2^terms programs; each term is in or out, and a fault is in one of them. */
function wide(terms: number, fault = "in"): GrammarSpec {
  const names = Array.from({ length: terms }, (_, i) => `x${i}`);
  return {
    ...{ format: 1, name: "wide", exit: 1, clauses: [] },
    template: names.map((name) => `{${name}}`).join("\n"),
    holes: names.map((name, i) => ({
      name,
      type: "statements" as const,
      productions: [
        production(`${name}_out`, "pass"),
        production(`${name}_in`, i === terms - 1 ? `${name} = ${fault}` : `${name} = in`),
      ],
    })),
  };
}

const hashed = (text: string) => ({ ok: true, program: { hash: text } }) as const;

Deno.test("of 2^30 programs some are checked, and every production is among them", () => {
  const seen = new Set<string>();
  const report = checkGrammarPrograms(wide(30), (text) => {
    for (const line of text.trim().split("\n")) seen.add(line);
    return hashed(text);
  });
  assert.equal(report.programs, 2 ** 30);
  assert.ok(report.checked > 500 && report.checked < 2_000, `${report.checked}`);
  assert.equal(seen.size, 31);
});

Deno.test("the same programs again; 2^10 are all checked", () => {
  const texts = () => grammarEnvironment(wide(30)).some!(100).map(({ text }) => text);
  assert.equal(new Set(texts()).size, 100);
  assert.deepEqual(texts(), texts());
  assert.equal(checkGrammarPrograms(wide(10), hashed).checked, 1_024);
});

Deno.test("a budget in seconds is reckoned in programs", () => {
  const checked = (terms: number, seconds: number) =>
    checkGrammarPrograms(wide(terms), hashed, { seconds }).checked;
  assert.equal(checked(9, 1), 512);
  assert.equal(checked(10, 1), 60);
  assert.equal(checked(10, 2), 1_024);
  assert.equal(checked(30, 0.02), 2);
});

Deno.test("of a tree within trees every choice is checked, numbers halved both ways", () => {
  const text = repositoryText("grammars/kernels.toml");
  const seen = new Set<string>();
  const report = checkGrammarPrograms(grammarOf(text, "kernels.toml"), (program) => {
    for (const [name] of program.matchAll(/ExpQuad|Periodic|Linear|\) \+|\) \*/g)) seen.add(name);
    return hashed(program);
  });
  assert.ok(report.programs > 5e13 && report.programs < 6e13);
  assert.ok(report.checked > 200 && report.checked <= 1_200);
  assert.equal(seen.size, 5);
});

Deno.test("findings have their places, and nothing is found in a grammar that is right", () => {
  const findings = (text: string) => grammarFindings(parseTomlFile(text, "k.toml"), "k.toml");
  const kernels = repositoryText("grammars/kernels.toml");
  assert.deepEqual(findings(kernels), []);
  const [heavy, ...others] = findings(
    kernels.replace('"product", weight = 1', '"product", weight = 99'),
  );
  assert.equal(heavy.code, "grammar/infinite-mass");
  assert.equal(kernels.split("\n")[heavy.span!.line - 1], "[holes.kernel]");
  assert.equal(others.length, 0);
  const wrong = findings("format = 1\nname = 'k'\ntemplate = '{a}'\nexti = 2\n");
  assert.ok(wrong.some(({ code, span }) => code === "grammar/unknown-key" && span?.line === 4));
});

Deno.test("a fault in one production of many is found, and named", () => {
  const check = (text: string) =>
    text.includes("broken")
      ? { ok: false, diagnostics: [{ code: "x", severity: "error", message: "broken" }] } as const
      : hashed(text);
  const isNamed = (error: Error) => error instanceof InputError && /x29_in/.test(error.message);
  assert.throws(() => checkGrammarPrograms(wide(30, "broken"), check), isNamed);
});
