/** The environments that state their own reward, by kind: how each is rebuilt from its spec. */
import type { Environment } from "./environment.ts";
import { bitSequenceEnvironment, type BitSequenceSpec } from "./bit_sequence.ts";
import { conjugateProgramsEnvironment, type ConjugateProgramsSpec } from "./conjugate_programs.ts";
import { expressionEnvironment, type ExpressionSpec } from "./expression.ts";
import { hypergridEnvironment, type HypergridSpec } from "./hypergrid.ts";
import { numbersEnvironment, type NumbersSpec } from "./numbers.ts";
import { stringsEnvironment, type StringsSpec } from "./strings.ts";

export {
  bitSequenceEnvironment,
  conjugateProgramsEnvironment,
  expressionEnvironment,
  hypergridEnvironment,
  numbersEnvironment,
  stringsEnvironment,
};

/**
 * Makes an environment of a built-in kind from its spec.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { builtInEnvironments } from "./mod.ts";
 * const make = builtInEnvironments.get("numbers")!;
 * assert.equal(make({ max: 99, base: 10 }).count, 100);
 * ```
 */
export const builtInEnvironments: ReadonlyMap<string, (spec: unknown) => Environment> = new Map([
  ["hypergrid", (spec) => hypergridEnvironment(spec as HypergridSpec) as Environment],
  ["bit_sequence", (spec) => bitSequenceEnvironment(spec as BitSequenceSpec) as Environment],
  ["expression", (spec) => expressionEnvironment(spec as ExpressionSpec) as Environment],
  ["numbers", (spec) => numbersEnvironment(spec as NumbersSpec) as Environment],
  ["strings", (spec) => stringsEnvironment(spec as StringsSpec) as Environment],
  [
    "conjugate_programs",
    (spec) => conjugateProgramsEnvironment(spec as ConjugateProgramsSpec) as Environment,
  ],
]);
