/** A measure of an evaluation: its name, its subject, the number, and its uncertainty. */
import type { Subject } from "../../src/base/measure_subject.ts";

/** Measures of Sluice's stage kinds; docs/stages.md defines each. */
export const measureNames = [
  ...["tv", "kl_target_policy", "kl_policy_target", "jsd", "lost_mass", "elbo_gap", "eubo_gap"],
  ...["effective_programs", "effective_programs_target", "valid_share", "log_correlation"],
  ...["rank_correlation", "log_ratio_variance", "programs", "log_z", "log_z_error"],
  ...[
    "failed_programs",
    "failed_share",
    "unreliable_programs",
    "unreliable_share",
    "undecided_programs",
    "undecided_share",
    "raised_programs",
    "raised_share",
  ],
  ...["above_target_mcse", "above_target_mcse_share", "distinct", "log_reward_sd"],
  ...["ess", "tv_sub_support", "verdict", "tv_lower", "tv_upper", "log_z_lower"],
  ...["kl_policy_target_lower", "certificate_evaluations", "log_reward_mcse", "tv_surrogate"],
  ...["elbo", "eubo", "jeffreys"],
  ...["unscored_prior", "unscored_objects", "unseen_prior"],
  ...["integrity_programs", "integrity_violations", "integrity_mass_error"],
  ...["integrity_importance_z", "integrity_permutation_z"],
  ...["models", "tv_models"],
  ...["prompts", "held_out_prompts", "thoughts"],
  ...["tv_median", "tv_p90", "inclusion_error", "calibration_error", "passed_share"],
  ...["truth_in_90", "sbc_distance"],
  ...["held_out_tv", "held_out_kl_target_policy", "held_out_kl_policy_target", "held_out_jsd"],
  ...["exact_match", "program_match", "mean_log_reward", "best_of_n"],
  ...["held_out_exact_match", "held_out_program_match", "held_out_valid_share"],
  ...["held_out_distinct", "held_out_mean_log_reward", "held_out_best_of_n"],
  ...["log_likelihood", "log_likelihood_per_token"],
  ...["held_out_log_likelihood", "held_out_log_likelihood_per_token"],
] as const;

/** One of {@link measureNames}. */
export type MeasureName = (typeof measureNames)[number];

/** A number and its Monte Carlo standard error; 0 where it is exact. */
export interface Quantity {
  /** In the unit of the measure: nats for divergences and logs, a share, or a count. */
  readonly value: number;
  /** In the same unit, at least 0. */
  readonly mcse: number;
  /** 95 % interval; value ± 1.96 mcse if left out. */
  readonly interval?: readonly [number, number];
  /** How many objects, samples or repetitions it rests on; all objects if left out. */
  readonly n?: number;
  /** `exact enumeration` or `Monte Carlo` if left out. */
  readonly method?: string;
}

/** A quantity, of which kind it is, and whose. */
export interface Measure extends Quantity {
  /** Name of the measure. */
  readonly measure: MeasureName;
  /** Of whom. */
  readonly subject: Subject;
  /** The prompt whose answers were measured; left out of measures over all. */
  readonly group?: string;
}

/** Quantities of one subject, by measure. */
export type Quantities = { readonly [M in MeasureName]?: Quantity };

/** Quantities as measures of a subject, in the order in which they are named. */
export function measuresOf(subject: Subject, quantities: Quantities): Measure[] {
  return Object.entries(quantities).map(([measure, quantity]) => {
    return { measure: measure as MeasureName, subject, ...quantity };
  });
}

/** A quantity without error. */
export function exactly(value: number): Quantity {
  return { value, mcse: 0 };
}

/** Mean and standard error over repetitions. */
export function repeated(values: readonly number[], method: string): Quantity {
  const n = values.length;
  const mean = values.reduce((sum, x) => sum + x, 0) / n;
  const squares = values.reduce((sum, x) => sum + (x - mean) * (x - mean), 0);
  return { value: mean, mcse: n > 1 ? Math.sqrt(squares / (n - 1) / n) : 0, n, method };
}
