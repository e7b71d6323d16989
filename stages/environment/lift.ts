/** Lifting an environment to the tokens of a model of the project: the work of the stage `tokens`. */
import { inputError } from "../../src/base/diagnostic.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { freeTokens } from "../../src/gfn/environments/free_tokens.ts";
import { tokensOf } from "../../src/gfn/environments/tokens.ts";
import type { StageContext } from "../../src/pipeline/contract/stage.ts";
import { modelSource } from "./model_source.ts";

/** Parameters of `tokens`, as its schema gives them. */
export interface LiftParams {
  readonly model: string;
  readonly mask: "trie" | "none";
  readonly enumerate_at_most: number;
  readonly most_tokens: number;
}

/**
 * The environment in tokens.
 *
 * @throws MissingPartError if the model was not added, InputError as `tokensOf`.
 */
export function lift(
  context: StageContext,
  environment: Environment,
  params: LiftParams,
): Environment {
  if (params.mask === "none") return free(environment, params) as Environment;
  const { source } = modelSource(params.model);
  const lifted = tokensOf(environment, source, params.enumerate_at_most);
  const { count, maxActions } = lifted;
  context.log(`${count} objects of at most ${maxActions} tokens, the end included`);
  return lifted as Environment;
}

/** @throws InputError if texts may be longer than the model reads. */
function free(of: Environment, { model, most_tokens: most }: LiftParams) {
  const { entry, source } = modelSource(model);
  if (most >= source.context) {
    const message = `Cannot let "${entry.name}" write ${most} tokens: it reads ${source.context}`;
    throw inputError("tokens/context", message, undefined, "lower most_tokens");
  }
  const { vocabulary, end, digest: tokenizer } = source;
  return freeTokens(of, source, {
    of: { kind: of.kind, spec: of.spec },
    ...{ mask: "none", model: entry.name, sha256: entry.sha256, tokenizer, vocabulary, end, most },
  });
}
