/** Trajectories that a policy did not draw: their ends, other paths to these, and log P by the policy. */
import type { RandomStream } from "../../base/random.ts";
import type { Environment, Prompt } from "../environments/environment.ts";
import { makeBatch } from "../trajectories/batch.ts";
import type { Trajectory, Walked } from "../trajectories/trajectory.ts";
import type { Policy } from "./policy.ts";

/** Actions to an exit. */
type Way = readonly number[];

/** The state in which a trajectory exits. */
export function endOfWay(environment: Environment, way: Way, prompt?: Prompt): unknown {
  return way.slice(0, -1).reduce<unknown>(
    (state, action) => environment.step(state, action),
    environment.initialState(prompt),
  );
}

/**
 * Trajectories of these actions, in their order. log P_F is the policy's own, log P_B that of the
 * environment (uniform over the parents of each state), so an off-policy objective learns from them
 * as from any other.
 *
 * @throws internal, if an action is illegal.
 */
export async function offPolicyTrajectories(
  policy: Pick<Policy, "score">,
  environment: Environment,
  ways: readonly Way[],
): Promise<Trajectory[]> {
  return await givenTrajectories(policy, environment, ways.map((actions) => ({ actions })));
}

/**
 * The same of trajectories that may answer prompts.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { createPolicy } from "./create_policy.ts";
 * import { givenTrajectories } from "./given_ways.ts";
 * const environment = environmentNamed("numbers", { max: 9, base: 10 });
 * const policy = await createPolicy({ kind: "table" }, environment, "seed");
 * const walks = [...environment.enumerate()].slice(0, 2);
 * const [first] = await givenTrajectories(policy, environment, walks);
 * assert.equal(first.text, walks[0].text);
 * assert(first.logPf < 0);
 * ```
 */
export async function givenTrajectories(
  policy: Pick<Policy, "score">,
  environment: Environment,
  walks: readonly Pick<Walked, "actions" | "prompt">[],
): Promise<Trajectory[]> {
  if (walks.length === 0) return [];
  const batch = makeBatch(environment, walks);
  const { logPf } = await policy.score(batch, { grad: false });
  const sum = (values: Float64Array, b: number) =>
    values.subarray(b * batch.T, b * batch.T + batch.lengths[b]).reduce((a, one) => a + one, 0);
  return walks.map(({ actions, prompt }, b) => {
    const { text, logPrior } = environment.terminal(endOfWay(environment, actions, prompt));
    const asked = prompt && { prompt };
    return { actions, text, logPrior, logPf: sum(logPf, b), logPb: sum(batch.logPb, b), ...asked };
  });
}

/** Another path to the end of a trajectory, drawn backwards and uniformly; on trees the same. */
export function anotherWay(environment: Environment, way: Way, random: RandomStream): Way {
  const { backward, exitAction } = environment;
  if (!backward) return way;
  const actions: number[] = [exitAction];
  let state = endOfWay(environment, way);
  for (;;) {
    const mask = backward.legalActions(state);
    const legal = [...mask.keys()].filter((back) => mask[back] === 1);
    if (legal.length === 0) return actions.reverse();
    const { state: before, action } = backward.previous(state, legal[random.below(legal.length)]);
    actions.push(action);
    state = before;
  }
}
