/**
 * SmolLM2, asked for random numbers in four ranges: 30 batches of exact draws, so that it writes all of
 * them, and 200 of 32 answers by reward, by any policy.
 */
import asked from "../../docs/examples/asked_numbers.ts";
import { RandomStream } from "../../src/base/random.ts";
import { customEnvironment } from "../../src/gfn/environments/define_environment.ts";
import type { Environment, Prompt } from "../../src/gfn/environments/environment.ts";
import { tokensOf } from "../../src/gfn/environments/tokens.ts";
import {
  evaluateExactly,
  type ExactEvaluation,
  policyMass,
} from "../../src/gfn/evaluation/exact.ts";
import { ownTarget } from "../../src/gfn/evaluation/own_target.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import { modelSource } from "../../stages/environment/model_source.ts";
import { learnDraws } from "../exact_draws.ts";
import { mean } from "../learning/numbers.ts";
import type { Divergences } from "./divergences.ts";
import type { Learner } from "./learners.ts";
import { trainBehind } from "./train_behind.ts";

/** Steps by which batches are older than the policy that learns from them. */
export const numbersBounds = [0, 4, 16, 64];

const [batchSize, groupSize] = [32, 8];

const config = {
  kind: "language_model",
  model: "smollm2-135m",
  adapter: { rank: 16, last_layers: 1 },
  context: 64,
  backend: "blas",
} as const;

const settings = {
  learning_rate: { start: 2e-3, schedule: "cosine", end: 1e-4, warm_up: 0.05 },
  ...{ log_z_learning_rate: 0.1, clip_norm: 1 },
} as const;

/** Divergences, exactly for each of four prompts, and their means. */
export async function numbersDivergence(
  learner: Learner,
  staleness: number,
  seed: number,
): Promise<Divergences> {
  const { source, tokenizer } = modelSource("smollm2-135m");
  const numbers = customEnvironment(asked, { max: 99, beyond: -8 }) as Environment;
  const texts = tokensOf(numbers, source) as Environment;
  const prompts = [9, 39, 69, 99].map((largest): Prompt => {
    const text = `The following is a random integer drawn uniformly between 0 and ${largest}:`;
    return { id: `${largest}`, text, tokens: tokenizer.encodeExactly(text) };
  });
  const targets = new Map(prompts.map((one) => [one.id, ownTarget(texts, one)]));
  const policy = await createPolicy(config, texts, `seed ${seed}`);
  const how = { prompts, batchSize, groupSize, settings };
  const draws = new RandomStream(`seed ${seed}`, "exact draws");
  await learnDraws(policy, texts, { ...how, targets, given: 0, steps: 30 }, draws);
  const random = new RandomStream(`seed ${seed}`, learner.objective);
  await trainBehind(policy, texts, learner, { ...how, staleness, steps: 200, random });
  const found: ExactEvaluation[] = [];
  for (const prompt of prompts) {
    const target = targets.get(prompt.id)!;
    found.push(evaluateExactly(target, await policyMass(policy, target, prompt)));
  }
  policy.dispose();
  return {
    kl: mean(found.map((one) => one.klTargetPolicy)),
    kl_back: mean(found.map((one) => one.klPolicyTarget)),
  };
}
