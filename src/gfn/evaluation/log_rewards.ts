/** Log rewards that define a target: none is NaN or +Infinity, and not all rewards are 0. */
import { type Diagnostic, InputError, inputError } from "../../base/diagnostic.ts";
import type { TerminalObject } from "../environments/environment.ts";

/** Findings named at most. */
const most = 5;

/**
 * Checks the log reward of every object.
 *
 * @throws InputError with the objects whose log reward is NaN or +Infinity, or if Z = 0.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { checkLogRewards } from "./log_rewards.ts";
 * const object = { text: "a", logPrior: 0, actions: [0], features: [] };
 * assert.throws(() => checkLogRewards([object], [NaN]), /log reward of "a" is NaN/);
 * assert.throws(() => checkLogRewards([object], [-Infinity]), /every reward is 0/);
 * ```
 */
export function checkLogRewards(
  objects: readonly TerminalObject[],
  logReward: ArrayLike<number>,
): void {
  if (logReward.length !== objects.length) {
    throw new Error(`internal: ${objects.length} objects with ${logReward.length} log rewards`);
  }
  const wrong = objects.flatMap((object, x) =>
    Number.isNaN(logReward[x]) || logReward[x] === Infinity ? [finding(object, logReward[x])] : []
  );
  if (wrong.length > 0) throw new InputError(wrong.slice(0, most));
  if (objects.some((_, x) => logReward[x] > -Infinity)) return;
  const message = `Cannot make a target: every reward is 0 (${objects.length} objects), so Z = 0`;
  const hint = "give at least one object a log reward above −Infinity";
  throw inputError("reward/all-zero", message, undefined, hint);
}

function finding({ text }: TerminalObject, value: number): Diagnostic {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return {
    code: "reward/not-finite",
    severity: "error",
    message: `Cannot make a target: the log reward of ${JSON.stringify(shown)} is ${value}`,
    hint: "a log reward is a finite number of nats",
  };
}
