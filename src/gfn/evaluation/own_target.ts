/** The target of an environment that states its own reward, enumerated. */
import { inputError } from "../../base/diagnostic.ts";
import { calledOf, type Environment, type TerminalObject } from "../environments/environment.ts";
import { type EnumeratedTarget, enumeratedTarget } from "./exact.ts";

/** Letters of an object's text that a message shows. */
const SHOWN = 60;

/**
 * π(x) = R(x) / Z over every object.
 *
 * @throws InputError if an object has no log reward.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/mod.ts";
 * import { ownTarget } from "./own_target.ts";
 * const { objects, logZ } = ownTarget(environmentNamed("numbers", { max: 9, base: 10 }));
 * assert.equal(objects.length, 10);
 * assert.ok(Math.abs(logZ - Math.log(10)) < 1e-12);
 * ```
 */
export function ownTarget(environment: Environment): EnumeratedTarget {
  const objects = [...environment.enumerate()];
  return enumeratedTarget(environment, objects, ownLogRewards(environment, objects));
}

/**
 * `[objects]`: log rewards that the environment states.
 *
 * @throws InputError if it states none.
 */
export function ownLogRewards(
  environment: Environment,
  objects: readonly TerminalObject[],
): Float64Array {
  return Float64Array.from(objects, ({ logReward, text }) => {
    if (logReward !== undefined) return logReward;
    const shown = JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
    const called = calledOf(environment);
    const message = `Cannot evaluate: the ${called} states no log reward of ${shown}`;
    const hint = "wire target = … instead of environment, or complete the environment's rewards";
    throw inputError("evaluate/no-reward", message, undefined, hint);
  });
}
