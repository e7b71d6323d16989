/** Proposers of one's own: the default export of a module that a pipeline names by path. */
import { inputError } from "../../../base/diagnostic.ts";
import type { RandomStream } from "../../../base/random.ts";
import type { Environment } from "../../environments/environment.ts";
import type { Known } from "./best_known.ts";

/** Knowledge of a proposer at a step. */
export interface ProposerStep {
  /** Environment whose objects are searched. */
  readonly environment: Environment;
  /** Number of trajectories wanted; surplus ones are dropped. */
  readonly count: number;
  /** The best objects of earlier steps, best first, each with a trajectory to it; empty at first. */
  readonly known: readonly Known[];
  /** log P_F and log P_B of trajectories by the policy that learns, which show where it is far from rewards. */
  readonly logProbabilities: (
    ways: readonly (readonly number[])[],
  ) => Promise<readonly { readonly logPf: number; readonly logPb: number }[]>;
  /** Fraction of the loop that is over, from 0 to 1. */
  readonly fraction: number;
  /** Source of all randomness, so that a repeated run has the same bits. */
  readonly random: RandomStream;
  /** Parameters in the pipeline. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Definition of a proposer of one's own. It keeps no state between steps but `known`. */
export interface ProposerDefinition {
  /** Name in messages. */
  readonly name: string;
  /** Version, raised whenever the same step gives other trajectories. */
  readonly version: number;
  /**
   * Actions of trajectories that begin at the initial state, exit included. Sluice adds the
   * log probabilities, so that an off-policy objective learns from them.
   */
  propose(
    step: ProposerStep,
  ): readonly (readonly number[])[] | Promise<readonly (readonly number[])[]>;
}

/**
 * Declares a proposer of one's own: a stage of kind `propose` says `own = { path = "./mine.ts" }`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../../base/random.ts";
 * import { hypergridEnvironment } from "../../environments/hypergrid.ts";
 * import { defineProposer, isWay } from "./define_proposer.ts";
 * const again = defineProposer({
 *   name: "again",
 *   version: 1,
 *   propose: ({ known, count }) => known.slice(0, count).map(({ actions }) => actions),
 * });
 * const environment = hypergridEnvironment({ ndim: 2, height: 4, r0: 0.1, r1: 0.5, r2: 2 });
 * const known = [{ text: "corner", actions: [environment.exitAction], logReward: 0 }];
 * const random = new RandomStream("example");
 * const logProbabilities = () => Promise.resolve([]);
 * const told = { environment, known, logProbabilities, random, parameters: {} };
 * const step = { ...told, count: 4, fraction: 0 };
 * const ways = await again.propose(step);
 * assert.equal(ways.length, 1);
 * assert(isWay(environment, ways[0]));
 * ```
 */
export function defineProposer(definition: ProposerDefinition): ProposerDefinition {
  return definition;
}

/**
 * True for the default export of a module made with {@linkcode defineProposer}.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { isProposerDefinition } from "./define_proposer.ts";
 * assert(!isProposerDefinition({ name: "no function", version: 1 }));
 * ```
 */
export function isProposerDefinition(value: unknown): value is ProposerDefinition {
  if (typeof value !== "object" || value === null) return false;
  const { name, version, propose } = value as Partial<ProposerDefinition>;
  return typeof name === "string" && typeof version === "number" && typeof propose === "function";
}

/**
 * Whether every action of a trajectory is legal where it is taken, and the last one is the exit.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../../environments/built_in_environments.ts";
 * import { isWay } from "./define_proposer.ts";
 * const environment = environmentNamed("numbers", { max: 9, base: 10 });
 * const [{ actions }] = environment.enumerate();
 * assert(isWay(environment, actions));
 * assert(!isWay(environment, actions.slice(0, -1))); // without the exit
 * ```
 */
export function isWay(environment: Environment, way: readonly number[]): boolean {
  return wrongAt(environment, way) === undefined;
}

/**
 * Trajectories of a proposer at a step.
 *
 * @throws InputError `plugin/proposer` if one of them is none.
 */
export async function ownWays(
  definition: ProposerDefinition,
  step: ProposerStep,
): Promise<readonly (readonly number[])[]> {
  const ways = (await definition.propose(step)).slice(0, step.count);
  for (const [i, way] of ways.entries()) {
    const wrong = wrongAt(step.environment, way);
    if (wrong === undefined) continue;
    const message = `Cannot use way ${i + 1} of the proposer "${definition.name}": ${wrong}`;
    const hint = "leave out what isWay(environment, way) refuses";
    throw inputError("plugin/proposer", message, undefined, hint);
  }
  return ways;
}

/** Fault of a trajectory; undefined if there is none. */
function wrongAt(environment: Environment, way: readonly number[]): string | undefined {
  const { exitAction, actionNames } = environment;
  if (way.at(-1) !== exitAction) return `it does not end with the exit (action ${exitAction})`;
  let state = environment.initialState();
  for (const [i, action] of way.entries()) {
    if (environment.legalActions(state)[action] !== 1) {
      return `action ${action} (${actionNames[action] ?? "there is none"}) is not legal at place ${
        i + 1
      }`;
    }
    if (action === exitAction && i < way.length - 1) {
      return `it goes on behind the exit at ${i + 1}`;
    }
    if (i < way.length - 1) state = environment.step(state, action);
  }
  return undefined;
}
