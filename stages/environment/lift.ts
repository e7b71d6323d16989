/** Lifting an environment to the tokens of a model of the project: the work of the stage `tokens`. */
import { inputError } from "../../src/base/diagnostic.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { tokensOf, type TokenSource } from "../../src/gfn/environments/tokens.ts";
import { type ModelTokens, openTokens } from "../../src/models/store/model_tokens.ts";
import { ModelStore } from "../../src/models/store/model_store.ts";
import type { StageContext } from "../../src/pipeline/contract/stage.ts";

/**
 * The environment in tokens. The process of a stage stands in the project's folder.
 *
 * @throws MissingPartError if the model was not added, InputError as `tokensOf`.
 */
export function lift(
  context: StageContext,
  environment: Environment,
  model: string,
  limit: number,
): Environment {
  const lifted = tokensOf(environment, sourceOf(openTokens(new ModelStore("."), model)), limit);
  const { count, maxActions } = lifted;
  context.log(`${count} objects of at most ${maxActions} tokens, the end included`);
  return lifted as Environment;
}

/** @throws InputError if no token of the model ends a text. */
function sourceOf({ entry, tokenizer }: ModelTokens): TokenSource {
  if (!entry.end) {
    const message = `Cannot lift an environment to tokens of "${entry.name}": none ends a text`;
    throw inputError("tokens/end", message, undefined, "choose a model with an end token");
  }
  return {
    digest: tokenizer.digest,
    vocabulary: entry.sizes.vocabulary,
    context: entry.sizes.context,
    end: entry.end.id,
    encode: (text) => tokenizer.encodeExactly(text),
    spell: (id) => tokenizer.decode([id]),
  };
}
