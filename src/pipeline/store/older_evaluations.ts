/**
 * What the names of `evaluation` stood for in version 2 of the schema, as code and as SQL. It reads
 * rows of that version, and nothing else; being part of a migration, it is never changed.
 */
import type { Subject } from "../../base/measure_subject.ts";

/** Measures that were taken of others than the policy, with the suffix that told of whom. */
const pattern = "^(kl_target_policy|kl_policy_target|effective_programs|lost_mass|elbo_gap|" +
  "eubo_gap|distinct|jsd|tv)_(.+)$";

/** Names that follow no rule: measure and suffix of each. */
const irregular: Readonly<Record<string, readonly [string, string]>> = {
  kl_target_noise: ["kl_target_policy", "target_noise"],
  log_reward_noise: ["log_reward_sd", "target_noise"],
  tv_sub_support: ["tv_sub_support", ""],
  effective_programs_target: ["effective_programs_target", ""],
};

/** Subjects by suffix; any other suffix was the user's own name of a compared policy. */
const subjects: Readonly<Record<string, Subject>> = {
  "": { kind: "policy", name: "policy" },
  uniform: { kind: "uniform", name: "uniform" },
  prior: { kind: "prior", name: "prior" },
  floor: { kind: "floor", name: "perfect_sampler" },
  capacity: { kind: "floor", name: "capacity" },
  metropolis_hastings: { kind: "baseline", name: "metropolis_hastings" },
  sequential_monte_carlo: { kind: "baseline", name: "sequential_monte_carlo" },
  reinforce: { kind: "rival", name: "reinforce" },
  ppo: { kind: "rival", name: "ppo" },
  grpo: { kind: "rival", name: "grpo" },
  target_noise: { kind: "noise", name: "target" },
};

/** The facts of a name of version 2, by column. */
export function factsOfName(
  name: string,
): { readonly measure: string; readonly subject_kind: string; readonly subject: string } {
  const matched = new RegExp(pattern).exec(name);
  const [measure, suffix] = Object.hasOwn(irregular, name)
    ? irregular[name]
    : matched
    ? [matched[1], matched[2]]
    : [name, ""];
  const subject: Subject = Object.hasOwn(subjects, suffix)
    ? subjects[suffix]
    : { kind: "compared", name: suffix };
  return { measure, subject_kind: subject.kind, subject: subject.name };
}

/** The same in SQL, by column, of a column `name`. */
export function factsOfNameSql(): Readonly<Record<string, string>> {
  const regular = (group: number) => `regexp_extract("name", '${pattern}', ${group})`;
  const special = (at: 0 | 1) => choices(irregular, (pair) => pair[at]);
  const suffix = `case "name" ${special(1)} else ${regular(2)} end`;
  const measure = `coalesce(nullif(${regular(1)}, ''), "name")`;
  return {
    measure: `case "name" ${special(0)} else ${measure} end`,
    subject_kind: `case ${suffix} ${choices(subjects, ({ kind }) => kind)} else 'compared' end`,
    subject: `case ${suffix} ${choices(subjects, ({ name }) => name)} else ${suffix} end`,
  };
}

function choices<T>(table: Readonly<Record<string, T>>, value: (one: T) => string): string {
  return Object.entries(table).map(([key, one]) => `when '${key}' then '${value(one)}'`).join(" ");
}
