/** Free texts that a model on a server writes whole: trajectories without a call for each token. */
import { inputError } from "../../../base/diagnostic.ts";
import { type Environment, noPrompt, type Prompt } from "../../environments/environment.ts";
import { tokensKind } from "../../environments/tokens.ts";
import type { FreeTokenSpec } from "../../environments/free_tokens.ts";
import type { TrainableModel } from "../../../models/training/mod.ts";
import type { Trajectory } from "../../trajectories/trajectory.ts";
import type { SampleOptions } from "../policy.ts";

/** Whether any token may follow any other, so that whole texts may be asked for. */
export function isWritten({ kind, spec }: Environment): boolean {
  return kind === tokensKind && (spec as Partial<FreeTokenSpec>).mask === "none";
}

/**
 * Trajectories of the behaviour, with the log probabilities that the server gave to its tokens at
 * temperature 1.
 *
 * @throws InputError where the behaviour is not the server's: a share of uniform choice, beginnings
 * that are given, thought, or stop strings.
 */
export async function writeTexts(
  model: TrainableModel,
  environment: Environment,
  options: SampleOptions & { readonly version: number },
  rootOf: (prompt: Prompt) => readonly number[],
): Promise<Trajectory[]> {
  requireServed(environment, options);
  const { count, random, temperature, topP = 1, version } = options;
  const { maxActions, exitAction: end } = environment;
  const prompts = options.prompts ?? new Array<Prompt>(count).fill(noPrompt);
  const call = random.uint32();
  const texts = prompts.map((prompt, i) => ({
    prompt: rootOf(prompt),
    most: maxActions - 1,
    end,
    seed: `${call} ${i}`,
  }));
  const written = await model.write!(texts, { temperature, topP });
  return written.map((one, i) => ({
    ...writtenTrajectory(environment, one, prompts[i]),
    version,
  }));
}

/**
 * The trajectory of a text that a server wrote: its log P_F is the sum of the server's log
 * probabilities of its tokens.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../../environments/built_in_environments.ts";
 * import { noPrompt } from "../../environments/environment.ts";
 * import { writtenTrajectory } from "./written_texts.ts";
 * const environment = environmentNamed("numbers", { max: 9, base: 10 });
 * const [{ actions, text }] = environment.enumerate();
 * const written = { ids: actions, logProbs: actions.map(() => -1) };
 * const one = writtenTrajectory(environment, written, noPrompt);
 * assert.equal(one.text, text);
 * assert.equal(one.logPf, -actions.length);
 * ```
 */
export function writtenTrajectory(
  environment: Environment,
  { ids, logProbs }: { readonly ids: readonly number[]; readonly logProbs: readonly number[] },
  prompt: Prompt,
): Trajectory {
  const { exitAction: end } = environment;
  // Where a text has its most tokens the end alone may follow: the environment writes it.
  const actions = ids.at(-1) === end ? ids : [...ids, end];
  const logPf = logProbs.reduce((sum, one) => sum + one, 0);
  const asked = prompt === noPrompt ? {} : { prompt };
  const state = actions.slice(0, -1).reduce(
    (at, id) => environment.step(at, id),
    environment.initialState(),
  );
  const { text, logPrior } = environment.terminal(state);
  return { actions, logPf, logPb: 0, logPrior, text, ...asked };
}

function requireServed(environment: Environment, { epsilon, given }: SampleOptions): void {
  const { stop } = environment.spec as FreeTokenSpec;
  const problem = epsilon > 0
    ? "exploration wants every token's probability"
    : given?.some(({ length }) => length > 0)
    ? "texts may not begin with tokens that are given"
    : environment.thoughts
    ? "thought has a form, which it does not keep"
    : stop
    ? "it knows nothing of stop"
    : undefined;
  if (problem === undefined) return;
  const message = `Cannot have a server write texts: ${problem}`;
  const hint = "leave it out; temperature and top_p are the server's own";
  throw inputError("policy/served", message, undefined, hint);
}
