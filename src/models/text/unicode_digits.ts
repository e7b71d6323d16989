/** Splits at digits of every script, where a `tokenizer.json` asks for digits. */

type Json = Readonly<Record<string, unknown>>;

/**
 * A `tokenizer.json` without steps of type `Digits`: the published Rust library takes numbers of
 * every script for digits (`char::is_numeric`: ½, Ⅷ, ٣), the one used here only 0 to 9. An
 * expression means the same in both.
 */
export function withUnicodeDigits(tokenizer: Json): Json {
  return { ...tokenizer, pre_tokenizer: rewritten(tokenizer.pre_tokenizer as Json | null) };
}

function rewritten(step: Json | null): Json | null {
  if (step?.type === "Sequence") {
    return { ...step, pretokenizers: (step.pretokenizers as Json[]).map(rewritten) };
  }
  if (step?.type !== "Digits") return step ?? null;
  const Regex = step.individual_digits ? "\\p{N}" : "\\p{N}+";
  return { type: "Split", pattern: { Regex }, behavior: "Isolated", invert: false };
}
