/** The target of an environment that states its own reward, enumerated. */
import { inputError } from "../../base/diagnostic.ts";
import {
  calledOf,
  type Environment,
  type Prompt,
  stateAfter,
  type TerminalObject,
} from "../environments/environment.ts";
import { type EnumeratedTarget, enumeratedTarget } from "./exact.ts";

/** Letters of an object's text that a message shows. */
const shownCharacters = 60;

/**
 * π(x) = R(x) / Z over every object, as an answer to a prompt if one is given.
 *
 * @throws InputError if an object has no log reward.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { ownTarget } from "./own_target.ts";
 * const { objects, logZ } = ownTarget(environmentNamed("numbers", { max: 9, base: 10 }));
 * assert.equal(objects.length, 10);
 * assert.ok(Math.abs(logZ - Math.log(10)) < 1e-12);
 * ```
 */
export function ownTarget(environment: Environment, prompt?: Prompt): EnumeratedTarget {
  const objects = [...environment.enumerate()];
  return enumeratedTarget(environment, objects, ownLogRewards(environment, objects, prompt));
}

/**
 * `[objects]`: log rewards that the environment states, as answers to a prompt if one is given.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { ownLogRewards } from "./own_target.ts";
 * const environment = environmentNamed("numbers", { max: 9, base: 10 });
 * assert.deepEqual([...new Set(ownLogRewards(environment, [...environment.enumerate()]))], [0]);
 * ```
 *
 * @throws InputError if it states none.
 */
export function ownLogRewards(
  environment: Environment,
  objects: readonly TerminalObject[],
  prompt?: Prompt,
): Float64Array {
  return Float64Array.from(objects, ({ logReward: plain, text, actions }) => {
    const logReward = prompt && environment.logReward
      ? environment.logReward(stateAfter(environment, actions, prompt))
      : plain;
    if (logReward !== undefined) return logReward;
    const shown = JSON.stringify(
      text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text,
    );
    const called = calledOf(environment);
    const message = `Cannot evaluate: the ${called} states no log reward of ${shown}`;
    const hint = "wire target = … instead of environment, or complete the environment's rewards";
    throw inputError("evaluate/no-reward", message, undefined, hint);
  });
}
