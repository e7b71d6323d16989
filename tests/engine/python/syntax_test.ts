/** The parser accepts nothing that CPython rejects, and points where CPython points. */
import assert from "node:assert/strict";
import { parse } from "../../../src/engine/language/syntax/parser.ts";
import { Source } from "../../../src/engine/language/syntax/source.ts";

/** Made by tools/golden/python_syntax.py; the file names version and command. */
interface Snippet {
  readonly text: string;
  readonly valid: boolean;
  readonly line?: number;
  readonly column?: number;
  readonly message?: string;
}

const golden: { version: string; snippets: Snippet[] } = JSON.parse(
  Deno.readTextFileSync(new URL("../../golden/python_syntax.json", import.meta.url)),
);
const invalid = golden.snippets.filter(({ valid }) => !valid);

function diagnosticOf(text: string) {
  const source = new Source(text, "program.py");
  const result = parse(source);
  return result.ok ? undefined : result.failure.toDiagnostic(source);
}

Deno.test("parse() accepts nothing that CPython 3.11 rejects", () => {
  assert.match(golden.version, /^CPython 3\.11\./);
  assert.ok(invalid.length >= 150, `${invalid.length}`);
  for (const { text } of invalid) assert.ok(diagnosticOf(text), JSON.stringify(text));
});

Deno.test("parse() rejects valid Python only as not being in the subset", () => {
  const valid = golden.snippets.filter((s) => s.valid);
  const refused = valid.map(({ text }) => diagnosticOf(text)).filter((d) => d !== undefined);
  for (const { code, message } of refused) assert.match(code, /^unsupported\//, message);
  assert.ok(refused.length <= valid.length / 2, `${refused.length} of ${valid.length}`);
});

Deno.test("syntax errors stand on the line that CPython names", () => {
  const sameLine = invalid.filter(({ text, line }) => diagnosticOf(text)?.span?.line === line);
  // The two others are `try` without `except`, which is refused at `try`.
  assert.ok(sameLine.length >= invalid.length - 2, `${sameLine.length} of ${invalid.length}`);
});

Deno.test("syntax errors stand in CPython's column and carry its message, but for nine", () => {
  const same = invalid.filter(({ text, line, column, message }) => {
    const found = diagnosticOf(text);
    return found?.span?.line === line && found?.span?.column === column &&
      found?.message === `Cannot parse: ${message}`;
  });
  assert.ok(same.length >= invalid.length - 9, `${same.length} of ${invalid.length}`);
});

Deno.test("columns count code points, not UTF-16 units", () => {
  const found = diagnosticOf("x = '😀' )");
  assert.deepEqual([found?.span?.line, found?.span?.column], [1, 9]);
});
