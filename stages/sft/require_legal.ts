/** Refuses lines of a file that an environment does not write, by the text of the token. */
import { inputError } from "../../src/base/diagnostic.ts";
import type { Span } from "../../src/base/span.ts";
import type { Environment, FreeTokenSource, Walked } from "../../src/gfn/environments/mod.ts";
import { firstIllegal } from "../common/first_illegal.ts";

/** Tokens that a message lists. */
const mostShown = 5;

/**
 * @param tokens Those of the environment's model.
 * @param span Of the line.
 * @throws InputError with the token that is not legal, what stood before it, and what may stand there.
 */
export function requireLegal(
  environment: Environment,
  tokens: Pick<FreeTokenSource, "decode" | "spell">,
  walked: Pick<Walked, "actions" | "prompt">,
  span: Span,
): void {
  const found = firstIllegal(environment, walked);
  if (!found) return;
  const { actions } = walked;
  const said = (id: number) =>
    id === environment.exitAction ? "the end of the text" : JSON.stringify(tokens.spell(id));
  const before = JSON.stringify(tokens.decode(actions.slice(0, found.at)));
  const may = found.legal === "all" ? [] : [...found.legal.slice(0, mostShown)].map(said);
  const more = found.legal.length > mostShown
    ? `, and ${found.legal.length - mostShown} others`
    : "";
  const { mask, most } = environment.spec as { readonly mask: string; readonly most?: number };
  const message =
    `Cannot learn ${span.file}:${span.line}: ${said(actions[found.at])} cannot follow ` +
    `${before} under mask = "${mask}"; there may stand ${may.join(", ")}${more}`;
  const isLong = most !== undefined && found.at >= most - 1;
  throw inputError("sft/illegal", message, span, isLong ? longer(most) : mends[mask]);
}

const mends: Readonly<Record<string, string>> = {
  trie: 'write what its objects write, or lift it with mask = "none" or "language"',
  language: 'write a program that the language has, or lift it with mask = "none"',
  none: "leave out of the completion what stands in stop",
};

function longer(most: number): string {
  return `raise most_tokens of the stage of kind tokens above ${most}`;
}
