/** One batch of trajectories that an oracle writes: the work of the stage kind `remote_sample`. */
import { inputError } from "../../src/base/diagnostic.ts";
import {
  type Environment,
  type FreeTokenSpec,
  noPrompt,
  type Prompt,
  tokensKind,
  type TokenSpec,
  type Trajectory,
} from "../../src/gfn/environments/mod.ts";
import {
  type Policy,
  rootTokens,
  sampleEdges,
  type SampleOptions,
  writtenTrajectory,
} from "../../src/gfn/policies/mod.ts";
import { LanguageModelPolicy } from "../../src/gfn/policies/built_in/mod.ts";
import { promptsInTurn } from "../../src/gfn/train/mod.ts";
import type { OracleAnswer, OracleRecord } from "../../src/oracle/oracle.ts";
import type { AdaptOracle, DrawByOracle, EdgesByOracle } from "../../src/oracle/service.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { shownBy, trainingPrompts } from "../common/asked_prompts.ts";
import type { Prompts, SampledTrajectories } from "../ports/values.ts";

/** Parameters of the stage, as its schema gives them. */
export interface RemoteParams {
  readonly batch_size: number;
  readonly group_size?: number | undefined;
  readonly weights: "served" | "policy";
  readonly temperature: number;
}

interface Remote {
  readonly policy: Policy;
  readonly environment: Environment;
  readonly oracle: OracleRecord;
  readonly prompts?: Prompts;
}

/**
 * Trajectories whose `logPf` is the server's log probability of its tokens, at temperature 1: the
 * learner scores them itself, and its metric `log_pf_gap` is the difference.
 *
 * @throws InputError if the environment is not one of texts in the oracle's tokens, free or of a trie.
 */
export async function sampleRemotely(
  context: StageContext,
  { policy, environment, oracle, prompts: written }: Remote,
  { batch_size: count, group_size: groupSize, weights, temperature }: RemoteParams,
): Promise<SampledTrajectories> {
  const spec = servedTexts(environment, oracle);
  const adapter = weights === "policy" && { adapter: await sent(context, policy, oracle, spec) };
  const step = Math.max(1, context.step);
  const asked = written &&
    promptsInTurn(trainingPrompts(policy, environment, written), step, count, groupSize);
  const trajectories = spec.mask === "trie"
    ? await walked(context, { environment, oracle }, {
      count,
      temperature,
      ...(asked && { prompts: asked }),
    })
    : await writtenWhole(
      context,
      { environment, oracle, spec },
      { prompts: asked ?? new Array<Prompt>(count).fill(noPrompt), temperature, ...adapter },
    );
  context.metric("epsilon", 0);
  const shown = written && shownBy(written);
  return { environment, trajectories, epsilon: 0, ...(shown !== undefined && { shown }) };
}

interface Written {
  readonly environment: Environment;
  readonly oracle: OracleRecord;
}

/** Visits a trie edge by edge; each edge is asked once, for the server's weights stay. */
async function walked(
  context: StageContext,
  { environment, oracle }: Written,
  options: Pick<SampleOptions, "count" | "temperature" | "prompts">,
): Promise<Trajectory[]> {
  const random = context.random("remote");
  return await sampleEdges(environment, { ...options, random, epsilon: 0 }, {
    rootOf: (prompt) => rootTokens(oracle.begin?.id, prompt),
    score: async (edges) =>
      await context.ask<readonly number[]>(
        "oracle",
        {
          op: "edges",
          oracle,
          befores: edges.map(({ before }) => before),
          ids: edges.map(({ id }) => id),
        } satisfies EdgesByOracle,
      ),
  });
}

async function writtenWhole(
  context: StageContext,
  { environment, oracle, spec: { most } }: Written & { readonly spec: FreeTokenSpec },
  { prompts, temperature, adapter }: {
    readonly prompts: readonly Prompt[];
    readonly temperature: number;
    readonly adapter?: string;
  },
): Promise<Trajectory[]> {
  const seed = context.random("remote").uint32();
  const answers = await context.ask<readonly OracleAnswer[]>(
    "oracle",
    {
      op: "draw",
      oracle,
      prompts: prompts.map((prompt) => rootTokens(oracle.begin?.id, prompt)),
      temperature,
      most_tokens: most - 1,
      draws: prompts.map((_, i) => `remote ${seed} ${i}`),
      ...(adapter !== undefined && { adapter }),
    } satisfies DrawByOracle,
  );
  return answers.map(({ ids, log_probs: logProbs }, i) =>
    writtenTrajectory(environment, { ids, logProbs }, prompts[i])
  );
}

/**
 * Sends a policy's adapter to the oracle's server.
 *
 * @returns The name of this version there.
 * @throws InputError if the policy has none, or samples by a trie, which each version would be asked for again.
 */
async function sent(
  context: StageContext,
  policy: Policy,
  oracle: OracleRecord,
  { mask }: FreeTokenSpec | TokenSpec,
): Promise<string> {
  const problem = !(policy instanceof LanguageModelPolicy)
    ? `a policy of kind "${policy.kind}" has no adapter`
    : mask === "trie"
    ? "every version would be asked for all edges of the trie"
    : undefined;
  if (problem !== undefined) {
    const message = `Cannot send weights to oracle "${oracle.model}": ${problem}`;
    throw inputError("remote/weights", message, undefined, 'leave out weights = "policy"');
  }
  const files = Object.fromEntries(
    [...(policy as LanguageModelPolicy).files(false)].map((
      [name, bytes],
    ) => [name, bytes.toBase64()]),
  );
  return await context.ask<string>("oracle", { op: "adapt", oracle, files } satisfies AdaptOracle);
}

/** Parts of a form that servers do not keep. */
interface Unserved {
  readonly thinking: unknown;
  readonly stop: unknown;
}

/** @throws InputError unless any token may follow any other, as on the server, or few may. */
function servedTexts(
  { kind, spec }: Environment,
  oracle: OracleRecord,
): FreeTokenSpec | TokenSpec {
  const own = spec as (FreeTokenSpec | TokenSpec) & Partial<Unserved>;
  const problem = kind !== tokensKind || own.mask === "language"
    ? 'the server knows no mask, and the environment is of neither mask = "none" nor "trie"'
    : own.thinking
    ? "the server knows nothing of thinking"
    : own.stop
    ? "the server knows nothing of stop"
    : own.tokenizer !== oracle.tokens_sha256
    ? "texts are in tokens that the oracle does not read"
    : undefined;
  if (problem === undefined) return own;
  const message = `Cannot sample from oracle "${oracle.model}": ${problem}`;
  const hint = 'write kind = "tokens" with mask = "none" or "trie", in the oracle\'s tokens';
  throw inputError("remote/environment", message, undefined, hint);
}
