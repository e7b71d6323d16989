/** Arithmetic expressions in reverse Polish notation, rewarded for coming near a number. */
import { z } from "../../base/zod.ts";
import { type BuiltInEnvironment, builtInEnvironment } from "./built_in.ts";
import type { Environment } from "./environment.ts";
import { requireEnumerable, SpecChecks } from "./checks.ts";
import { maskOf, treeEnvironment, type TreeState } from "./tree.ts";

const parameters = z.strictObject({
  leaves: z.array(z.int()).min(1).default([1, 2, 3]).describe("operands, integers"),
  operators: z.array(z.enum(["+", "-", "*"])).min(1).default(["+", "*"]).describe("operators"),
  max_length: z.int().positive().default(7).describe("most operands and operators"),
  target: z.int().default(7).describe("number that earns the largest reward"),
  scale: z.number().positive().default(2).describe(
    "distance from it at which the reward is 1 / e",
  ),
});

/** Parameters of the expressions. */
export interface ExpressionSpec {
  /** Operands, integers of at most 99 in size, all different. */
  readonly leaves: readonly number[];
  /** Some of `+`, `-`, `*`. */
  readonly operators: readonly string[];
  /** Most operands and operators of one expression, 1 to 15. */
  readonly maxLength: number;
  /** The target number. */
  readonly target: number;
  /** Distance from it at which the reward has fallen to 1 / e; above 0. */
  readonly scale: number;
}

/** 3,477 programs, log Z 7.0117, entropy 7.6677. */
export const defaultExpression: ExpressionSpec = specOf(parameters.parse({}));

function specOf({ max_length: maxLength, ...rest }: z.output<typeof parameters>): ExpressionSpec {
  return { ...rest, maxLength };
}

const operations: Readonly<Record<string, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
};

/** Number of actions so far, and the stack. */
export interface Stack {
  /** Actions so far. */
  readonly length: number;
  /** Values, the top last. */
  readonly stack: readonly number[];
}

/**
 * Programs of a stack machine: an operand pushes a number, an operator takes two and pushes one.
 * The exit is legal when one number is left, and an action is legal only if the program can still
 * be completed within `maxLength`, so that every trajectory ends in a program. Three operands, two
 * operators and seven actions give 3,477 programs with 5,809 prefixes.
 *
 *     log R = −|value − target| / scale
 *
 * All values are integers, so rewards are exact. The prior is uniform over legal actions.
 *
 * @throws InputError with every finding on the spec.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { defaultExpression, expressionEnvironment } from "./expression.ts";
 * const objects = [...expressionEnvironment(defaultExpression).enumerate()];
 * assert.equal(objects.length, 3477);
 * assert.equal(objects.find(({ text }) => text === "2 3 * 1 +")!.logReward, 0);
 * ```
 */
export function expressionEnvironment(spec: ExpressionSpec): Environment<TreeState<Stack>> {
  check(spec);
  const { leaves, operators, maxLength, target, scale } = spec;
  const actionNames = [...leaves.map(String), ...operators, "exit"];
  const masks = maskTable(leaves.length, operators.length);
  const count = countPrograms(leaves.length, operators.length, maxLength);
  return treeEnvironment<Stack>({
    kind: "expression",
    spec,
    actionNames,
    maxActions: maxLength - (maxLength + 1) % 2 + 1,
    count,
    initial: { length: 0, stack: [] },
    after: ({ length, stack }, action) => {
      const leaf = leaves[action];
      const next = leaf === undefined ? take(stack, actionNames[action]) : [...stack, leaf];
      return { length: length + 1, stack: next };
    },
    legal: ({ length, stack: { length: depth } }) => {
      // With one more operand, depth operators are needed to be done.
      const push = length + 1 + depth <= maxLength ? 1 : 0;
      return masks[push + (depth >= 2 ? 2 : 0) + (depth === 1 ? 4 : 0)];
    },
    object: (_, actions) => ({
      text: actions.map((action) => actionNames[action]).join(" "),
      features: [...new Set(actions)].map((action) => actionNames[action]),
    }),
    logReward: ({ stack: [value] }) => 0 - Math.abs(value - target) / scale,
    requireEnumerable: () => requireEnumerable("expression", count),
  });
}

/** Masks by three bits: operands legal, operators legal, exit legal. */
function maskTable(leaves: number, operators: number): readonly Uint8Array[] {
  const operands = [...Array(leaves).keys()];
  const takers = [...Array(operators).keys()].map((i) => leaves + i);
  return Array.from({ length: 8 }, (_, bits) => {
    const exit = bits & 4 ? [leaves + operators] : [];
    return maskOf(leaves + operators + 1, [
      ...bits & 1 ? operands : [],
      ...bits & 2 ? takers : [],
      ...exit,
    ]);
  });
}

function take(stack: readonly number[], operator: string): readonly number[] {
  const [a, b] = stack.slice(-2);
  return [...stack.slice(0, -2), operations[operator](a, b)];
}

/** Σ_n Catalan(n) leaves^(n + 1) operators^n over the numbers n of operators that fit. */
function countPrograms(leaves: number, operators: number, maxLength: number): number {
  let [count, catalan] = [0, 1];
  for (let n = 0; 2 * n + 1 <= maxLength; n++) {
    count += catalan * leaves ** (n + 1) * operators ** n;
    catalan = catalan * 2 * (2 * n + 1) / (n + 2);
  }
  return count;
}

function check({ leaves, operators, maxLength, target, scale }: ExpressionSpec): void {
  const checks = new SpecChecks("expression");
  checks.integer("max_length", maxLength, 1, 15);
  checks.integer("target", target, -1e9, 1e9);
  checks.positive("scale", scale);
  checks.require(leaves.length > 0, "leaves is empty", "write some integers, such as [1, 2, 3]");
  checks.require(operators.length > 0, "operators is empty", 'write some, such as ["+", "*"]');
  const names = [...leaves.map(String), ...operators];
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  checks.require(repeated === undefined, `"${repeated}" stands twice`, "write each one once");
  for (const leaf of leaves) checks.integer("a leaf", leaf, -99, 99);
  for (const name of operators) checks.choice("an operator", name, Object.keys(operations));
  checks.done();
}

/** The environment of expressions, as pipelines make it. */
export const expression: BuiltInEnvironment<typeof parameters> = builtInEnvironment({
  kind: "expression",
  description: "Expressions in reverse Polish notation, rewarded for coming near a number.",
  called: "the expressions",
  parameters,
  specOf,
  make: expressionEnvironment,
});
