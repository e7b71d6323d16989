/** Maximum likelihood on exact draws of targets that can be enumerated: the best case for SFT. */
import type { RandomStream } from "../src/base/random.ts";
import { exp } from "../src/numerics/math/elementary.ts";
import type { Environment, Prompt } from "../src/gfn/environments/environment.ts";
import type { EnumeratedTarget } from "../src/gfn/evaluation/exact.ts";
import { objectiveNamed } from "../src/gfn/objectives/built_in_objectives.ts";
import type { Policy } from "../src/gfn/policies/policy.ts";
import { Learning } from "../src/gfn/train/learning.ts";
import { promptsInTurn } from "../src/gfn/train/prompts_in_turn.ts";
import {
  type GivenTrainingSettings,
  trainingSettings,
} from "../src/gfn/train/training_settings.ts";

/** Targets to draw from, and how often the draws are learnt. */
export interface Draws {
  /** By the id of the prompt. */
  readonly targets: ReadonlyMap<string, EnumeratedTarget>;
  readonly prompts: readonly Prompt[];
  /** So many of each prompt, again and again; 0: always fresh ones. */
  readonly given: number;
  readonly steps: number;
  readonly batchSize: number;
  readonly groupSize: number;
  readonly settings: GivenTrainingSettings;
}

/** Learns in place; the exit of the environment's objects is legal after every action. */
export async function learnDraws(
  policy: Policy,
  environment: Environment,
  { targets, prompts, given, steps, batchSize, groupSize, settings }: Draws,
  random: RandomStream,
): Promise<void> {
  const objective = objectiveNamed("maximum_likelihood");
  const learning = new Learning(objective, {}, trainingSettings.parse(settings));
  const kept = new Map(prompts.map(({ id }) => {
    return [id, Array.from({ length: given }, () => drawn(targets.get(id)!, random))];
  }));
  for (let step = 1; step <= steps; step++) {
    const fresh = promptsInTurn(prompts, step, batchSize, groupSize).map((prompt) => {
      const target = targets.get(prompt.id)!;
      const own = kept.get(prompt.id)!;
      const x = given === 0 ? drawn(target, random) : own[random.below(given)];
      const { text, actions } = target.objects[x];
      return { text, actions, prompt, logReward: Array<number>(actions.length - 1).fill(0) };
    });
    await learning.step(policy, environment, fresh, { fraction: (step - 1) / steps, random });
  }
}

/** The number of an object, drawn from a target. */
function drawn({ logTarget }: EnumeratedTarget, random: RandomStream): number {
  let left = random.uniform();
  return Math.max(0, logTarget.findIndex((one) => (left -= exp(one)) < 0));
}
