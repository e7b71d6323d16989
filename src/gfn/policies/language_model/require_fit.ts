/** Refuses a model that reads other tokens than an environment has, or texts shorter than there. */
import { inputError } from "../../../base/diagnostic.ts";
import type { ModelEntry } from "../../../models/store/mod.ts";
import type { Opening } from "../policy_kind.ts";

/** @param called Goes on from "Cannot use". @throws InputError if the model does not fit. */
export function requireFit(
  called: string,
  { sha256, tokenizer, sizes, begin }: ModelEntry,
  context: number,
  header: Opening["header"],
): void {
  const refuse = (problem: string, hint: string) => refused(called, problem, hint);
  if (header.model !== undefined && header.model !== sha256) {
    const [own, learned] = [sha256, header.model].map((digest) => `${digest.slice(0, 12)}…`);
    const problem = `it is ${own}, the policy learned on ${learned}`;
    throw refuse(problem, "add that model under this name");
  }
  if (header.tokenizer !== undefined && header.tokenizer !== tokenizer.sha256) {
    const problem = "the environment is in the tokens of another model";
    throw refuse(problem, "name the same model in the stage of kind tokens and here");
  }
  if (context > sizes.context) {
    const problem = `context is ${context}, and it reads ${sizes.context} tokens`;
    throw refuse(problem, `set context to ${sizes.context} or less`);
  }
  if (header.positions > context) {
    const problem = `texts have up to ${header.positions} tokens, context is ${context}`;
    throw refuse(problem, `set context to ${header.positions} or more`);
  }
  if (begin === null) {
    throw refuse("nothing is known to begin a text", "choose a model with such a token");
  }
}

/** The error that a model cannot be used. */
export function refused(called: string, problem: string, hint: string) {
  return inputError("policy/model", `Cannot use ${called}: ${problem}`, undefined, hint);
}
