/** The column `name` of `evaluation`, derived from the facts; deprecated, kept for one release. */
import { isSubjectKind, type Subject, subjectKinds } from "../../base/measure_subject.ts";
import type { Row } from "./row.ts";
import { factsOfName } from "./older_evaluations.ts";

/** Suffixes of subjects that had a name of their own before there were kinds of subjects. */
const suffixes: Readonly<Record<string, string>> = {
  "prior prior": "prior",
  "uniform uniform": "uniform",
  "baseline metropolis_hastings": "metropolis_hastings",
  "baseline sequential_monte_carlo": "sequential_monte_carlo",
  "rival reinforce": "reinforce",
  "rival ppo": "ppo",
  "rival grpo": "grpo",
  "floor perfect_sampler": "floor",
  "floor capacity": "capacity",
  "noise target": "target_noise",
};

/** Names that are not measure and suffix. */
const irregular: Readonly<Record<string, string>> = {
  "kl_target_policy target_noise": "kl_target_noise",
  "log_reward_sd target_noise": "log_reward_noise",
};

/** What a user may call a policy, and what as a suffix would name another subject or measure. */
const taken: ReadonlySet<string> = new Set([
  ...Object.values(suffixes),
  "sub_support", // tv_sub_support is a measure
  "target", // and so is effective_programs_target
]);

/** Beginnings of suffixes that tell a kind which has subjects of several names. */
const qualified = /^(?:compared|baseline|rival|floor|noise)_/;

/**
 * The name that a measure has in SQL of earlier versions: `tv` of the policy, `tv_prior`, `tv_sft`.
 * Different subjects have different names: where a user calls a policy `prior`, that one's total
 * variation is `tv_compared_prior`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { evaluationName } from "./evaluation_name.ts";
 *
 * assert.equal(evaluationName("tv", { kind: "compared", name: "sft" }), "tv_sft");
 * assert.equal(evaluationName("tv", { kind: "compared", name: "prior" }), "tv_compared_prior");
 * ```
 */
export function evaluationName(measure: string, subject: Subject): string {
  if (subject.kind === "policy") return measure;
  const suffix = suffixOf(subject);
  return irregular[`${measure} ${suffix}`] ?? `${measure}_${suffix}`;
}

function suffixOf({ kind, name }: Subject): string {
  const short = suffixes[`${kind} ${name}`];
  if (short !== undefined) return short;
  const plain = kind === "compared" && !taken.has(name) && !qualified.test(name);
  return plain ? name : `${kind}_${name}`;
}

/**
 * A row of `evaluation` with its name. A row that has a name alone, as stage kinds of other
 * repositories may still write, gets the facts that the name stood for.
 *
 * @throws TypeError (`internal:`) if the facts are incomplete, or a name contradicts them.
 */
export function completeEvaluation(row: Row): Row {
  const { measure, subject_kind: kind, subject, name } = row;
  if (measure === undefined && typeof name === "string") return { ...row, ...factsOfName(name) };
  if (typeof measure !== "string" || typeof subject !== "string" || !isSubjectKind(kind)) {
    const wanted = `measure, subject and subject_kind (${subjectKinds.join(", ")})`;
    const found = JSON.stringify({ measure, subject_kind: kind, subject });
    throw new TypeError(`internal: table "evaluation": wanted ${wanted}, found ${found}`);
  }
  const derived = evaluationName(measure, { kind, name: subject });
  if (name === undefined || name === derived) return { ...row, name: derived };
  const what = `the name of this measure is "${derived}", found "${name}"; leave it out`;
  throw new TypeError(`internal: table "evaluation": ${what}`);
}
