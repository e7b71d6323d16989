/** Masks of tokens by what a text can begin with, and the environment that holds to them. */
import assert from "node:assert/strict";
import { RandomStream } from "../../src/base/random.ts";
import {
  canBegin,
  canEnd,
  knownWords,
  likeness,
} from "../../src/engine/language/pymc/viable_prefix.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { brokenAs, freeTokens } from "../../src/gfn/environments/free_tokens.ts";
import { environmentNamed } from "../../src/gfn/environments/built_in_environments.ts";
import { TokenMask } from "../../src/gfn/environments/token_mask.ts";
import { LanguageModelPolicy } from "../../src/gfn/policies/language_model/language_model_policy.ts";
import { makeBatch } from "../../src/gfn/trajectories/batch.ts";
import { readCases } from "../engine/python/catalogue.ts";
import { PathModel } from "./token_model.ts";

/** Longest first, as an encoder matches them. */
const spellings = [
  "import",
  " pymc",
  " as",
  " pm",
  "pm",
  "np",
  "a",
  "b",
  " = ",
  "1",
  "\n",
  ".",
  "(",
  "$",
];
const [end, begin, vocabulary] = [14, 15, 16];
const pattern = new RegExp(
  [...spellings].sort((a, b) => b.length - a.length)
    .map((one) => one.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"),
  "g",
);
const source = {
  ...{ digest: "few", vocabulary, context: 16, end },
  encode: (text: string) => (text.match(pattern) ?? []).map((one) => spellings.indexOf(one)),
  decode: (ids: readonly number[]) => ids.map((id) => spellings[id] ?? "?").join(""),
  spell: (id: number) => spellings[id] ?? "",
};
const rules = { canBegin, canEnd, knownWords };
const mask = new TokenMask(source, rules);
const spelt = (text: string) => [...mask.legal(text)].map((id) => spellings[id] ?? "end");

Deno.test("legal are the tokens that a program can go on with, and the end where it is one", () => {
  const import_ = "import pymc as pm\n";
  const letters = ["import", " pymc", "pm", "np", "a", "b", "1"]; // or a longer name, to be assigned to
  assert.deepEqual(spelt("import"), letters);
  assert.deepEqual(spelt("import pymc"), [" as", "\n", ".", "end"]);
  assert.deepEqual(spelt(import_ + "b = "), [" pm", "pm", "a", "b", "1", ".", "("]); // abs, bool
  assert.ok(spelt(import_ + "b = 1").includes("end"));
  assert.ok(spelt(import_ + "b = 1\na = b").includes("end"));
  assert.ok(!spelt(import_ + "b = ").includes("np"), "nothing was imported as np");
  assert.ok(!spelt(import_).includes("$"));
});

const spec = {
  ...{ of: { kind: "numbers", spec: null }, mask: "language" as const, model: "few", sha256: "0" },
  ...{ tokenizer: "few", vocabulary, end, most: 9 },
};
const texts = freeTokens(environmentNamed("numbers"), { ...source, mask }, spec) as Environment;

Deno.test("sampling, scores and gradients hold to one mask", async () => {
  const model = new PathModel(vocabulary);
  const header = {
    ...{ config: {}, environment: texts.digest, actions: vocabulary, positions: 9 },
    ...{ backward: 0, features: 0 },
  };
  const rest = { another: () => new PathModel(vocabulary), backend: "host", computes: "plain" };
  const policy = new LanguageModelPolicy({ model, header, begin, context: 16, ...rest });
  const random = new RandomStream("seed 4");
  const sampled = await policy.sample(texts, { count: 40, random, epsilon: 0.2, temperature: 1 });
  const batch = makeBatch(texts, sampled); // an illegal token would be an internal error
  const scores = await policy.score(batch, { grad: false });
  sampled.forEach(({ actions, logPf, text }, b) => {
    const row = scores.logPf.subarray(b * batch.T, b * batch.T + actions.length);
    assert.ok(Math.abs(row.reduce((sum, x) => sum + x, 0) - logPf) < 1e-9);
    if (!brokenAs(text)) assert.ok(canEnd(text), text);
  });
  const states = batch.states.legal.filter((row) => row !== "all");
  assert.equal(states.length, batch.states.legal.length, "a mask in every state");
});

Deno.test("where nothing can follow a text ends, counts as a dead end, and is no program", () => {
  const stuck = { ...rules, canBegin: (text: string) => text === "a", canEnd: () => false };
  const narrow = new TokenMask(source, stuck);
  const one = freeTokens(environmentNamed("numbers"), { ...source, mask: narrow }, spec);
  assert.deepEqual([...one.rows!.legal([])], [6]);
  assert.deepEqual([...one.rows!.legal([6])], [end]);
  assert.equal(brokenAs(one.terminal([6]).text), "dead_end");
  assert.equal(brokenAs(one.terminal([6, 6, 6, 6, 6, 6, 6, 6]).text), "dead_end");
  assert.equal(brokenAs("a = 1"), undefined);
});

Deno.test("a text that holds a stop string is over", () => {
  const stopped = freeTokens(environmentNamed("numbers"), source, {
    ...spec,
    ...{ mask: "none", stop: ["a = ", "\n\n"] },
  });
  assert.equal(stopped.rows!.legal([6]), "all");
  assert.deepEqual(stopped.rows!.legal([6, 8]), Int32Array.of(end));
  assert.deepEqual(stopped.rows!.legal([10, 10]), Int32Array.of(end));
  assert.equal(stopped.terminal([6, 8]).text, "a = ");
});

const corpus = new URL("../engine/python/corpus/", import.meta.url);

/** Characters, and words of programs, whole and cut, with blanks and marks around them. */
function tokensOf(programs: readonly string[]): string[] {
  const words = new Set(programs.flatMap((text) => text.match(/[A-Za-z_]{2,}/g) ?? []));
  const cut = [...words, "pass", "elif", "True", "tensor"].filter((_, i) => i % 5 === 0)
    .flatMap((
      one,
    ) => [one, one.slice(0, 2), ` ${one.slice(0, 2)}`, `.${one}`, `(${one[0]}`, `${one}=`]);
  const marks = [
    " = pm.",
    "), ",
    "):\n    ",
    "\n    ",
    '("',
    '", ',
    "[:, ",
    "] *",
    "10",
    "1.5",
    " for",
    " in",
  ];
  const characters = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));
  return [...new Set([...characters, ...cut, ...marks, "\n", "é"])];
}

/** Programs of the corpus that are not too long. */
const programs = [...Deno.readDirSync(corpus)].map(({ name }) => name).sort()
  .flatMap((name) => readCases(Deno.readTextFileSync(new URL(name, corpus))))
  .map(({ program }) => program).filter((text) => text.length < 900);

/** Masks over these spellings, one that lets alike texts share what follows, and one that does not. */
function masksOf(spelt: readonly string[]) {
  const few = {
    ...{ vocabulary: spelt.length + 1, end: spelt.length },
    ...{ spell: (id: number) => spelt[id] ?? "", encode: (text: string) => [spelt.indexOf(text)] },
  };
  return [new TokenMask(few, { ...rules, likeness }), new TokenMask(few, rules)];
}

Deno.test("texts that are alike share what follows: it is what each would find by itself", () => {
  const some = programs.filter((_, i) => i % 3 === 1);
  const [shared, alone] = masksOf(tokensOf(some));
  const keys = new Set<string>();
  let again = 0;
  for (const program of some) {
    for (let i = 1; i < program.length; i += 4) {
      const text = program.slice(0, i);
      const found = shared.legal(text);
      const key = likeness(text);
      if (key === undefined || !keys.has(key)) {
        keys.add(`${key}`);
        continue;
      }
      again++;
      assert.deepEqual(found, alone.legal(text), `${text.slice(-80)} as ${key}`);
    }
  }
  assert.ok(again > 300, `${again}`);
});

Deno.test("so do texts that no one would write: walks over any legal tokens behind a program", () => {
  const spelt = tokensOf(programs.slice(0, 4));
  const [shared, alone] = masksOf(spelt);
  const random = new RandomStream("walks");
  for (let states = 0; states < 400;) {
    const program = programs[random.below(programs.length)];
    let text = program.slice(0, random.below(program.length));
    for (let t = 0; t < 20 && canBegin(text); t++, states++) {
      const open = alone.legal(text).filter((id) => id < spelt.length);
      assert.deepEqual(shared.legal(text), alone.legal(text), text.slice(-80));
      if (open.length === 0) break;
      text += spelt[open[random.below(open.length)]];
    }
  }
});

Deno.test("a letter that may begin a string in quotes is like no other", () => {
  const spelt = ['"', "Q", "B"];
  const [shared, alone] = masksOf(spelt);
  for (const name of ["Q", "B", "Z", "rb"]) {
    const text = `x = (${name}`;
    assert.deepEqual(shared.legal(text), alone.legal(text), name);
  }
  assert.notEqual(likeness("x = (B"), likeness("x = (Q"));
});
