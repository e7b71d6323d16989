/** Subject of a measure of an evaluation: the policy, or a baseline beside it. */

/**
 * Kinds of subjects, in the order in which reports show them. `policy` is evaluated; the
 * others are its baselines: policies that the user named in `compare`, the environment's prior and
 * uniform choice, plain search (`baseline`), networks trained by reinforcement learning (`rival`),
 * the best possible value (`floor`), and the target's own uncertainty (`noise`).
 */
export const subjectKinds = [
  "policy",
  "compared",
  "prior",
  "uniform",
  "baseline",
  "rival",
  "floor",
  "noise",
] as const;

/** One of {@link subjectKinds}. */
export type SubjectKind = (typeof subjectKinds)[number];

/** Subject of a measure, by kind and name; a name alone may stand for two subjects. */
export interface Subject {
  /** Kind of the subject. */
  readonly kind: SubjectKind;
  /** Name: for `compared` the user's own key; for `rival` the objective; else a name of Sluice's. */
  readonly name: string;
}

/** True if a text is one of {@link subjectKinds}. */
export function isSubjectKind(text: unknown): text is SubjectKind {
  return subjectKinds.some((kind) => kind === text);
}
