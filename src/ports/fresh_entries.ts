/** Fresh trajectories with the log rewards of their complete prefixes, checked. */
import { inputError } from "../base/diagnostic.ts";
import { makeBatch } from "../gfn/batch.ts";
import type { ReplayEntry } from "../gfn/replay.ts";
import type { LogRewards, SampledTrajectories } from "./values.ts";

/**
 * One entry per fresh trajectory; log rewards come from a judge or from the environment itself.
 *
 * @throws InputError if neither gives them, or one is NaN or infinite.
 */
export function freshEntries(
  { environment, trajectories }: SampledTrajectories,
  judged: LogRewards | undefined,
): ReplayEntry[] {
  if (!judged && !environment.logReward) throw unrewarded(environment.kind);
  const values = judged?.values ?? ownLogRewards({ environment, trajectories });
  return trajectories.map(({ actions, text }, i) => {
    const logReward = [...values[i]];
    const wrong = logReward.find((one) => !Number.isFinite(one));
    if (wrong !== undefined) throw notFinite(text, wrong);
    return { actions, text, logReward };
  });
}

function ownLogRewards(
  { environment, trajectories }: Pick<SampledTrajectories, "environment" | "trajectories">,
): number[][] {
  const batch = makeBatch(environment, trajectories);
  return trajectories.map((_, b) =>
    Array.from({ length: batch.lengths[b] }, (_, t) => b * batch.T + t)
      .filter((cell) => batch.terminable[cell] === 1)
      .map((cell) => batch.logReward[cell])
  );
}

function unrewarded(kind: string): Error {
  const message = `Cannot learn from trajectories of this ${kind}: nothing gives their log reward`;
  const hint = 'wire log_reward = "judge.log_reward", or use an environment with its own reward';
  return inputError("learn/no-reward", message, undefined, hint);
}

function notFinite(text: string, value: number): Error {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  const message = `Cannot learn: the log reward on the way to ${JSON.stringify(shown)} is ${value}`;
  const hint = "a policy has probability above 0 wherever it may go: give failures a finite floor";
  return inputError("reward/not-finite", message, undefined, hint);
}
