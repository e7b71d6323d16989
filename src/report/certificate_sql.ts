/** The queries of the certificate: each over all stages, none with a name put into its text. */

/**
 * Measures after training. Those of one seed or of one prompt are parts of the policy's own, which
 * the certificate does not list.
 */
export const measures = `
  select stage, trajectories, distinct_evaluations, measure, subject_kind, subject,
    value, mcse, ci_lo, ci_hi, n, method
  from evaluation where step = 0 and seed is null and "group" is null`;

/** Sources of policies, from the pipeline. */
export const wires = `
  select path, value->>'$' as source from param
  where regexp_full_match(path, 'stages[.].*[.](compare[.].*|inputs[.]policy)')`;

/** Divergences of the policy while training went on. */
export const course = `
  select stage, step, trajectories, distinct_evaluations,
    any_value(value) filter (measure = 'tv') as tv,
    any_value(value) filter (measure = 'kl_target_policy') as kl_target_policy,
    any_value(value) filter (measure = 'kl_policy_target') as kl_policy_target
  from evaluation
  where step > 0 and subject_kind = 'policy' and seed is null and "group" is null
    and measure in ('tv', 'kl_target_policy', 'kl_policy_target')
  group by stage, step, trajectories, distinct_evaluations order by stage, step`;

/** How old fresh trajectories were at most, where they were not the newest policy's. */
export const staleness = `
  select stage, max(staleness) as steps from trajectory where not replayed
  group by stage having max(staleness) > 0 order by stage`;

/** Digests of everything that a stage left behind. */
export const artifacts = `
  select stage || '.' || port as output, sha256 from stage_io
  where direction = 'out' order by stage, port`;

/** Further parts of a stage's evaluation. */
export const partsOfEvaluation = {
  remarks: `
    select distinct stage, message from event
    where kind in ('moves_optimum', 'external_reward', 'unbounded_reward') order by stage, message`,

  explorers: "select stage, detail from event where kind = 'explorer'",

  reasons: "select stage, message from event where kind = 'verdict'",

  uncounted: "select distinct stage, message from event where kind = 'count_budget'",

  references: "select stage, detail from event where kind = 'reference'",

  attribution: `
    select stage, prefix, text, kl_target_policy, kl_policy_target, share from attribution
    where step = 0 order by stage, kl_target_policy desc, text`,

  lengths: `
    select stage, len(tokens) as length, count(*) as objects, sum(exp(log_target)) as target,
      sum(exp(log_policy)) as policy
    from enumeration where step = 0 group by stage, len(tokens) order by stage, length`,

  /** Objects whose reward is at least that of the last of the best thousandth, hundredth, tenth. */
  modes: `
    with ranked as (
      select stage, log_target, log_policy,
        row_number() over (partition by stage order by log_target desc, idx) as place,
        count(*) over (partition by stage) as objects
      from enumeration where step = 0),
    cut as (
      select stage, top, min(log_target) as least
      from ranked, (values (0.001), (0.01), (0.1)) as fractions(top)
      where place <= top * objects group by stage, top)
    select stage, top, count(*) as objects, sum(exp(log_target)) as target,
      sum(exp(log_policy)) as policy,
      avg(case when log_policy >= log_target - ln(2) then 1 else 0 end) as covered
    from ranked join cut using (stage) where log_target >= least
    group by stage, top order by stage, top`,
} as const;
