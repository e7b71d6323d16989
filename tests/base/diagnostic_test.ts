/** Tests of how findings are printed: the line, carets below it, and no harm from what is quoted. */
import assert from "node:assert/strict";
import { renderDiagnostic } from "../../src/base/diagnostic.ts";

function rendered(line: string, column: number, endColumn: number, message = "no"): string {
  const span = { file: "p.py", line: 1, column, endLine: 1, endColumn };
  return renderDiagnostic({ code: "a/b", severity: "error", message, span }, line);
}

Deno.test("the line is printed with carets below what is meant", () => {
  assert.equal(rendered("x = y + 1", 5, 6), "p.py:1:5: no\n   1 | x = y + 1\n     |     ^");
});

Deno.test("control characters are pictures: nothing quoted moves a cursor or colours a terminal", () => {
  const text = rendered('x = "\x1b[2J\0" + ', 5, 12, "cannot read \x1b]0;title\x07");
  assert.equal(text, 'p.py:1:5: cannot read ␛]0;title␇\n   1 | x = "␛[2J␀" + \n     |     ^^^^^^^');
});

Deno.test("of a line of a million letters only the part around the place is printed", () => {
  const letters = "x".repeat(1_000_000);
  for (const [column, end] of [[1, 1_000_001], [500_000, 500_003], [1_000_000, 1_000_001]]) {
    const [, line, carets] = rendered(letters, column, end).split("\n");
    assert.ok(line.length < 220 && carets.length <= line.length, `${line.length}`);
    assert.equal(line[carets.indexOf("^")], "x");
  }
});
