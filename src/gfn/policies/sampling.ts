/** Samples trajectories: log P of a policy, legal actions of the environment, one random number per action. */
import { inputError } from "../../base/diagnostic.ts";
import { log } from "../../numerics/math/mod.ts";
import { type Environment, noPrompt, type Prompt, tooLong } from "../environments/environment.ts";
import { actionAt, legalCount, legalIn, placeIn } from "../environments/legal_actions.ts";
import type { Trajectory } from "../trajectories/trajectory.ts";
import { drawPlace } from "./behaviour.ts";
import type { OpenWalk } from "./network.ts";
import type { SampleOptions } from "./policy.ts";
import type { ScoringSession } from "./scorer.ts";

/** A trajectory that is being sampled. */
interface Walk extends OpenWalk {
  readonly actions: number[];
  /** Actions that it begins with, not drawn from the policy. */
  readonly given: readonly number[];
  state: unknown;
  legal: OpenWalk["legal"];
  logPf: number;
  logPb: number;
  /** The backward action that undoes the last step, once there was one. */
  undoing: number;
  done: boolean;
}

/** Options of sampling, with the version of the policy. */
interface Sampling extends SampleOptions {
  readonly version: number;
}

/** Trajectories of the behaviour that `options` describe. */
export async function sampleWalks(
  session: ScoringSession,
  environment: Environment,
  options: Sampling,
): Promise<Trajectory[]> {
  checkCounts(options);
  const walks = Array.from({ length: options.count }, (_, slot) => {
    return start(environment, slot, options.prompts?.[slot] ?? noPrompt, options.given?.[slot]);
  });
  if (session.inRounds) {
    await walkInRounds(session, environment, walks, options);
    return walks.map((walk) => finish(environment, walk, options));
  }
  if (skipsCalls(session, environment)) await takeGiven(session, environment, walks);
  for (let t = 0; t < environment.maxActions; t++) {
    const open = walks.filter((walk) => !walk.done && walk.actions.length === t);
    if (walks.every((walk) => walk.done)) break;
    const asked = open.filter((walk) => isAsked(session, environment, walk));
    const scores = asked.length === 0 ? undefined : await session.next(asked);
    let i = 0;
    for (const walk of open) {
      if (walk !== asked[i]) {
        advance(environment, walk, certain, options);
        continue;
      }
      const logBackward = scores!.logBackward;
      if (walk.undoing >= 0) addLogPb(environment, walk, logBackward?.(i));
      advance(environment, walk, scores!.logForward(i++), options);
    }
  }
  return walks.map((walk) => finish(environment, walk, options));
}

/** Advances every trajectory to its next choice, with one call of the policy for all. */
async function walkInRounds(
  session: ScoringSession,
  environment: Environment,
  walks: readonly Walk[],
  options: SampleOptions,
): Promise<void> {
  for (;;) {
    for (const walk of walks) takeForced(environment, walk);
    const open = walks.filter(({ done }) => !done);
    if (open.length === 0) return;
    const scores = await session.next(open);
    open.forEach((walk, i) => advance(environment, walk, scores.logForward(i), options));
  }
}

/** Advances for as long as one action alone is legal. */
function takeForced(environment: Environment, walk: Walk): void {
  while (!walk.done && legalCount(walk.legal, environment.actionNames.length) === 1) {
    const given = walk.given.at(walk.actions.length);
    if (given !== undefined) requireLegal(walk, given);
    take(environment, walk, actionAt(walk.legal, 0));
    if (walk.actions.length > environment.maxActions) throw tooLong(environment, "a trajectory");
  }
  if (!walk.done && walk.actions.length >= environment.maxActions) {
    throw tooLong(environment, "a trajectory");
  }
}

/** log P where there is no choice. */
const certain = Float64Array.of(0);

/** Whether a trajectory may go on by several actions before the policy is asked again. */
function skipsCalls({ stepwise, learnsBackward }: ScoringSession, { backward }: Environment) {
  return !stepwise && !learnsBackward && backward === undefined;
}

/** A policy is not asked where one action alone is legal: a run of such is taken without a call. */
function isAsked(session: ScoringSession, environment: Environment, { legal }: Walk): boolean {
  return !skipsCalls(session, environment) || legalCount(legal, environment.actionNames.length) > 1;
}

function checkCounts({ count, prompts = [], given = [] }: SampleOptions): void {
  const wrong = [["prompts", prompts.length] as const, ["given", given.length] as const]
    .find(([, length]) => length !== 0 && length !== count);
  if (!wrong) return;
  const message = `Cannot sample ${count} trajectories with ${wrong[1]} ${wrong[0]}`;
  throw inputError("policy/sample", message, undefined, "give one for each trajectory, or none");
}

function start(
  environment: Environment,
  slot: number,
  prompt: Prompt,
  given: readonly number[] = [],
): Walk {
  const state = prompt === noPrompt ? environment.initialState() : environment.initialState(prompt);
  const legal = legalIn(environment, state);
  const sums = { logPf: 0, logPb: 0, undoing: -1, done: false };
  return { slot, prompt, state, legal, actions: [], given, ...sums };
}

/** Takes the given first actions of trajectories, with one call of the policy for all. */
async function takeGiven(
  session: ScoringSession,
  environment: Environment,
  walks: readonly Walk[],
): Promise<void> {
  const passed: OpenWalk[] = [];
  const takes: (readonly [Walk, number])[] = [];
  for (const walk of walks) {
    for (const action of walk.given) {
      const { slot, prompt, state, legal } = walk;
      passed.push({ slot, prompt, state, legal, actions: [...walk.actions] });
      takes.push([walk, requireLegal(walk, action)]);
      take(environment, walk, action);
    }
  }
  if (passed.length === 0) return;
  const scores = await session.next(passed);
  takes.forEach(([walk, place], i) => walk.logPf += scores.logForward(i)[place]);
}

/** log P_B of the last step, by the state that it led to: learned, or uniform over parents. */
function addLogPb(environment: Environment, walk: Walk, learned: Float64Array | undefined): void {
  const mask = environment.backward!.legalActions(walk.state);
  if (learned) walk.logPb += learned[placeOfUndoing(mask, walk.undoing)];
  else walk.logPb -= log(mask.reduce((sum, legal) => sum + legal, 0));
}

/** Where a legal backward action stands among the legal ones. */
function placeOfUndoing(mask: Uint8Array, undoing: number): number {
  return mask.subarray(0, undoing).reduce((sum, legal) => sum + legal, 0);
}

/** Takes one action in the environment, given or drawn from the behaviour, scored by the policy. */
function advance(
  environment: Environment,
  walk: Walk,
  logP: Float64Array,
  options: SampleOptions,
): void {
  const given = walk.given.at(walk.actions.length);
  const place = given === undefined
    ? drawPlace(logP, options, options.random)
    : requireLegal(walk, given);
  walk.logPf += logP[place];
  take(environment, walk, actionAt(walk.legal, place));
}

function take(environment: Environment, walk: Walk, action: number): void {
  walk.actions.push(action);
  walk.done = action === environment.exitAction;
  if (walk.done) return;
  walk.undoing = environment.backward?.undoing(walk.state, action) ?? -1;
  walk.state = environment.step(walk.state, action);
  walk.legal = legalIn(environment, walk.state);
}

/** The place of a given action. @throws InputError if it is illegal. */
function requireLegal({ done, legal, actions }: Walk, action: number): number {
  const place = done ? -1 : placeIn(legal, action);
  if (place >= 0) return place;
  const message = `Cannot begin with action ${action} after ${actions.length} others: ` +
    "it is not legal there";
  throw inputError("policy/sample", message, undefined, "give actions that the environment allows");
}

function finish(environment: Environment, walk: Walk, options: Sampling): Trajectory {
  if (!walk.done) throw tooLong(environment, "a trajectory");
  const { text, logPrior } = environment.terminal(walk.state);
  const { actions, logPf, logPb, prompt } = walk;
  const { version } = options;
  const asked = prompt === noPrompt ? {} : { prompt };
  return { actions, logPf, logPb, logPrior, text, version, ...asked };
}
