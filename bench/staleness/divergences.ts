/** Result of one run of the comparison. */

/** How far the policy ended from its target, in nats. */
export interface Divergences {
  /** KL(target‖policy). */
  readonly kl: number;
  /** KL(policy‖target). */
  readonly kl_back: number;
}

/** One run; divergences are null where the loss was not finite. */
export interface StalenessLine {
  readonly where: string;
  readonly learner: string;
  readonly staleness: number;
  readonly seed: number;
  readonly kl: number | null;
  readonly kl_back: number | null;
}
