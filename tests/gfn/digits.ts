/** Tokens that are digits, and policies of a small model over them. */
import type { Environment } from "../../src/gfn/environments/environment.ts";
import type { TokenSource } from "../../src/gfn/environments/tokens.ts";
import { LanguageModelPolicy } from "../../src/gfn/policies/language_model/language_model_policy.ts";
import { PathModel } from "./token_model.ts";

/** The token that begins, after ten digits and the end. */
export const begin = 11;

/** Ten digits, which are their own ids, and the end. */
export const digits = {
  ...{ digest: "digits", vocabulary: 12, context: 32, end: 10 },
  encode: (text) => [...text].map(Number),
  spell: (id) => (id < 10 ? `${id}` : "end"),
} satisfies TokenSource;

/** A policy of the tokens of an environment. */
export function policyOfDigits(lifted: Environment, model: PathModel): LanguageModelPolicy {
  const { vocabulary, context } = digits;
  const header = {
    config: { kind: "language_model" },
    environment: lifted.digest,
    actions: vocabulary,
    positions: lifted.maxActions,
    ...{ backward: 0, features: 0 },
  };
  const another = () => new PathModel(vocabulary, 7);
  const rest = { backend: "host", computes: "plain", begin, context };
  return new LanguageModelPolicy({ model, another, header, ...rest });
}
