/** Refuses a target of texts where programs are executed or looked into. */
import { inputError } from "../../src/base/diagnostic.ts";
import type { ProgramTarget, Target } from "../ports/values.ts";

/**
 * A target whose objects are programs.
 *
 * @param verb What was tried.
 * @throws InputError if its objects are texts that oracles alone reward.
 */
export function requirePrograms(target: Target, verb: string, hint: string): ProgramTarget {
  if (target.dataset) return target;
  const message = `Cannot ${verb}: the target is rewarded by oracles alone, and has no data`;
  throw inputError("target/no-programs", message, undefined, hint);
}
