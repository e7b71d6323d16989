/** Environments that state their own reward, by kind; each is declared in its file. */
import type { Settings } from "../settings/read_settings.ts";
import { type BuiltInEnvironment, environmentWith } from "./built_in.ts";
import type { Environment } from "./environment.ts";
import * as registry from "./registry.ts";

export { bitSequenceEnvironment } from "./bit_sequence.ts";
export type { BuiltInEnvironment } from "./built_in.ts";
export { conjugateProgramsEnvironment } from "./conjugate_programs.ts";
export { expressionEnvironment } from "./expression.ts";
export { hypergridEnvironment } from "./hypergrid.ts";
export { numbersEnvironment } from "./numbers.ts";
export { stringsEnvironment } from "./strings.ts";

/** Every built-in environment by its kind in a pipeline. */
export const builtInEnvironments: ReadonlyMap<string, BuiltInEnvironment> = new Map(
  Object.values(registry).map((environment) => [environment.kind, environment]),
);

/**
 * The built-in environment of this kind.
 *
 * @param parameters As a pipeline names them; defaults where they are silent.
 * @throws RangeError if there is none, InputError with every finding on the parameters.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "./built_in_environments.ts";
 * assert.equal(environmentNamed("numbers", { max: 99 }).count, 100);
 * assert.throws(() => environmentNamed("numbers", { base: 1 }), /base is 1/);
 * ```
 */
export function environmentNamed(kind: string, parameters: Settings = {}): Environment {
  const found = builtInEnvironments.get(kind);
  if (found) return environmentWith(found, parameters);
  const kinds = [...builtInEnvironments.keys()].join(", ");
  throw new RangeError(`There is no environment "${kind}": ${kinds}`);
}
