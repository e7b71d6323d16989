/** Training on batches of older policies, with what these said of their own walks. */
import type { RandomStream } from "../../src/base/random.ts";
import type { Environment, Prompt } from "../../src/gfn/environments/environment.ts";
import type { Policy } from "../../src/gfn/policies/policy.ts";
import { entryOf } from "../../src/gfn/replay/replay_entry.ts";
import { Learning } from "../../src/gfn/train/learning.ts";
import { ownLogRewards } from "../../src/gfn/train/own_entries.ts";
import { PolicyBehind } from "../../src/gfn/train/policy_behind.ts";
import { promptsInTurn } from "../../src/gfn/train/prompts_in_turn.ts";
import {
  type GivenTrainingSettings,
  trainingSettings,
} from "../../src/gfn/train/training_settings.ts";
import { makeBatch } from "../../src/gfn/trajectories/batch.ts";
import type { Scores } from "../../src/gfn/trajectories/trajectory.ts";
import { type Learner, objectiveOf } from "./learners.ts";

/** How long, on what, and how far behind. */
export interface Behind {
  readonly staleness: number;
  readonly steps: number;
  readonly batchSize: number;
  readonly settings: GivenTrainingSettings;
  readonly random: RandomStream;
  /** Asked in turn, so many answers to each. */
  readonly prompts?: readonly Prompt[];
  readonly groupSize?: number;
}

/**
 * Trains a policy in place, as `train` does, but that a learner may be told what the policy that
 * walked said. @throws Error if the loss is not finite.
 */
export async function trainBehind(
  policy: Policy,
  environment: Environment,
  learner: Learner,
  { staleness, steps, batchSize: count, settings, random, prompts, groupSize }: Behind,
): Promise<void> {
  let walked: Scores | undefined;
  const objective = objectiveOf(learner, () => walked!);
  const read = trainingSettings.parse({ ...settings, stale: "uncorrected" });
  const learning = new Learning(objective, learner.parameters, read);
  const behind = new PolicyBehind(policy, staleness);
  for (let step = 1; step <= steps; step++) {
    const walker = await behind.next();
    const asked = prompts && { prompts: promptsInTurn(prompts, step, count, groupSize) };
    const own = { count, random, epsilon: 0, temperature: 1 };
    const walks = await walker.sample(environment, { ...own, ...asked });
    const rewards = ownLogRewards(environment, walks);
    const fresh = walks.map((one, i) => entryOf(one, rewards[i]));
    if (learner.byWalker) {
      const batch = makeBatch(environment, fresh, fresh.map(({ logReward }) => logReward));
      walked = await walker.score(batch, { grad: false });
    }
    await learning.step(policy, environment, fresh, { fraction: (step - 1) / steps, random });
  }
}
