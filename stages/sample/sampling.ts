/** One batch of fresh trajectories: the work of the stage kind `sample`. */
import { type Course, promptsInTurn } from "../../src/gfn/train/mod.ts";
import { inputError } from "../../src/base/diagnostic.ts";
import {
  type Broken,
  brokenAs,
  type Environment,
  type Prompt,
  type Trajectory,
  writesFreely,
} from "../../src/gfn/environments/mod.ts";
import { type BehaviourCourse, behavioursAt } from "../../src/gfn/settings/mod.ts";
import type { Policy } from "../../src/gfn/policies/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { shownBy, trainingPrompts } from "../common/asked_prompts.ts";
import { sampledHere } from "../common/staleness.ts";
import type { Prompts, SampledTrajectories } from "../ports/values.ts";

/** How the behaviour departs from the policy, as the schema of `sample` gives it. */
interface BehaviourParams {
  readonly exploration?: Course;
  readonly temperature: number | Course;
  readonly top_p: number;
}

/** Parameters of `sample`, as its schema gives them. */
export interface SampleParams extends BehaviourParams {
  readonly batch_size: number;
  readonly group_size?: number;
  readonly mix: readonly (BehaviourParams & { readonly share: number })[];
}

/** Policy, environment and prompts to sample with. */
export interface Sampled {
  readonly policy: Policy;
  readonly environment: Environment;
  readonly prompts?: Prompts;
}

/**
 * Samples by the main behaviour, then by each of the mix; every one draws from one stream. Prompts are
 * dealt out before, so that each has the same number of answers, whatever the behaviour.
 *
 * @throws InputError if answers to prompts are grouped where nothing is asked.
 */
export async function sampleBatch(
  context: StageContext,
  { policy, environment, prompts: written }: Sampled,
  params: SampleParams,
): Promise<SampledTrajectories> {
  const fraction = (context.step - 1) / Math.max(1, context.steps);
  const mix = params.mix.map((one) => ({ share: one.share, ...courseOf(one) }));
  const behaviours = behavioursAt(courseOf(params), mix, params.batch_size, fraction);
  const random = context.random("trajectories");
  const trajectories: Trajectory[] = [];
  const asked = promptsOf(
    context,
    { policy, environment, ...(written && { prompts: written }) },
    params,
  );
  for (const behaviour of behaviours) {
    const prompts = asked?.splice(0, behaviour.count);
    const options = { ...behaviour, random, ...(prompts && { prompts }) };
    trajectories.push(...sampledHere(context, await policy.sample(environment, options)));
  }
  const total = behaviours.reduce((sum, { epsilon, count }) => sum + epsilon * count, 0);
  const epsilon = total / trajectories.length;
  context.metric("epsilon", epsilon);
  if (writesFreely(environment)) countBroken(context, environment, trajectories);
  const shown = written && shownBy(written);
  return { environment, trajectories, epsilon, ...(shown !== undefined && { shown }) };
}

/** Prompt of each trajectory of a step `[batch_size]`. */
function promptsOf(
  { step }: StageContext,
  { policy, environment, prompts }: Sampled,
  { batch_size: count, group_size: groupSize }: SampleParams,
): Prompt[] | undefined {
  if (prompts) {
    const asked = trainingPrompts(policy, environment, prompts);
    return promptsInTurn(asked, Math.max(1, step), count, groupSize);
  }
  if (groupSize === undefined) return undefined;
  const message = `Cannot sample groups of ${groupSize}: nothing is asked`;
  throw inputError("sample/group", message, undefined, "wire prompts, or leave out group_size");
}

/** How many texts came to an end that is none: they are rewarded as failures. */
function countBroken(
  context: StageContext,
  { thoughts, spec }: Environment,
  trajectories: readonly Trajectory[],
): void {
  const broken = trajectories.map(({ text }) => brokenAs(text));
  const ends: Broken[] = ["cut_off", "dead_end", "empty", "not_canonical"];
  if (thoughts) ends.push("unclosed");
  if ("pattern" in Object(spec)) ends.push("unmatched");
  for (const how of ends) {
    context.metric(how, broken.filter((one) => one === how).length);
  }
}

function courseOf({ exploration, temperature, top_p: topP }: BehaviourParams): BehaviourCourse {
  return { epsilon: exploration ?? 0, temperature, ...(topP < 1 && { topP }) };
}
