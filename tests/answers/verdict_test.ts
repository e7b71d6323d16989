/** Tests of the one verdict: a probability near 1 never stands beside "cannot tell". */
import assert from "node:assert/strict";
import { answerOf } from "../../src/answers/answer.ts";
import { spaceOf } from "./spaces.ts";

/** The sentence about two equally likely answers whose rows differ so. */
function sentenceOf(differences: readonly number[]): string {
  const { sentences } = answerOf(spaceOf([
    { prior: 0.5, pointwise: differences.map(() => 0), answer: "slopes" },
    { prior: 0.5, pointwise: differences.map((one) => -one), answer: "intercepts" },
  ]));
  return sentences[0];
}

Deno.test("rows that decide a likely answer are named", () => {
  const rows = Array.from({ length: 40 }, (_, i) => i === 6 ? 14 : i === 30 ? 8 : 0.03 * (-1) ** i);
  const said = sentenceOf(rows);
  assert.match(said, /slopes more than 99\.9 %/);
  assert.match(said, /slopes is likely and not settled against intercepts: ΔELPD 21\.9 ± 15\.\d;/);
  assert.match(
    said,
    /; rows 7, 31 of the 40 scored decide it, without them ΔELPD is −0\.1\.$/,
  );
});

Deno.test("a likely answer that many rows carry unevenly is not settled either", () => {
  const rows = Array.from({ length: 400 }, (_, i) => i % 2 === 0 ? 0.9 : -0.85);
  assert.match(
    sentenceOf(rows),
    /99\.9 %.* not settled against intercepts: ΔELPD 10\.0.*; the rows disagree\.$/,
  );
});

Deno.test("a small difference makes no answer settled", () => {
  const rows = Array.from({ length: 40 }, () => 0.09);
  const said = sentenceOf(rows);
  assert.match(said, /slopes 97\.3 %.* is likely and not settled .*: ΔELPD 3\.6/);
  assert.doesNotMatch(said, /cannot tell/);
  assert.match(
    sentenceOf(rows.map((one) => one / 2)),
    /The data cannot tell slopes from intercepts/,
  );
});
