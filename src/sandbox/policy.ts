/** The policy of the sandbox: which level a program's text asks for, and which records satisfy it. */
import { MissingPartError } from "../base/diagnostic.ts";
import type { SandboxLevel } from "../base/sandbox_level.ts";
import { reaches } from "../base/sandbox_level.ts";

const textOrigins = ["grammar", "foreign"] as const;
/** Writer of a program's text: a grammar of the user's, or an untrusted source. */
export type TextOrigin = (typeof textOrigins)[number];

/** The level below which no program of a kind of text is executed or rewarded. */
const minimumLevels: Readonly<Record<TextOrigin, SandboxLevel>> = {
  grammar: "L1",
  foreign: "L2",
};

/**
 * The level that a text asks for: that of its origin, or a higher one that the user demands.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { minimumLevel } from "./policy.ts";
 * assert.equal(minimumLevel("foreign"), "L2");
 * assert.equal(minimumLevel("foreign", "L3"), "L3");
 * ```
 */
export function minimumLevel(origin: TextOrigin, demanded: SandboxLevel = "L0"): SandboxLevel {
  const own = minimumLevels[origin];
  return reaches(own, demanded) ? own : demanded;
}

/** Record of the sandbox that an execution ran in. */
export interface ConfinedRecord {
  /** Level that the launcher promised. */
  readonly level: SandboxLevel;
  /** SHA-256 of the confinement, 64 hexadecimal digits; absent below level L2. */
  readonly attestation?: string;
}

/**
 * Why a record must not be rewarded, or undefined if it may: its level is below the policy's, or it
 * claims layers of the kernel without the attestation that they were there.
 *
 * @param demanded a higher level that the user asks for, whatever the text is.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { policyBreach } from "./policy.ts";
 * assert.equal(policyBreach({ level: "L1" }, "grammar"), undefined);
 * assert.match(policyBreach({ level: "L1" }, "foreign")!, /asks for level L2/);
 * assert.match(policyBreach({ level: "L1" }, "grammar", "L3")!, /asks for level L3/);
 * ```
 */
export function policyBreach(
  { level, attestation }: ConfinedRecord,
  origin: TextOrigin,
  demanded?: SandboxLevel,
): string | undefined {
  const minimum = minimumLevel(origin, demanded);
  if (!reaches(level, minimum)) {
    return `text of ${origin} origin asks for level ${minimum} of the sandbox, not ${level}`;
  }
  const attested = attestation !== undefined && /^[0-9a-f]{64}$/.test(attestation);
  if (reaches(level, "L2") && !attested) return `level ${level} is claimed without an attestation`;
  return undefined;
}

/**
 * Nothing is made of an execution that did not run as the policy of its text asks.
 *
 * @throws MissingPartError if a record breaks the policy; see `policyBreach`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { requireLevel } from "./policy.ts";
 * requireLevel({ level: "L1" }, "grammar");
 * assert.throws(() => requireLevel({ level: "L1" }, "foreign"), /asks for level L2/);
 * ```
 */
export function requireLevel(
  record: ConfinedRecord,
  origin: TextOrigin,
  demanded?: SandboxLevel,
): void {
  const breach = policyBreach(record, origin, demanded);
  if (breach === undefined) return;
  throw new MissingPartError(
    `Cannot judge an execution: ${breach}`,
    "run `sluice doctor` to see which layer of the sandbox is missing",
  );
}
