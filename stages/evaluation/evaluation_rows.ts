/** Measures of an exact evaluation, and the rows in which the store keeps them. */
import { sha256 } from "../../src/base/digest.ts";
import {
  agreement,
  effectiveNumber,
  type ExactEvaluation,
  inclusionProbabilities,
  type ThoughtfulBounds,
} from "../../src/gfn/evaluation/mod.ts";
import { exp } from "../../src/numerics/math/mod.ts";
import type { Row } from "../../src/pipeline/contract/mod.ts";
import type { ScoredTarget } from "./enumerated.ts";
import type { Subject } from "../../src/base/measure_subject.ts";
import { exactly, type Measure, measuresOf, type Quantities, type Quantity } from "./measure.ts";
import { policySubject } from "./subjects.ts";
import type { TrainedPolicy } from "../ports/values.ts";

/** Divergences of a subject from the target: `tv`, `kl_target_policy`, `jsd` and so on. */
export function divergenceMeasures(subject: Subject, of: ExactEvaluation): Measure[] {
  const { thoughts } = of;
  const isBound = thoughts !== undefined && !thoughts.isExact;
  // Of a mixture over some thoughts they would be those of other trajectories.
  const { elboGap, euboGap } = isBound ? {} : of;
  return measuresOf(subject, {
    tv: bounded([of], "totalVariation"),
    kl_target_policy: bounded([of], "klTargetPolicy"),
    kl_policy_target: bounded([of], "klPolicyTarget"),
    ...(thoughts && { thoughts: exactly(thoughts.count) }),
    jsd: exactly(of.jensenShannon),
    lost_mass: exactly(of.lostMass),
    ...(elboGap === undefined ? {} : { elbo_gap: exactly(elboGap) }),
    ...(euboGap === undefined ? {} : { eubo_gap: exactly(euboGap) }),
    effective_programs: exactly(of.effectiveNumber),
  });
}

/**
 * The mean of divergences. Where thoughts bound them it is that of the upper bounds, with an interval from
 * 1.96 standard errors below the lower bounds to as many above the upper ones: thoughts are a sample, one
 * for each evaluation.
 */
export function bounded(
  all: readonly ExactEvaluation[],
  name: keyof ThoughtfulBounds,
): Quantity {
  const mean = (value: (one: ExactEvaluation) => number) =>
    all.reduce((sum, one) => sum + value(one), 0) / all.length;
  const value = mean((one) => one[name]);
  const count = all.find(({ thoughts }) => thoughts?.lower)?.thoughts?.count;
  if (count === undefined) return exactly(value);
  const lower = mean((one) => one.thoughts?.lower?.[name] ?? one[name]);
  const error = (of: "upper" | "lower") =>
    Math.sqrt(mean(({ thoughts }) => (thoughts?.errors?.[of][name] ?? 0) ** 2) / all.length);
  const interval = [
    Math.max(0, lower - 1.96 * error("lower")),
    value + 1.96 * error("upper"),
  ] as const;
  const method = `bounds in expectation by ${count} thoughts, with their errors`;
  return { value, mcse: error("upper"), interval, method };
}

/** Correlation of log P with log R, and the policy's mass on objects with a reward above 0. */
export function agreementMeasures(target: ScoredTarget, logP: Float64Array): Measure[] {
  const { correlation, rankCorrelation, logRatioVariance } = agreement(target.logReward, logP);
  const isValid = (i: number) =>
    target.logReward[i] > -Infinity && target.judgements?.[i].failed !== true;
  const valid = logP.reduce((sum, log, i) => isValid(i) ? sum + exp(log) : sum, 0);
  return measuresOf(policySubject, {
    valid_share: exactly(valid),
    log_correlation: exactly(correlation),
    rank_correlation: exactly(rankCorrelation),
    log_ratio_variance: exactly(logRatioVariance),
  });
}

/** Measures of the target itself, and of the failure rule's share in it. */
export function targetMeasures(
  target: ScoredTarget,
  policy: TrainedPolicy,
  targetMcse: number,
): Measure[] {
  return measuresOf(policySubject, {
    programs: exactly(target.objects.length),
    log_z: exactly(target.logZ),
    ...(policy.logZ === undefined ? {} : { log_z_error: exactly(policy.logZ - target.logZ) }),
    effective_programs_target: exactly(effectiveNumber(target.logTarget)),
    ...executionQuantities(target, targetMcse),
  });
}

/** How many programs failed, have no reliable estimate, are undecided, were raised or are noisier than asked, and their share. */
function executionQuantities(target: ScoredTarget, targetMcse: number): Quantities {
  const { executions, judgements } = target;
  if (!executions || !judgements) return {};
  const share = (flag: (i: number) => boolean) =>
    exactly(target.logTarget.reduce((sum, log, i) => flag(i) ? sum + exp(log) : sum, 0));
  const count = (flag: (i: number) => boolean) =>
    exactly(target.objects.filter((_, i) => flag(i)).length);
  const unreliable = (i: number) => executions[i].status === "loo_unreliable";
  const undecided = (i: number) => executions[i].status === "undecided";
  const failed = (i: number) => judgements[i].failed && !unreliable(i) && !undecided(i);
  const raised = (i: number) => judgements[i].raised;
  const noisy = (i: number) => (executions[i].score?.mcse ?? 0) > targetMcse;
  return {
    failed_programs: count(failed),
    failed_share: share(failed),
    unreliable_programs: count(unreliable),
    unreliable_share: share(unreliable),
    undecided_programs: count(undecided),
    undecided_share: share(undecided),
    raised_programs: count(raised),
    raised_share: share(raised),
    above_target_mcse: count(noisy),
    above_target_mcse_share: share(noisy),
  };
}

/** Rows of `evaluation`; the store derives their names. */
export function evaluationRows(
  measures: readonly Measure[],
  policy: TrainedPolicy,
  objects: number,
): Row[] {
  const { trajectories, distinctEvaluations } = policy;
  return measures.map(({ measure, subject, group, value, mcse, interval, n, method }) => ({
    trajectories,
    distinct_evaluations: distinctEvaluations,
    measure,
    subject_kind: subject.kind,
    subject: subject.name,
    ...(group !== undefined && { group }),
    value,
    mcse,
    ci_lo: interval?.[0] ?? value - z95 * mcse,
    ci_hi: interval?.[1] ?? value + z95 * mcse,
    n: n ?? objects,
    method: method ?? (mcse === 0 ? "exact enumeration" : "Monte Carlo"),
  }));
}

/** The 97.5 % quantile of the standard normal distribution. */
const z95 = 1.959964;

/** Rows of `enumeration`: every program, so that anyone can recompute a divergence in SQL. */
export function enumerationRows(target: ScoredTarget, logP: Float64Array): Row[] {
  return target.objects.map(({ text, logPrior, features, actions }, i) => ({
    idx: i,
    program: sha256(text),
    features,
    tokens: actions,
    canonical_hash: target.executions?.[i].programHash,
    log_prior: logPrior,
    log_reward: target.logReward[i],
    log_target: target.logTarget[i],
    log_policy: logP[i],
    status: target.executions?.[i].status,
    raised: target.judgements?.[i].raised,
  }));
}

/** Rows of `inclusion`: the probability that a program has a production. */
export function inclusionRows(
  target: ScoredTarget,
  logPrior: Float64Array,
  logP: Float64Array,
): Row[] {
  const of = (log: Float64Array) => inclusionProbabilities(target.objects, log);
  const [prior, wanted, policy] = [of(logPrior), of(target.logTarget), of(logP)];
  return [...wanted.keys()].map((production) => ({
    production,
    prior: prior.get(production),
    target: wanted.get(production),
    policy: policy.get(production),
  }));
}

/** Rows of `attribution`: the states in which most of KL(target‖policy), or of the gap, arises. */
export function attributionRows(of: ExactEvaluation): Row[] {
  const whole = of.euboGap ?? of.klTargetPolicy;
  return of.prefixes.map(({ prefix, name, klTargetPolicy, klPolicyTarget }) => ({
    prefix,
    text: name,
    kl_target_policy: klTargetPolicy,
    kl_policy_target: klPolicyTarget,
    share: whole === 0 ? 0 : klTargetPolicy / whole,
  }));
}
