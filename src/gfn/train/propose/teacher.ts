/** An adaptive teacher: a second policy that samples where the loss of the first one is large. */
import type { RandomStream } from "../../../base/random.ts";
import type { Environment } from "../../environments/environment.ts";
import { trajectoryBalance } from "../../objectives/trajectory_balance.ts";
import { freshPolicy } from "../../policies/create_policy.ts";
import type { Policy } from "../../policies/policy.ts";
import { makeBatch } from "../../trajectories/batch.ts";
import type { Trajectory } from "../../trajectories/trajectory.ts";
import { Trainer } from "../trainer.ts";
import { rewardsAtEnds, softLog } from "./off_policy.ts";

/** Reward and learning rate of a teacher. */
export interface TeacherOptions {
  /** Share of log R in its log reward, α: by the loss alone it would sample objects of tiny reward. */
  readonly mixing: number;
  /** Extra weight C of the loss where the student gives too little. */
  readonly missed: number;
  readonly learningRate: number;
}

/** ε of its reward. */
const epsilon = 1e-2;

/**
 * Trained by trajectory balance on
 *
 *     log R_T = (1 − α) log(ε + (1 + C [δ > 0]) δ²) + α log R,   δ = log R + log P_B − log P_F − log Z,
 *
 * where δ is the student's residual on a trajectory (Kim et al. 2025, section 3.1, with the student's
 * own estimate of log Z; here the median of its residuals on its own trajectories, which needs no
 * message from the learner).
 */
export class Teacher {
  readonly #trainer = new Trainer(trajectoryBalance);

  private constructor(readonly policy: Policy, readonly options: TeacherOptions) {}

  /** A fresh network like the student's; undefined for policies of one's own. */
  static async of(
    student: Policy,
    options: TeacherOptions,
    random: RandomStream,
  ): Promise<Teacher | undefined> {
    const policy = await freshPolicy(student, random);
    return policy && new Teacher(policy, options);
  }

  /** Trajectories of the teacher, a tenth of its choices uniform. */
  async walks(
    environment: Environment,
    count: number,
    random: RandomStream,
  ): Promise<readonly Trajectory[]> {
    return await this.policy.sample(environment, { count, random, epsilon: 0.1, temperature: 1 });
  }

  /**
   * One step on trajectories with the student's log P_F.
   *
   * @param own Number of first trajectories that are the student's own.
   */
  async step(
    environment: Environment,
    trajectories: readonly Trajectory[],
    logRewards: ArrayLike<number>,
    { own, fraction }: { readonly own: number; readonly fraction: number },
  ): Promise<void> {
    const residuals = trajectories.map(({ logPf, logPb }, i) => logRewards[i] + logPb - logPf);
    const usual = residuals.slice(0, own).sort((a, b) => a - b)[own >> 1] ?? 0;
    const values = residuals.map((one, i) => {
      const { mixing, missed } = this.options;
      const delta = one - usual;
      const loss = (1 + (delta > 0 ? missed : 0)) * delta * delta;
      return (1 - mixing) * softLog(loss, epsilon) + mixing * logRewards[i];
    });
    const batch = makeBatch(
      environment,
      trajectories,
      rewardsAtEnds(environment, trajectories, values),
    );
    const { learningRate } = this.options;
    const step = { learningRate, clipNorm: 10 };
    await this.#trainer.update(this.policy, batch, { step, logZ: 0.1, fraction });
  }

  /** State for a checkpoint beside the policy. */
  saveLogZ(): unknown {
    return this.#trainer.logZ.save();
  }

  /** Restores a teacher from a checkpoint. */
  static restore(policy: Policy, options: TeacherOptions, logZ: unknown): Teacher {
    const teacher = new Teacher(policy, options);
    teacher.#trainer.logZ.load(logZ as never);
    return teacher;
  }
}
