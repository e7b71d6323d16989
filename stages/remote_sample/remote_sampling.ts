/** One batch of trajectories that an oracle writes: the work of the stage kind `remote_sample`. */
import { inputError } from "../../src/base/diagnostic.ts";
import {
  type Environment,
  type FreeTokenSpec,
  noPrompt,
  type Prompt,
  tokensKind,
  type Trajectory,
} from "../../src/gfn/environments/mod.ts";
import type { Policy } from "../../src/gfn/policies/mod.ts";
import { promptsInTurn } from "../../src/gfn/train/mod.ts";
import type { OracleAnswer, OracleRecord } from "../../src/oracle/oracle.ts";
import type { DrawByOracle } from "../../src/oracle/service.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { shownBy, trainingPrompts } from "../common/asked_prompts.ts";
import type { Prompts, SampledTrajectories } from "../ports/values.ts";

/** Parameters of the stage, as its schema gives them. */
export interface RemoteParams {
  readonly batch_size: number;
  readonly group_size?: number | undefined;
  readonly temperature: number;
}

interface Remote {
  readonly policy: Policy;
  readonly environment: Environment;
  readonly oracle: OracleRecord;
  readonly prompts?: Prompts;
}

/**
 * Trajectories whose `logPf` is what the server says of its tokens, at temperature 1: the learner scores
 * them itself, and its metric `log_pf_gap` is the difference.
 *
 * @throws InputError if the environment is not one of free texts in the oracle's tokens.
 */
export async function sampleRemotely(
  context: StageContext,
  { policy, environment, oracle, prompts: written }: Remote,
  { batch_size: count, group_size: groupSize, temperature }: RemoteParams,
): Promise<SampledTrajectories> {
  const { most, end } = freeTexts(environment, oracle);
  const step = Math.max(1, context.step);
  const asked = written &&
    promptsInTurn(trainingPrompts(policy, environment, written), step, count, groupSize);
  const prompts = asked ?? new Array<Prompt>(count).fill(noPrompt);
  const seed = context.random("remote").uint32();
  const answers = await context.ask<readonly OracleAnswer[]>(
    "oracle",
    {
      op: "draw",
      oracle,
      prompts: prompts.map((prompt) => beginning(prompt, oracle)),
      temperature,
      most_tokens: most - 1,
      draws: prompts.map((_, i) => `remote ${seed} ${i}`),
    } satisfies DrawByOracle,
  );
  const trajectories = answers.map(({ ids, log_probs }, i): Trajectory => {
    // The end alone may follow where a text has its most tokens: the environment writes it.
    const actions = ids.at(-1) === end ? ids : [...ids, end];
    const asked = prompts[i] === noPrompt ? {} : { prompt: prompts[i] };
    const { text, logPrior } = environment.terminal(endOf(environment, actions));
    const logPf = log_probs.reduce((sum, one) => sum + one, 0);
    return { actions, logPf, logPb: 0, logPrior, text, ...asked };
  });
  context.metric("epsilon", 0);
  const shown = written && shownBy(written);
  return { environment, trajectories, epsilon: 0, ...(shown !== undefined && { shown }) };
}

/** The state in which a text ends. */
function endOf(environment: Environment, actions: readonly number[]): unknown {
  return actions.slice(0, -1)
    .reduce((state, id) => environment.step(state, id), environment.initialState());
}

/** Ids before the first action, as a policy of the same model reads them. */
function beginning({ tokens, begins = false }: Prompt, { begin }: OracleRecord): number[] {
  const isBegun = begins || begin === null || tokens[0] === begin.id;
  return isBegun ? [...tokens] : [begin.id, ...tokens];
}

/** @throws InputError unless any token may follow any other, as on the server. */
function freeTexts({ kind, spec }: Environment, oracle: OracleRecord): FreeTokenSpec {
  const own = spec as FreeTokenSpec & { readonly thinking?: unknown };
  const problem = kind !== tokensKind || own.mask !== "none"
    ? 'the server knows no mask, and the environment is not one of mask = "none"'
    : own.thinking
    ? "the server knows nothing of thinking"
    : own.stop
    ? "the server knows nothing of stop"
    : own.sha256 !== (oracle.tokenizer_sha256 ?? oracle.model_sha256)
    ? `texts are in the tokens of "${own.model}", which the oracle does not read`
    : undefined;
  if (problem === undefined) return own;
  const message = `Cannot sample from oracle "${oracle.model}": ${problem}`;
  const hint = 'write kind = "tokens" with mask = "none" and the model of the oracle\'s tokens';
  throw inputError("remote/environment", message, undefined, hint);
}
