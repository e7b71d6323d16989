/** The subjects that evaluations of Sluice have. */
import type { Subject } from "../../src/base/measure_subject.ts";

/**
 * The policy under evaluation, under any name in the pipeline (the table `stage_io` records its
 * source); measures of its target and of the evaluation as a whole have this subject too.
 */
export const policySubject: Subject = { kind: "policy", name: "policy" };

/** The environment's own weights. */
export const priorSubject: Subject = { kind: "prior", name: "prior" };

/** Every legal action equally likely. */
export const uniformSubject: Subject = { kind: "uniform", name: "uniform" };

/** The empirical distribution of exact draws of the target. */
export const perfectSampler: Subject = { kind: "floor", name: "perfect_sampler" };

/** The network of the policy, fitted to the target itself. */
export const capacitySubject: Subject = { kind: "floor", name: "capacity" };

/** The target under another seed of the engine. */
export const targetNoiseSubject: Subject = { kind: "noise", name: "target" };

/** A policy that the user named in `compare`. */
export function comparedSubject(key: string): Subject {
  return { kind: "compared", name: key };
}

/** A search over derivations. */
export function searchSubject(name: string): Subject {
  return { kind: "baseline", name };
}

/** A network trained by reinforcement learning, by its objective. */
export function trainedBaselineSubject(objective: string): Subject {
  return { kind: "rival", name: objective };
}
