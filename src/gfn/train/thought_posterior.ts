/** log P_B of thoughts: the policy's own posterior, so that balance is that of the marginal. */
import type { RandomStream } from "../../base/random.ts";
import { log, logSumExp } from "../../numerics/math/mod.ts";
import type { Actions } from "../environments/environment.ts";
import { drawThoughts } from "../evaluation/thoughtful_mass.ts";
import type { Policy } from "../policies/policy.ts";
import { makeBatch } from "../trajectories/batch.ts";
import type { Batch, Walked } from "../trajectories/trajectory.ts";

/**
 * The batch with log P_B of each thought t before its object x the policy's posterior,
 * P(t, x) / P(x): then log P_F − log P_B is log P(x), the residual of trajectory balance that of the
 * marginal, and log Z that of objects. P(x) is the mean of P(x | thought) over the trajectory's own
 * thought and `proposals` that the policy writes under the same prompt. With its own thought among
 * them, which was drawn with x, the logarithm is biased upwards, less so the more there are
 * (Yin & Zhou 2018, theorem 1); with no proposals every thought has to lead to the whole target.
 *
 * By any posterior, a policy without residuals has the target as its marginal.
 *
 * @param walks Trajectories of the batch.
 */
export async function withThoughtPosterior(
  policy: Policy,
  batch: Batch,
  walks: readonly Walked[],
  { proposals, random }: { readonly proposals: number; readonly random: RandomStream },
): Promise<Batch> {
  const { environment, T } = batch;
  const thoughts = environment.thoughts;
  if (!thoughts) return batch;
  const drawn = new Map<string, readonly (Actions | undefined)[]>();
  for (const prompt of new Map(batch.prompts.map((one) => [one.id, one])).values()) {
    const asked = prompt.id === "" ? {} : { prompt };
    const options = { count: proposals, random, ...asked };
    const found = proposals > 0 ? await drawThoughts(policy, environment, options) : [];
    drawn.set(prompt.id, found);
  }
  const pairs = walks.flatMap((walk, b) => {
    return pairsOf(walk, b, thoughts.length(walk.actions), drawn.get(batch.prompts[b].id)!);
  });
  const crossed = makeBatch(environment, pairs.map(({ walk }) => walk));
  const { logPf } = await policy.score(crossed, { grad: false });
  const behind = walks.map((): number[] => []);
  pairs.forEach(({ b, from }, i) => behind[b].push(sumOf(logPf, crossed, i, from)));
  const logPb = batch.logPb.slice();
  let own = 0;
  walks.forEach(({ actions }, b) => {
    const from = thoughts.length(actions);
    const joint = sumOf(logPf, crossed, own, 0);
    own += behind[b].length;
    logPb.fill(0, b * T, b * T + from);
    if (from === 0) return;
    // Thoughts that never closed have no mass on the object, and count.
    const logMass = logSumExp(behind[b]) - log(proposals + 1);
    logPb[b * T + from - 1] = joint - logMass;
  });
  return { ...batch, logPb };
}

/** One score of an object's mass: a trajectory, the index of its object, and where the object begins. */
interface Pair {
  readonly walk: Walked;
  readonly b: number;
  readonly from: number;
}

/** The trajectory itself, then its object behind other thoughts. */
function pairsOf(
  { actions, prompt }: Walked,
  b: number,
  from: number,
  others: readonly (Actions | undefined)[],
): Pair[] {
  const asked = prompt ? { prompt } : {};
  const itself = { walk: { actions, ...asked }, b, from };
  if (from === 0) return [itself];
  const object = actions.slice(from);
  const crossed = others.filter((one) => one !== undefined).map((thought) => {
    return { walk: { actions: [...thought, ...object], ...asked }, b, from: thought.length };
  });
  return [itself, ...crossed];
}

/** Σ log P_F of a trajectory from action `from` on. */
function sumOf(values: Float64Array, { T, lengths }: Batch, row: number, from: number): number {
  return values.subarray(row * T + from, row * T + lengths[row])
    .reduce((sum, value) => sum + value, 0);
}
