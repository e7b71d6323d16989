/** Whether targets are those of the prompts beside them, checked before anything runs. */
import type { Prompts } from "../ports/values.ts";
import { requireSameNames } from "./prompt_targets.ts";

/** Wires of a stage that a check knows: values, and names of those without one yet. */
interface Checked {
  readonly inputs: object;
  readonly unknown: ReadonlySet<string>;
}

/** Wires of {@linkcode Checked} that the check reads. */
interface Wired {
  readonly prompts?: Prompts;
  readonly targets?: Readonly<Record<string, unknown>>;
}

/**
 * @param cannot What cannot be done otherwise, as in "evaluate".
 * @param isLearning Whether prompts that are held out are not answered.
 * @throws InputError if a prompt has no target, or a target is for no prompt. Prompts that a check
 * does not know are left to the run.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { checkTargets } from "./check_targets.ts";
 * const prompts = { prompts: [{ id: "sea", held_out: false }] };
 * const unknown = new Set(["targets.see"]);
 * const checking = () => checkTargets({ inputs: { prompts, targets: {} }, unknown }, "evaluate");
 * assert.throws(checking, /no target is for prompt "sea"/);
 * ```
 */
export function checkTargets(
  { inputs, unknown }: Checked,
  cannot: string,
  isLearning = false,
): void {
  const { prompts: written, targets: known = {} }: Wired = inputs;
  const prefix = "targets.";
  const unmade = [...unknown].filter((name) => name.startsWith(prefix));
  const targets = [...Object.keys(known), ...unmade.map((name) => name.slice(prefix.length))];
  if (!written || targets.length === 0) return;
  const isAsked = ({ held_out: heldOut }: { readonly held_out: boolean }) =>
    !(isLearning && heldOut);
  const asked = written.prompts.filter(isAsked);
  requireSameNames(cannot, targets, asked, written.prompts.filter((one) => !isAsked(one)));
}
