/** The language model whose tokens a policy reads. */
import type { Policy } from "../../src/gfn/policies/mod.ts";

/** A language model that prompts are written for. */
export interface PromptReader {
  readonly model: string;
  /** Tokens that it reads at most. */
  readonly context: number;
}

/** Whether policies of a kind read the tokens of a language model, which lies here or on a server. */
export function readsTokens(kind: string): boolean {
  return kind === "language_model" || kind === "tinker";
}

/** That of a policy; undefined if the policy is no language model, and reads prompts by their names. */
export function readModelOf(policy: Policy): PromptReader | undefined {
  if (!readsTokens(policy.kind)) return undefined;
  const { header } = policy as Policy & {
    readonly header?: { readonly config: Readonly<Record<string, unknown>> };
  };
  const { model, context } = header?.config ?? {};
  return typeof model === "string" ? { model, context: Number(context) } : undefined;
}
