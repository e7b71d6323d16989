/** Tests of the complete message for each bad grammar in `bad/`, kept beside it. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { InputError, renderDiagnostics } from "../../../src/base/diagnostic.ts";
import { grammarOf, repositoryText } from "./small_grammar.ts";

const folder = "tests/gfn/grammar/bad";
const files = readdirSync(new URL("bad/", import.meta.url)).sort();

/** The message to a grammar's author; to accept a new message, read it and write it down. */
function complaint(name: string): string {
  const file = `${name}.toml`;
  const text = repositoryText(`${folder}/${file}`);
  try {
    grammarOf(text, file);
    return "nothing\n";
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return renderDiagnostics(error.diagnostics, new Map([[file, text]])) + "\n";
  }
}

for (const file of files.filter((name) => name.endsWith(".toml"))) {
  const name = file.replace(".toml", "");
  Deno.test(`a grammar that is bad by ${name.replaceAll("_", " ")} is refused`, () => {
    assert.equal(complaint(name), repositoryText(`${folder}/${name}.txt`));
  });
}

Deno.test("every kept message belongs to a grammar", () => {
  const texts = files.filter((name) => name.endsWith(".txt"));
  const grammars = files.filter((name) => name.endsWith(".toml"));
  assert.deepEqual(texts, grammars.map((name) => name.replace(".toml", ".txt")));
});
