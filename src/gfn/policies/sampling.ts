/** Walking: a network's outputs, the masks of the environment, and one random number per action. */
import { log } from "../../base/math/elementary.ts";
import { type Environment, tooLong } from "../environments/environment.ts";
import type { SampleOptions } from "./policy.ts";
import type { Trajectory } from "../trajectories/trajectory.ts";
import { drawAction } from "./behaviour.ts";
import { maskedLogSoftmax } from "./masked_softmax.ts";
import { type Network, outputWidth } from "./network.ts";

/** A trajectory that is being sampled. */
interface Walk {
  readonly slot: number;
  readonly actions: number[];
  state: unknown;
  logPf: number;
  logPb: number;
  /** The backward action that undoes the last step, once there was one. */
  undoing: number;
  done: boolean;
}

/** Trajectories of the behaviour that `options` describe. */
export async function sampleWalks(
  network: Network,
  environment: Environment,
  options: SampleOptions,
): Promise<Trajectory[]> {
  const walks = Array.from({ length: options.count }, (_, slot) => start(environment, slot));
  const session = network.begin(environment, options.count);
  try {
    for (let t = 0; t < environment.maxActions; t++) {
      const open = walks.filter((walk) => !walk.done);
      if (open.length === 0) break;
      const { values, rows } = await session.next(open);
      const width = outputWidth(network.outputSizes);
      open.forEach((walk, i) => {
        const outputs = values.subarray(rows[i] * width, (rows[i] + 1) * width);
        if (walk.undoing >= 0) addLogPb(network, environment, walk, outputs);
        advance(environment, walk, outputs, options);
      });
    }
  } finally {
    session.end();
  }
  return walks.map((walk) => finish(environment, walk));
}

function start(environment: Environment, slot: number): Walk {
  const state = environment.initialState();
  return { slot, state, actions: [], logPf: 0, logPb: 0, undoing: -1, done: false };
}

/** log P_B of the last step, by the state that it led to: learned, or uniform over parents. */
function addLogPb(
  { outputSizes }: Network,
  environment: Environment,
  walk: Walk,
  outputs: Float32Array | Float64Array,
): void {
  const mask = environment.backward!.legalActions(walk.state);
  if (outputSizes.backward > 0) {
    const logits = outputs.subarray(outputSizes.actions + 1);
    walk.logPb += maskedLogSoftmax(logits, mask)[walk.undoing];
  } else walk.logPb -= log(mask.reduce((sum, legal) => sum + legal, 0));
}

/** Takes one action in the environment, drawn from the behaviour and scored by the policy. */
function advance(
  environment: Environment,
  walk: Walk,
  logits: ArrayLike<number>,
  options: SampleOptions,
): void {
  const mask = environment.legalActions(walk.state);
  const logP = maskedLogSoftmax(logits, mask);
  const action = drawAction(logP, mask, options, options.random);
  walk.logPf += logP[action];
  walk.actions.push(action);
  walk.done = action === environment.exitAction;
  if (walk.done) return;
  walk.undoing = environment.backward?.undoing(walk.state, action) ?? -1;
  walk.state = environment.step(walk.state, action);
}

function finish(environment: Environment, walk: Walk): Trajectory {
  if (!walk.done) throw tooLong(environment, "a trajectory");
  const { text, logPrior } = environment.terminal(walk.state);
  const { actions, logPf, logPb } = walk;
  return { actions, logPf, logPb, logPrior, text };
}
