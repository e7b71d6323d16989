/** Measures of an exact evaluation, and the rows in which the store keeps them. */
import { sha256 } from "../base/digest.ts";
import { type ExactEvaluation, inclusionProbabilities } from "../gfn/exact.ts";
import { effectiveNumber } from "../gfn/divergences.ts";
import { exp } from "../math/elementary.ts";
import type { Row } from "../runner/stage.ts";
import type { ScoredTarget } from "./enumerated.ts";
import type { TrainedPolicy } from "./values.ts";

/** A number and its Monte Carlo standard error; 0 where it is exact. */
export interface Measure {
  readonly value: number;
  readonly mcse: number;
}

const exact = (value: number): Measure => ({ value, mcse: 0 });

/** `tv`, `kl_target_policy`, `kl_policy_target`, `jsd` and `lost_mass`, with a suffix. */
export function divergenceMeasures(of: ExactEvaluation, suffix = ""): Record<string, Measure> {
  return {
    [`tv${suffix}`]: exact(of.totalVariation),
    [`kl_target_policy${suffix}`]: exact(of.klTargetPolicy),
    [`kl_policy_target${suffix}`]: exact(of.klPolicyTarget),
    [`jsd${suffix}`]: exact(of.jensenShannon),
    [`lost_mass${suffix}`]: exact(of.lostMass),
    [`effective_programs${suffix}`]: exact(of.effectiveNumber),
  };
}

/** What is known of the target itself, and of the failure rule's part in it. */
export function targetMeasures(
  target: ScoredTarget,
  policy: TrainedPolicy,
  targetMcse: number,
): Record<string, Measure> {
  const share = (flag: (i: number) => boolean) =>
    exact(target.logTarget.reduce((sum, log, i) => flag(i) ? sum + exp(log) : sum, 0));
  const count = (flag: (i: number) => boolean) =>
    exact(target.objects.filter((_, i) => flag(i)).length);
  const failed = (i: number) => target.judgements[i].failed;
  const raised = (i: number) => target.judgements[i].raised;
  const noisy = (i: number) => (target.executions[i].score?.mcse ?? 0) > targetMcse;
  return {
    programs: exact(target.objects.length),
    log_z: exact(target.logZ),
    ...(policy.logZ === undefined ? {} : { log_z_error: exact(policy.logZ - target.logZ) }),
    effective_programs_target: exact(effectiveNumber(target.logTarget)),
    failed_programs: count(failed),
    failed_share: share(failed),
    raised_programs: count(raised),
    raised_share: share(raised),
    above_target_mcse: count(noisy),
    above_target_mcse_share: share(noisy),
  };
}

/** Rows of `evaluation`. */
export function evaluationRows(
  measures: Readonly<Record<string, Measure>>,
  policy: TrainedPolicy,
  n: number,
): Row[] {
  const { trajectories, distinctEvaluations } = policy;
  return Object.entries(measures).map(([name, { value, mcse }]) => ({
    trajectories,
    distinct_evaluations: distinctEvaluations,
    name,
    value,
    mcse,
    ci_lo: value - 1.959964 * mcse,
    ci_hi: value + 1.959964 * mcse,
    n,
    method: mcse === 0 ? "exact enumeration" : "Monte Carlo",
  }));
}

/** Rows of `enumeration`: every program, so that anyone can recompute a divergence in SQL. */
export function enumerationRows(target: ScoredTarget, logP: Float64Array): Row[] {
  return target.objects.map(({ text, logPrior, features, actions }, i) => ({
    idx: i,
    program: sha256(text),
    features,
    tokens: actions,
    canonical_hash: target.executions[i].programHash,
    log_prior: logPrior,
    log_reward: target.logReward[i],
    log_target: target.logTarget[i],
    log_policy: logP[i],
    status: target.executions[i].status,
    raised: target.judgements[i].raised,
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

/** Rows of `attribution`: the prefixes at which most of KL(target‖policy) arises. */
export function attributionRows(of: ExactEvaluation): Row[] {
  return of.prefixes.map(({ prefix, name, klTargetPolicy, klPolicyTarget }) => ({
    prefix,
    text: name,
    kl_target_policy: klTargetPolicy,
    kl_policy_target: klPolicyTarget,
    share: of.klTargetPolicy === 0 ? 0 : klTargetPolicy / of.klTargetPolicy,
  }));
}
