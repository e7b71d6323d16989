/** Text as token ids and back; refuses ids that mean another text, and cut tokens. */
import { Tokenizer as Pieces } from "@huggingface/tokenizers";
import { inputError } from "../../base/diagnostic.ts";
import { digestOf } from "../../base/digest.ts";
import { printable } from "../../base/printable.ts";
import type { TokenizerSource } from "./tokenizer_source.ts";
import { loadAgain, modelError } from "../files/model_error.ts";
import { withUnicodeDigits } from "./unicode_digits.ts";

/** @throws InputError for a file that no tokenizer can be made of, such as one with an invalid pattern. */
function piecesOf({ path, tokenizer, config }: TokenizerSource): Pieces {
  try {
    return new Pieces(withUnicodeDigits(tokenizer), config);
  } catch (error) {
    const problem = `its tokenizer cannot be made: ${printable((error as Error).message)}`;
    throw modelError({ kind: "tokenizer", path, problem, mend: loadAgain });
  }
}

/** The tokenizer of a model. */
export class Tokenizer {
  readonly #pieces: Pieces;
  readonly #source: TokenizerSource;
  #digest: string | undefined;

  /** Builds vocabulary and merges from the two JSON files. */
  constructor(source: TokenizerSource) {
    this.#source = source;
    this.#pieces = piecesOf(source);
  }

  /** SHA-256 of the canonical JSON of `tokenizer.json`: equal ones give equal ids. */
  get digest(): string {
    return this.#digest ??= digestOf(this.#source.tokenizer);
  }

  /** The largest id plus one. */
  get size(): number {
    const added = this.#pieces.get_added_tokens_decoder().keys();
    const largest = (ids: Iterable<number>) => {
      let most = -1;
      for (const id of ids) most = Math.max(most, id);
      return most;
    };
    return 1 + Math.max(largest(this.#pieces.get_vocab().values()), largest(added));
  }

  /** The id of a token, as the vocabulary spells it. */
  idOf(token: string): number | undefined {
    return this.#pieces.token_to_id(token);
  }

  /** The spelling of an id. */
  tokenOf(id: number): string | undefined {
    return this.#pieces.id_to_token(id);
  }

  /**
   * The canonical tokens of a text. Nothing is put before or behind it; spellings of special tokens
   * in it become these tokens, as in chat templates.
   */
  encode(text: string): number[] {
    if (text === "") return [];
    return this.#pieces.encode(text, { add_special_tokens: false }).ids;
  }

  /** The text of tokens, special ones as they are spelt. */
  decode(ids: readonly number[]): string {
    if (ids.length === 0) return "";
    const options = { skip_special_tokens: false, clean_up_tokenization_spaces: false };
    return this.#pieces.decode([...ids], options);
  }

  /**
   * The canonical tokens of a text that they decode to.
   *
   * @throws InputError if they decode to another text: a tokenizer may normalise, or not know a
   * letter.
   */
  encodeExactly(text: string): number[] {
    const ids = this.encode(text);
    const back = this.decode(ids);
    if (back === text) return ids;
    const at = firstDifference(text, back);
    const [found, wanted] = [excerpt(back, at), excerpt(text, at)];
    const message =
      `Cannot use a text of ${text.length} letters: its tokens decode to ${found} from letter ` +
      `${at + 1} on, the text has ${wanted}`;
    const hint = "write the text in composed form (Unicode NFC), in letters that the model knows";
    throw inputError("model/text", message, undefined, hint);
  }

  /**
   * The tokens of a prompt, which must be the first tokens of the whole text.
   *
   * @param whole A text that begins with the prompt.
   * @throws InputError if the prompt ends inside a token of the whole, or the text does not begin
   * with it.
   */
  encodePrompt(
    prompt: string,
    whole: string,
  ): { readonly prompt: number[]; readonly whole: number[] } {
    const [first, all] = [this.encodeExactly(prompt), this.encodeExactly(whole)];
    const at = first.findIndex((id, i) => all[i] !== id);
    if (at < 0) return { prompt: first, whole: all };
    throw whole.startsWith(prompt) ? this.#cut(prompt, all) : notItsBeginning(prompt, whole);
  }

  /** The token of the whole that the prompt cuts. */
  #cut(prompt: string, all: readonly number[]) {
    let count = 1;
    while (this.decode(all.slice(0, count)).length <= prompt.length) count++;
    const token = JSON.stringify(this.decode(all.slice(count - 1, count)));
    const message = `Cannot use the prompt that ends in ${excerpt(prompt, prompt.length - 20)}: ` +
      `with what follows, its end lies inside the token ${token}, or changes the tokens before it`;
    const hint =
      "end the prompt before a line break or a space, and let the completion begin with it";
    return inputError("model/prompt", message, undefined, hint);
  }
}

function notItsBeginning(prompt: string, whole: string) {
  const at = firstDifference(prompt, whole);
  const message = `Cannot use the prompt: the text differs from it from letter ${at + 1} on`;
  return inputError("model/prompt", message, undefined, "begin the text with the prompt");
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

function excerpt(text: string, at: number): string {
  return printable(JSON.stringify(text.slice(Math.max(0, at), Math.max(0, at) + 20)));
}
