/** The tokens of a model of the project, as environments know them. */
import { inputError } from "../../src/base/diagnostic.ts";
import { type FreeTokenSource, type TextRules, TokenMask } from "../../src/gfn/environments/mod.ts";
import { type ModelEntry, ModelStore, openTokens } from "../../src/models/store/mod.ts";
import type { Tokenizer } from "../../src/models/text/mod.ts";

/** A tokenizer, and the model that it belongs to. */
interface ModelSource {
  readonly entry: ModelEntry;
  readonly tokenizer: Tokenizer;
  readonly source: FreeTokenSource;
}

const opened = new Map<string, ModelSource>();

/**
 * The tokens of a model; opened once in a process, which stands in the project's folder.
 *
 * @param model Its name, or its digest.
 * @throws MissingPartError if it was not added; InputError if none of its tokens ends a text.
 */
export function modelSource(model: string): ModelSource {
  const known = opened.get(model) ?? sourceOf(model);
  opened.set(model, known);
  return known;
}

const masks = new Map<string, TokenMask>();

/**
 * Rules that distinguish beginnings of programs from other texts. Deno loads every module that a literal
 * `import()` may reach before a command begins, and this one is all of the language: its path is made at
 * run time. The process of a stage may import it where the runner did before (`rulesOfPrograms`).
 */
async function maskRules(): Promise<TextRules> {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return await import(`../../src/engine/language/pymc/viable_prefix.${extension}`);
}

/** A source with the mask of programs where it is wanted; the mask is made once in a process. */
export async function maskedSource(
  model: string,
  mask: "language" | "none",
): Promise<ModelSource> {
  const known = modelSource(model);
  if (mask === "none") return known;
  const { entry, source } = known;
  const mine = masks.get(entry.sha256) ?? new TokenMask(source, await maskRules());
  masks.set(entry.sha256, mine);
  return { ...known, source: { ...source, mask: mine } };
}

function sourceOf(model: string): ModelSource {
  const { entry, tokenizer } = openTokens(new ModelStore("."), model);
  if (!entry.end) {
    const message = `Cannot lift an environment to tokens of "${entry.name}": none ends a text`;
    throw inputError("tokens/end", message, undefined, "choose a model with an end token");
  }
  const source = {
    digest: tokenizer.digest,
    vocabulary: entry.sizes.vocabulary,
    context: entry.sizes.context,
    end: entry.end.id,
    encode: (text: string) => tokenizer.encodeExactly(text),
    decode: (ids: readonly number[]) => tokenizer.decode(ids),
    spell: (id: number) => tokenizer.decode([id]),
  };
  return { entry, tokenizer, source };
}
