/** Beginnings of programs: every beginning of known programs is viable, and little else. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { canBegin, canEnd } from "../../../src/engine/language/pymc/viable_prefix.ts";
import { programTexts } from "../../models/tokenizer_texts.ts";
import { readCases } from "./catalogue.ts";

const folder = new URL("./corpus/", import.meta.url);
const corpus = [...Deno.readDirSync(folder)].map(({ name }) => name).sort()
  .flatMap((name) => readCases(Deno.readTextFileSync(new URL(name, folder))))
  .map(({ program }) => program);

Deno.test("every beginning of 456 programs can begin one, and their ends can end", () => {
  const programs = [...corpus, ...programTexts()];
  assert.equal(programs.length, 456);
  const beginnings = new Set<string>();
  // A beginning that programs share is asked about once; of the grammar's every seventh, all in turn.
  programs.forEach((program, k) => {
    const step = k < corpus.length ? 3 : 7;
    for (let i = k % step; i <= program.length; i += step) beginnings.add(program.slice(0, i));
    assert.ok(canEnd(program), program);
  });
  assert.ok(beginnings.size > 20_000);
  for (const one of beginnings) assert.ok(canBegin(one), JSON.stringify(one.slice(-80)));
});

Deno.test("random characters, and programs with one character changed, are soon refused", () => {
  const random = new RandomStream("seed 1", "garbage");
  const draw = (n: number) => Math.floor(random.uniform() * n);
  const characters = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));
  let refused = 0;
  for (let k = 0; k < 300; k++) {
    const text = Array.from({ length: 40 }, () => characters[draw(95)]).join("");
    if (!canBegin(text)) refused++;
  }
  // The other texts begin with "#", or with a quote that is not closed.
  assert.ok(refused >= 280, `${refused} of 300`);
});

const begin = 'import pymc as pm\nwith pm.Model():\n    a = pm.Normal("a", 0, 1)\n';

for (
  const [what, good, bad] of [
    ["names", "    b = a * 2", "    b = c * 2"],
    ["names that go on", "    b = dat", "    b = dax"],
    ["members of pm", "    b = pm.HalfN", "    b = pm.HalfX"],
    ["modules", "import num", "import nux"],
    ["brackets", "    b = (a, [1", "    b = (a, [1)"],
    ["names of arguments", "    b = pm.Normal(mu", "    b = pm.Normal(mu)"],
    ["indentation", "    b = 1\n    c = b", "    b = 1\n   c = b"],
    ["comprehensions", "    b = [i * a for i in", "    b = [i * a for j in a]"],
    ["elements of one letter", "    b = sum(i * a for i in", "    b = sum(i * a)"],
    ["keywords", "    if a > 1:\n        b = 1\n    else:", "    else:"],
    ["strings", '    b = pm.Normal("any $ thing', "    b = $"],
    ["numbers", "    b = 1e", "    b = 1x"],
    ["blocks", "    for i in range(3):\n        b", "    for i in range(3):\n    b = 1"],
  ]
) {
  Deno.test(`what can follow is told by ${what}`, () => {
    const found = [`${begin}${good}`, `${begin}${bad}`].map(canBegin);
    assert.deepEqual(found, [true, false]);
  });
}
