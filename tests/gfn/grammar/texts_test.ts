/** Grammars of texts: phrases that are no part of any program. */
import assert from "node:assert/strict";
import { grammarEnvironment } from "../../../src/gfn/grammar/environment.ts";
import { readGrammar } from "../../../src/gfn/grammar/read.ts";
import { parseTomlFile } from "../../../src/pipeline/toml/parse.ts";

const read = (text: string) => grammarEnvironment(readGrammar(parseTomlFile(text, "g.toml"), "g"));

const grammar = (writes: string) => `
format = 1
name = "talk"
${writes}
template = '''
{who}
says: it's a "quoted, word'''

[holes.who]
type = "phrase"
productions = [
  { name = "you", weight = 1, text = "You (yes, you" },
  { name = "nobody", weight = 1, text = "" },
]
`;

Deno.test("a text has no line end at its end, and phrases may hold anything", () => {
  const texts = [...read(grammar('writes = "text"')).enumerate()].map(({ text }) => text);
  const rest = `\nsays: it's a "quoted, word`;
  // An empty phrase on a line of its own takes the line with it, as statements do.
  assert.deepEqual(texts, [`You (yes, you${rest}`, rest.trimStart()]);
});

Deno.test("programs are checked as before, and writes takes two words", () => {
  assert.throws(() => read(grammar("")), /brackets or quotes do not match/);
  assert.throws(() => read(grammar('writes = "code"')), /wanted "programs" or "text"/);
});
