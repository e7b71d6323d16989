/** Tests of checking every program of a grammar, and of the places of what is found. */
import assert from "node:assert/strict";
import { InputError, renderDiagnostics } from "../../../src/base/diagnostic.ts";
import { lineSpan } from "../../../src/base/span.ts";
import { checkGrammarPrograms, type ProgramCheck } from "../../../src/gfn/grammar/programs.ts";
import type { GrammarSpec } from "../../../src/gfn/grammar/spec.ts";
import { documentedGrammar, grammarOf } from "./small_grammar.ts";

const text = documentedGrammar();

/** Stands for the checker of programs: finds one word, wherever it stands. */
function forbids(word: string): (program: string) => ProgramCheck {
  return (program) => {
    const lines = program.split("\n");
    const line = lines.findIndex((candidate) => candidate.includes(word));
    if (line < 0) return { ok: true, program: { hash: program } };
    const span = lineSpan("program", line + 1, lines[line].indexOf(word) + 1, word.length);
    const message = `"${word}" is not known`;
    return {
      ok: false,
      diagnostics: [
        { code: "x/unknown", severity: "error", message, span, hint: "write another word" },
        { code: "x/style", severity: "warning", message: "a warning", span },
      ],
    };
  };
}

function complaint(spec: GrammarSpec, check: (program: string) => ProgramCheck): string {
  try {
    checkGrammarPrograms(spec, check);
    return "nothing";
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return renderDiagnostics(error.diagnostics, new Map([["small.toml", text]]));
  }
}

Deno.test("an error in a text of several lines points to its line in the grammar", () => {
  assert.equal(
    complaint(grammarOf(text), forbids("slope * age")),
    `small.toml:23:14: Cannot use production "line": it derives an ill-formed program: "slope * age" is not known (line, flat, normal, and 6 more)
  23 | mu = start + slope * age
     |              ^^^^^^^^^^^
  mend: write another word`,
  );
});

Deno.test("an error in a text of one line points to its column in the grammar", () => {
  assert.equal(
    complaint(grammarOf(text), forbids("pm.Gamma")),
    `small.toml:57:47: Cannot use production "estimated": it derives an ill-formed program: "pm.Gamma" is not known (line, flat, student_t, estimated, and 2 more)
  57 |   { name = "estimated", weight = 1.0, text = 'pm.Gamma("nu", alpha=2, beta=0.1)' },
     |                                               ^^^^^^^^
  mend: write another word`,
  );
});

Deno.test("errors in the template and in a default are found there", () => {
  assert.match(
    complaint(grammarOf(text), forbids('HalfNormal("sigma"')),
    /^small.toml:11:16: Cannot use the template: .* \(line, flat, normal, and 10 more\)\n/,
  );
  assert.match(
    complaint(grammarOf(text), forbids("4,")),
    /^small.toml:51:12: Cannot use the default of clause "tails": /,
  );
});

Deno.test("without a file an error points into the text of the production", () => {
  const spec = JSON.parse(JSON.stringify(grammarOf(text))) as GrammarSpec;
  assert.equal(
    complaint(spec, forbids("slope * age")),
    `small: production "line":2:14: Cannot use production "line": it derives an ill-formed program: "slope * age" is not known (line, flat, normal, and 6 more)
  mend: write another word`,
  );
});

Deno.test("all distinct errors are reported", () => {
  const both = (program: string): ProgramCheck => {
    const results = [
      forbids("steep")(program),
      forbids("slope =")(program),
      forbids("k =")(program),
    ];
    return results.find((result) => !result.ok) ?? results[0];
  };
  const message = complaint(grammarOf(text), both);
  assert.match(message, /production "line"/);
  assert.match(message, /production "saturation"/);
  assert.match(message, /2 errors$/);
});

Deno.test("a grammar without twins says nothing, one with twins names them", () => {
  const fine = checkGrammarPrograms(grammarOf(text), forbids("nothing"));
  assert.deepEqual(fine, { programs: 11, checked: 11, twins: [], diagnostics: [] });
  const sameTails = (program: string): ProgramCheck => ({
    ok: true,
    program: { hash: program.replace("nu=30", "nu=4") },
  });
  const { twins, diagnostics } = checkGrammarPrograms(grammarOf(text), sameTails);
  assert.deepEqual(twins.map((set) => set.derivations), [
    [["line", "flat", "student_t"], ["line", "flat", "student_t", "light"]],
    [["saturation", "student_t"], ["saturation", "student_t", "light"]],
  ]);
  assert.deepEqual(diagnostics, [{
    code: "grammar/twins",
    severity: "warning",
    message:
      "Some derivations are one model: 2 sets of programs differ in spelling only, such as " +
      "line, flat, student_t; and line, flat, student_t, light",
    hint: "weights are also summed by canonical hash",
  }]);
});
