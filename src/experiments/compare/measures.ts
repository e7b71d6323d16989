/** Measured values of runs: the SQL that reads them, the order of measures, the better direction. */
import { literal } from "../../pipeline/basics/mod.ts";

/** One final value: the last that a run has of a measure of a stage. */
export interface Measured {
  /** Name of the setting: values that its points set, without the seed. */
  readonly setting: string;
  /** Seed by which values of two settings are paired. */
  readonly seed: string;
  readonly stage: string;
  readonly measure: string;
  readonly value: number;
}

/** Measures that a report shows unless others are asked for, and in this order. */
const headline = [
  "tv",
  "kl_target_policy",
  "kl_policy_target",
  "jsd",
  "log_z_error",
];

/** Measures of which less is better; of others, nothing is called better. */
const lessIsBetter = new Set([
  ...["tv", "tv_lower", "tv_upper", "kl_target_policy", "kl_policy_target", "jsd", "lost_mass"],
  ...["elbo_gap", "eubo_gap", "log_ratio_variance", "loss", "tv_models"],
]);

/** Measures of which more is better. */
const moreIsBetter = new Set(["log_correlation", "rank_correlation", "valid_share", "mean_reward"]);

/** −1 where less is better, 1 where more is, 0 where neither is known. */
export function betterSign(measure: string): -1 | 0 | 1 {
  if (lessIsBetter.has(measure)) return -1;
  return moreIsBetter.has(measure) ? 1 : 0;
}

/** Final values of evaluations of policies and of metrics: one SQL text over runs. */
export const finalValuesSql = `with said as (
  select run_id, stage, step, measure, value from evaluation
    where subject_kind = 'policy' and "group" is null and value is not null
  union all select run_id, stage, step, name, value from metric where value is not null
)
select run_id, stage, measure, arg_max(value, step) as value from said group by all order by all`;

/** The course of measures over the steps of a loop. */
export function courseSql(measures: readonly string[]): string {
  const list = measures.map(literal).join(", ");
  return `select run_id, stage, step, measure, value from evaluation
  where subject_kind = 'policy' and "group" is null and step > 0 and measure in (${list})
union all select run_id, stage, step, name, value from metric where step > 0 and name in (${list})
order by all`;
}

/**
 * Values of stages outside of loops, where a measure has such: those inside are its course, and the
 * last of them repeats the final value.
 */
export function finalOnly(measured: readonly Measured[]): Measured[] {
  const outside = new Set(
    measured.filter(({ stage }) => !stage.includes(".")).map(({ measure }) => measure),
  );
  return measured.filter(({ stage, measure }) => !outside.has(measure) || !stage.includes("."));
}

/** The measures of a list that are shown: those that were asked for, or the usual ones, or all. */
export function shownMeasures(all: readonly string[], asked?: readonly string[]): string[] {
  const there = [...new Set(all)];
  if (asked) return asked.filter((one) => there.includes(one));
  const usual = headline.filter((one) => there.includes(one));
  return usual.length > 0 ? usual : there.toSorted();
}
