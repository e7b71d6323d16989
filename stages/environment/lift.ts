/** Lifting an environment to the tokens of a model of the project: the work of the stage `tokens`. */
import { inputError } from "../../src/base/diagnostic.ts";
import {
  type Environment,
  freeTokens,
  thoughtful,
  tokensOf,
} from "../../src/gfn/environments/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { maskedSource, modelSource } from "./model_source.ts";
import { type ThinkingParams, thinkingSpec } from "./thinking.ts";

/** Parameters of `tokens`, as its schema gives them. */
export interface LiftParams {
  readonly model: string;
  readonly mask?: "trie" | "language" | "none";
  readonly enumerate_at_most: number;
  readonly most_tokens: number;
  readonly stop: readonly string[];
  readonly pattern?: string | undefined;
  readonly thinking?: ThinkingParams | undefined;
}

/**
 * The environment in tokens, or texts of their own.
 *
 * @param environment Whose objects are written; left out where texts are none of an environment.
 * @throws MissingPartError if the model was not added, InputError as `tokensOf`, and if a trie is
 * wanted of nothing that could be listed.
 */
export async function lift(
  context: StageContext,
  environment: Environment | undefined,
  params: LiftParams,
): Promise<Environment> {
  const { mask = environment ? "trie" : "none", thinking } = params;
  const written = await withoutThought(context, environment, { ...params, mask });
  if (!thinking) return written;
  const { entry, source } = modelSource(params.model);
  const spec = thinkingSpec(source, thinking);
  const lifted = thoughtful(written, spec);
  if (lifted.maxActions >= source.context) {
    const message =
      `Cannot let "${entry.name}" think and write ${lifted.maxActions} tokens: it reads ` +
      `${source.context}`;
    throw inputError("tokens/context", message, undefined, "lower thinking.most_tokens");
  }
  const count = lifted.thoughts.list(100_000)?.length;
  const number = count === undefined ? "more thoughts than are listed" : `${count} thoughts`;
  context.log(`${number} of at most ${spec.most} tokens before each object`);
  return lifted as Environment;
}

async function withoutThought(
  context: StageContext,
  environment: Environment | undefined,
  params: LiftParams & { readonly mask: "trie" | "language" | "none" },
): Promise<Environment> {
  const { mask } = params;
  if (mask !== "trie") return await free(environment, { ...params, mask }) as Environment;
  if (!environment) throw nothingListed();
  const { source } = modelSource(params.model);
  const lifted = tokensOf(environment, source, params.enumerate_at_most);
  const { count, maxActions } = lifted;
  context.log(`${count} objects of at most ${maxActions} tokens, the end included`);
  return lifted as Environment;
}

/** @throws InputError if texts may be longer than the model reads. */
async function free(
  of: Environment | undefined,
  { model, mask, most_tokens: most, stop, pattern }: LiftParams & {
    readonly mask: "language" | "none";
  },
) {
  const { entry, source } = await maskedSource(model, mask);
  if (most >= source.context) {
    const message = `Cannot let "${entry.name}" write ${most} tokens: it reads ${source.context}`;
    throw inputError("tokens/context", message, undefined, "lower most_tokens");
  }
  const { vocabulary, end, digest: tokenizer } = source;
  return freeTokens(of, source, {
    of: of ? { kind: of.kind, spec: of.spec } : null,
    mask,
    model: entry.name,
    sha256: entry.sha256,
    tokenizer,
    vocabulary,
    end,
    most,
    ...(stop.length > 0 && { stop }),
    ...(pattern !== undefined && { pattern }),
  });
}

function nothingListed() {
  const message = 'Cannot hold texts to a trie: mask = "trie" lists the objects of an environment';
  const hint = 'wire inputs = { environment = "…" }, or leave mask out: any token may then follow';
  return inputError("tokens/environment", message, undefined, hint);
}
