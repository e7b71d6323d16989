/** One batch of fresh trajectories: the work of the stage kind `sample`. */
import type { Course } from "../../src/gfn/train/course.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { type BehaviourCourse, behavioursAt } from "../../src/gfn/train/exploration.ts";
import { brokenAs, writesFreely } from "../../src/gfn/environments/free_tokens.ts";
import type { Policy } from "../../src/gfn/policies/policy.ts";
import type { Trajectory } from "../../src/gfn/trajectories/trajectory.ts";
import type { StageContext } from "../../src/pipeline/contract/stage.ts";
import type { SampledTrajectories } from "../ports/values.ts";

/** How the behaviour departs from the policy, as the schema of `sample` gives it. */
interface BehaviourParams {
  readonly exploration?: Course;
  readonly temperature: number | Course;
  readonly top_p: number;
}

/** Parameters of `sample`, as its schema gives them. */
export interface SampleParams extends BehaviourParams {
  readonly batch_size: number;
  readonly mix: readonly (BehaviourParams & { readonly share: number })[];
}

/** Samples by the main behaviour, then by each of the mix; every one draws from one stream. */
export async function sampleBatch(
  context: StageContext,
  policy: Policy,
  environment: Environment,
  params: SampleParams,
): Promise<SampledTrajectories> {
  const fraction = (context.step - 1) / Math.max(1, context.steps);
  const mix = params.mix.map((one) => ({ share: one.share, ...courseOf(one) }));
  const behaviours = behavioursAt(courseOf(params), mix, params.batch_size, fraction);
  const random = context.random("trajectories");
  const trajectories: Trajectory[] = [];
  for (const behaviour of behaviours) {
    trajectories.push(...await policy.sample(environment, { ...behaviour, random }));
  }
  const total = behaviours.reduce((sum, { epsilon, count }) => sum + epsilon * count, 0);
  const epsilon = total / trajectories.length;
  context.metric("epsilon", epsilon);
  if (writesFreely(environment)) countBroken(context, trajectories);
  return { environment, trajectories, epsilon };
}

/** How many texts came to an end that is none: they are rewarded as failures. */
function countBroken(context: StageContext, trajectories: readonly Trajectory[]): void {
  const broken = trajectories.map(({ text }) => brokenAs(text));
  for (const how of ["cut_off", "dead_end", "not_canonical"] as const) {
    context.metric(how, broken.filter((one) => one === how).length);
  }
}

function courseOf({ exploration, temperature, top_p: topP }: BehaviourParams): BehaviourCourse {
  return { epsilon: exploration ?? 0, temperature, ...(topP < 1 && { topP }) };
}
