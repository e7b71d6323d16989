/** Levels of the sandbox: their order, and those that a user may demand. */

/**
 * Layers of the sandbox, each on top of those before it: L0 the language alone; L1 a Deno process
 * without a single permission; L2 Landlock, seccomp and resource limits; L3 namespaces; L4 quotas.
 */
export const sandboxLevels = ["L0", "L1", "L2", "L3", "L4"] as const;
/** One of {@linkcode sandboxLevels}. */
export type SandboxLevel = (typeof sandboxLevels)[number];

/**
 * Whether a level has all the layers of another.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { reaches } from "./sandbox_level.ts";
 * assert(reaches("L3", "L2") && !reaches("L1", "L2"));
 * ```
 */
export function reaches(level: SandboxLevel, wanted: SandboxLevel): boolean {
  return sandboxLevels.indexOf(level) >= sandboxLevels.indexOf(wanted);
}

/** Levels that a user may demand: L0 is no sandbox, and no check finds L4. */
export const demandedLevels = ["L1", "L2", "L3"] as const;

/**
 * The higher of two demands; undefined if there is none.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { higherDemand } from "./sandbox_level.ts";
 * assert.equal(higherDemand("L1", "L3"), "L3");
 * assert.equal(higherDemand(undefined, "L2"), "L2");
 * ```
 */
export function higherDemand(a?: SandboxLevel, b?: SandboxLevel): SandboxLevel | undefined {
  return a === undefined || (b !== undefined && reaches(b, a)) ? b : a;
}
