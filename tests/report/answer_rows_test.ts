/** Rows of the terminal's report on a benchmark of answers. */
import assert from "node:assert/strict";
import type { CertificateEvaluation } from "../../src/report/certificate_schema.ts";
import { answerRows, isUnrewarded } from "../../src/report/answer_rows.ts";

const measure = (value: number, mcse: number, method = "sampled answers") => {
  return { value, mcse, ci_lo: value - 2 * mcse, ci_hi: value + 2 * mcse, n: 512, method };
};

const evaluation = (policy: CertificateEvaluation["policy"]) =>
  ({ policy, stage: "unseen" }) as CertificateEvaluation;

Deno.test("answers have a row for each measure, with interval and number of samples", () => {
  const found = answerRows(evaluation({
    best_of_n: measure(19.5, 0.1, "best of 8 answers"),
    distinct: measure(87, 0, "answers that differ"),
    valid_share: measure(0.75, 0.01),
  }));
  assert.deepEqual(found, [
    ["answers that can be scored", "0.75", "0.73 … 0.77", "sampled answers, n = 512"],
    ["answers that differ", "87", "", "answers that differ, n = 512"],
    ["best of several, nats", "19.5", "19.3 … 19.7", "best of 8 answers, n = 512"],
  ]);
});

Deno.test("answers to prompts that were held out have rows of their own", () => {
  const found = answerRows(evaluation({
    held_out_best_of_n: measure(19.5, 0.1, "best of 8 answers"),
    held_out_valid_share: measure(0.75, 0.01),
    valid_share: measure(0.5, 0.01), // of an exact evaluation, which sampled none
  }));
  assert.deepEqual(found.map(([label, value]) => [label, value]), [
    ["answers that can be scored, held out", "0.75"],
    ["best of several, nats, held out", "19.5"],
  ]);
});

Deno.test("where no answers were sampled there are no rows", () => {
  assert.deepEqual(answerRows(evaluation({ valid_share: measure(1, 0) })), []);
});

Deno.test("answers that nothing rewards have rows by their examples", () => {
  const unrewarded = evaluation({
    exact_match: measure(0.25, 0.05),
    log_likelihood: measure(-3.2, 0.4, "of the examples"),
    distinct: measure(9, 0),
  });
  assert.deepEqual(answerRows(unrewarded).map(([label, value]) => [label, value]), [
    ["answers with the text of an example", "0.25"],
    ["answers that differ", "9"],
    ["log p of a right answer, nats", "-3.2"],
  ]);
  assert.ok(isUnrewarded(unrewarded));
  assert.ok(
    !isUnrewarded(evaluation({ mean_log_reward: measure(1, 0), exact_match: measure(1, 0) })),
  );
});
