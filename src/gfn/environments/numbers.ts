/** Numbers written digit by digit (after Hu et al. 2024): when to stop is all there is to learn. */
import { z } from "../../base/zod.ts";
import { type BuiltInEnvironment, builtInEnvironment } from "./built_in.ts";
import type { Environment } from "./environment.ts";
import { requireEnumerable, SpecChecks } from "./checks.ts";
import { maskOf, treeEnvironment, type TreeState } from "./tree.ts";

const parameters = z.strictObject({
  max: z.int().min(0).default(99).describe("the largest integer"),
  base: z.int().min(2).max(36).default(10).describe("digits per place"),
});

/** Parameters of the numbers. */
export type NumbersSpec = z.output<typeof parameters>;

/** The integers from 0 to 99. */
export const defaultNumbers: NumbersSpec = parameters.parse({});

/** The number so far; −1 before the first digit. */
export type Value = number;

/**
 * The integers 0 … max, each with reward 1 and written without leading zeros, so that 7 takes one
 * digit and 42 two. Hu et al. 2024 (arXiv 2310.04363) ask a language model for a
 * random integer from 0 to 99 and report KL(policy‖uniform) = 0.0102 after tuning; here the exit
 * is legal after every number and illegal before the first digit. Under the prior, which is
 * uniform over legal actions, 0 is base + 1 times as likely as any other number.
 *
 * @throws InputError if a number is out of range.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { numbersEnvironment } from "./numbers.ts";
 * const texts = [...numbersEnvironment({ max: 12, base: 10 }).enumerate()].map(({ text }) => text);
 * assert.equal(texts.join(" "), "0 1 10 11 12 2 3 4 5 6 7 8 9");
 * ```
 */
export function numbersEnvironment(spec: NumbersSpec): Environment<TreeState<Value>> {
  const { max, base } = spec;
  const checks = new SpecChecks("numbers");
  checks.integer("max", max, 0, 2 ** 31);
  checks.integer("base", base, 2, 36);
  checks.done();
  const digits = Array.from({ length: base }, (_, d) => d.toString(base));
  const legalAfter = Array.from({ length: base + 1 }, (_, count) => {
    return maskOf(base + 1, [...Array(count).keys(), base]);
  });
  const first = maskOf(base + 1, Array(Math.min(base, max + 1)).keys());
  const legal = (value: Value): Uint8Array => {
    if (value < 0) return first;
    const more = value === 0 ? 0 : Math.floor(max - value * base) + 1;
    return legalAfter[Math.max(0, Math.min(base, more))];
  };
  return treeEnvironment<Value>({
    kind: "numbers",
    spec,
    actionNames: [...digits, "exit"],
    maxActions: max.toString(base).length + 1,
    count: max + 1,
    initial: -1,
    after: (value, digit) => value < 0 ? digit : value * base + digit,
    legal,
    object: (value) => {
      const text = value.toString(base);
      return { text, features: [`${text.length} digits`] };
    },
    logReward: () => 0,
    requireEnumerable: () => requireEnumerable("numbers", max + 1),
  });
}

/** The environment of numbers, as pipelines make it. */
export const numbers: BuiltInEnvironment<typeof parameters> = builtInEnvironment({
  kind: "numbers",
  description: "The integers 0 … max, digit by digit, each with reward 1 (after Hu et al. 2024).",
  called: "the numbers",
  parameters,
  make: numbersEnvironment,
});
