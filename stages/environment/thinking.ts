/** Thought in the tokens of a model: parameters as texts, and texts that hold a thought as actions. */
import { type Diagnostic, InputError, inputError } from "../../src/base/diagnostic.ts";
import type { Span } from "../../src/base/span.ts";
import type { Environment, FreeTokenSource, ThinkingSpec } from "../../src/gfn/environments/mod.ts";

/** Parameters, as the schema of `tokens` gives them. */
export interface ThinkingParams {
  readonly open: string;
  readonly close: string;
  readonly most_tokens: number;
  readonly among?: readonly string[] | undefined;
}

type Tokens = Pick<FreeTokenSource, "encode" | "decode" | "spell" | "vocabulary">;

/** @throws InputError with every text that is no token, or stands in what closes a thought. */
export function thinkingSpec(tokens: Tokens, params: ThinkingParams): ThinkingSpec {
  const { open, close, most_tokens: most, among } = params;
  const closing = tokens.encode(close);
  const ids = among?.map((text) => tokens.encode(text));
  const findings = ids?.flatMap((found, i): Diagnostic[] => {
    const text = JSON.stringify(among![i]);
    const wrong = found.length !== 1
      ? `it is ${found.length} tokens of the model`
      : closing.includes(found[0])
      ? `it is a token of what closes a thought, ${JSON.stringify(close)}`
      : undefined;
    const message = `Cannot think in ${text}: ${wrong}`;
    const hint = "name texts that are one token each, and stand in no other text here";
    const param = ["thinking", "among", i];
    return wrong ? [{ code: "tokens/among", severity: "error", message, hint, param }] : [];
  });
  if (findings && findings.length > 0) throw new InputError(findings);
  const sorted = ids && [...new Set(ids.map(([id]) => id))].sort((a, b) => a - b);
  return { open: tokens.encode(open), close: closing, most, ...(sorted && { among: sorted }) };
}

/**
 * The actions that write a text behind its thought: the text's own tokens where no thought is asked
 * for; else those of thought and answer, each canonical by itself. A text without a thought has an
 * empty one.
 *
 * @param ids Tokens of the text, its end last.
 * @throws InputError for a thought that never closes, or nothing behind it.
 */
export function actionsBehindThought(
  { spec, exitAction }: Environment,
  tokens: Pick<Tokens, "encode" | "decode">,
  ids: readonly number[],
  span: Span,
): readonly number[] {
  const { thinking } = spec as { readonly thinking?: ThinkingSpec };
  if (!thinking) return ids;
  const text = tokens.decode(ids.slice(0, ids.at(-1) === exitAction ? -1 : undefined));
  const [open, close] = [tokens.decode(thinking.open), tokens.decode(thinking.close)];
  const from = open !== "" && !text.startsWith(open) ? -1 : open.length;
  const to = from < 0 ? 0 : text.indexOf(close, from);
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  if (open === "" && to < 0) return [...thinking.close, ...ids];
  if (to < 0) {
    const message = `Cannot learn ${span.file}:${span.line}: the thought of ${shown} never closes`;
    throw inputError("sft/thought", message, span, `end it with ${JSON.stringify(close)}`);
  }
  const thought = from < 0 ? "" : text.slice(from, to);
  const answer = from < 0 ? text : text.slice(to + close.length);
  if (answer === "") {
    const message = `Cannot learn ${span.file}:${span.line}: nothing stands behind the thought ` +
      `of ${shown}`;
    throw inputError("sft/thought", message, span, "write the answer behind it");
  }
  const own = [thought, answer].map((one) => one === "" ? [] : tokens.encode(one));
  return [...thinking.open, ...own[0], ...thinking.close, ...own[1], exitAction];
}
