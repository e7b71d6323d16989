/** The language model whose tokens a policy reads. */
import { readsTokens } from "../../src/gfn/settings/mod.ts";
import type { Policy } from "../../src/gfn/policies/mod.ts";

/** A language model that prompts are written for. */
export interface PromptReader {
  readonly model: string;
  /** Tokens that it reads at most. */
  readonly context: number;
}

/** Reader of a policy; undefined if the policy is no language model, and reads prompts by their names. */
export function readModelOf(policy: Policy): PromptReader | undefined {
  if (!readsTokens(policy.kind)) return undefined;
  const { header } = policy as Policy & {
    readonly header?: { readonly config: Readonly<Record<string, unknown>> };
  };
  const { model, context } = header?.config ?? {};
  return typeof model === "string" ? { model, context: Number(context) } : undefined;
}
