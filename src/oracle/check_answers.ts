/** Checks the answers of an oracle before they become rewards. */
import { inputError } from "../base/diagnostic.ts";
import type { OracleAnswer, OracleCall } from "./oracle.ts";

/** Log probabilities above 0 by rounding. */
const rounding = 1e-3;

/**
 * Refuses answers to other ids than were sent, and numbers that are no log probabilities.
 *
 * @param name Name of the oracle.
 * @throws InputError naming the first token of which the answer is wrong.
 */
export function checkAnswers(
  name: string,
  calls: readonly OracleCall[],
  answers: readonly OracleAnswer[],
): void {
  if (answers.length !== calls.length) {
    throw wrong(name, "other-ids", `it gave ${answers.length} answers to ${calls.length} calls`);
  }
  for (const [i, { ids }] of calls.entries()) checkOne(name, ids, answers[i]);
}

function checkOne(name: string, sent: readonly number[], { ids, log_probs }: OracleAnswer): void {
  const at = sent.findIndex((id, k) => ids[k] !== id);
  if (at >= 0 || ids.length !== sent.length) {
    const [got, was] = [ids[Math.max(0, at)] ?? "none", sent[Math.max(0, at)]];
    throw wrong(name, "other-ids", `it answers for id ${got} at place ${at + 1}, sent was ${was}`);
  }
  if (log_probs.length !== sent.length) {
    const found = `it gave ${log_probs.length} numbers for ${sent.length} ids`;
    throw wrong(name, "other-ids", found);
  }
  const bad = log_probs.findIndex((one) => !Number.isFinite(one) || one > rounding);
  if (bad < 0) return;
  const value = log_probs[bad];
  const what = `log p of id ${sent[bad]} at place ${bad + 1} of ${sent.length} is ${value}`;
  throw wrong(name, Number.isFinite(value) ? "above-1" : "not-finite", what);
}

const hints: Readonly<Record<string, string>> = {
  "other-ids": "a reward by other tokens than were sent is none: report this with the model's name",
  "above-1": "a probability is at most 1: the oracle gives something else",
  "not-finite":
    "a policy has probability above 0 wherever it may go: leave such texts out of the " +
    "environment, or give them a finite log probability",
};

function wrong(name: string, code: string, what: string) {
  const message = `Cannot use oracle "${name}": ${what}`;
  return inputError(`oracle/${code}`, message, undefined, hints[code]);
}
