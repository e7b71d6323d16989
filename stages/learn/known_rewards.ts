/** Rewards that were known before training: entries of a replay buffer, and what they cost. */
import { inputError } from "../../src/base/diagnostic.ts";
import {
  entryOf,
  type Environment,
  legalIn,
  placeIn,
  type Prompt,
  type ReplayEntry,
  terminablePrefixes,
} from "../../src/gfn/environments/mod.ts";
import type { Reads } from "../../src/gfn/objectives/mod.ts";
import type { ScoredSet } from "../ports/values.ts";
import { notFinite } from "./fresh_entries.ts";

/**
 * One entry for each trajectory that an objective can learn from. Rewards of complete objects on a
 * trajectory are its intermediate rewards; where one of these is missing, an objective that reads
 * it leaves the trajectory out, and for others it has the value of `freshEntries`.
 *
 * @throws InputError if nothing is known, a trajectory is none of the environment, a reward is 0,
 * or the objective reads rewards that are missing on all trajectories.
 */
export function knownEntries(
  environment: Environment,
  { rows, answers = [] }: ScoredSet,
  learner: { readonly name: string; readonly reads: Reads | undefined },
): ReplayEntry[] {
  const all: readonly KnownRows[] = [{ rows }, ...answers];
  if (all.every((one) => one.rows.length === 0)) throw nothingKnown();
  const entries = all.flatMap((one) => entriesOf(environment, one, learner.reads));
  if (entries.length === 0) throw onlyEnds(learner.name);
  return entries;
}

/** Rewards known under one prompt, or without a prompt. */
interface KnownRows extends Pick<ScoredSet, "rows"> {
  readonly prompt?: Prompt;
}

function entriesOf(
  environment: Environment,
  { rows, prompt }: KnownRows,
  reads: Reads | undefined,
): ReplayEntry[] {
  const known = new Map(rows.map(([actions, logReward]) => [wayOf(actions), logReward]));
  const unseen = reads === undefined ? NaN : 0;
  return rows.flatMap(([actions]) => {
    requireWay(environment, actions, prompt);
    const prefixes = terminablePrefixes(environment, actions, prompt);
    const values = prefixes.map(({ t }) =>
      known.get(wayOf([...actions.slice(0, t), environment.exitAction]))
    );
    const { text } = prefixes[prefixes.length - 1].object;
    const wrong = values.find((one) => one !== undefined && !Number.isFinite(one));
    if (wrong !== undefined) throw notFinite(text, wrong);
    if (reads === "prefixes" && values.includes(undefined)) return [];
    const walked = { actions, text, ...(prompt && { prompt }) };
    return [entryOf(walked, values.map((one) => one ?? unseen))];
  });
}

/**
 * @param asked What fresh trajectories answer; undefined where nothing is asked.
 * @throws InputError if known rewards are of answers to nothing or to something else, so that none of
 * them would ever be drawn.
 */
export function requireSameQuestions(
  { rows, answers = [] }: ScoredSet,
  asked: readonly (Prompt | undefined)[],
): void {
  const prompts = new Map(asked.flatMap((one) => one ? [[one.id, one]] : []));
  const isAsked = prompts.size > 0;
  const unasked = isAsked ? rows.length > 0 : answers.length > 0;
  if (unasked) throw otherQuestions(isAsked);
  const other = answers.find(({ prompt: { id, tokens } }) => {
    const own = prompts.get(id);
    return own && own.tokens.join(" ") !== tokens.join(" ");
  });
  if (other) throw otherPrompt(other.prompt.id);
}

/** Name of a trajectory, equal for equal ones. */
export function wayOf(actions: readonly number[]): string {
  return actions.join(" ");
}

/** @throws InputError if an action is not legal, or the exit is not the last one. */
function requireWay(
  environment: Environment,
  actions: readonly number[],
  prompt: Prompt | undefined,
): void {
  let state = environment.initialState(prompt);
  actions.forEach((action, t) => {
    const isLast = t === actions.length - 1;
    const isLegal = placeIn(legalIn(environment, state), action) >= 0;
    if (!isLegal || (action === environment.exitAction) !== isLast) throw ofAnother(t);
    if (!isLast) state = environment.step(state, action);
  });
}

function nothingKnown(): Error {
  const message = "Cannot begin with known rewards: there are none";
  const hint = "wire a target into the sft stage, or leave known out of the inputs of learn";
  return inputError("learn/known", message, undefined, hint);
}

function otherQuestions(isAsked: boolean): Error {
  const why = isAsked
    ? "they are of answers to no prompt, and the policy is asked"
    : "they are of answers to prompts, and the policy is asked nothing";
  const hint = "wire the same prompts into sft and sample, or leave known out of the inputs";
  return inputError("learn/known", `Cannot begin with known rewards: ${why}`, undefined, hint);
}

function otherPrompt(id: string): Error {
  const message = `Cannot begin with known rewards: prompt "${id}" is another text to this policy`;
  const hint = "wire the same prompts and a policy of the same model into sft and sample";
  return inputError("learn/known", message, undefined, hint);
}

function ofAnother(place: number): Error {
  const message = "Cannot begin with known rewards: they are of another environment " +
    `(action ${place + 1} of a way is not legal here)`;
  const hint = "wire what was scored in the environment of the trajectories";
  return inputError("learn/known", message, undefined, hint);
}

function onlyEnds(objective: string): Error {
  const message =
    `Cannot begin with known rewards: ${objective} reads those of complete prefixes, ` +
    "and ends alone were scored";
  const hint = 'set states = "terminable" of the sft stage';
  return inputError("learn/known", message, undefined, hint);
}
