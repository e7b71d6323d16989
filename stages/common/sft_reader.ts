/** Files of examples in the tokens of a model of the project. */
import { readRegularText } from "../../src/base/regular_file.ts";
import { readSft, type SftExamples } from "../../src/models/sft/mod.ts";
import { ModelStore, openTokens } from "../../src/models/store/mod.ts";
import { ChatTemplate } from "../../src/models/text/mod.ts";
import { type ChatParams, chatSettings } from "./chat_settings.ts";

/** Bytes of a file of examples. */
const mostBytes = 256 << 20;

/** How the examples of a stage are read. */
interface ReaderParams extends ChatParams {
  /** Tokens that an example may have. */
  readonly context: number;
  readonly learn?: "all" | "last";
  readonly thinking?: "kept" | "stripped";
}

/** Settings that differ between files. */
interface FilePart {
  /** Share kept from training. */
  readonly validation?: number;
  /** Lines that are read. */
  readonly most?: number | undefined;
}

/**
 * Reads files of examples as a model has them.
 *
 * @param model Its name, or its digest.
 * @throws MissingPartError if it was not added; the reader throws InputError with every line that
 * is no example.
 */
export function sftReader(
  model: string,
  params: ReaderParams,
): (file: string, part: FilePart) => SftExamples {
  const { entry, tokenizer } = openTokens(new ModelStore("."), model);
  const { chat_template: chat } = entry;
  const template = chat === null ? {} : { template: new ChatTemplate(chat) };
  const { context, learn, thinking } = params;
  const own = { context, ...(learn && { learn }), ...(thinking && { thinking }) };
  const options = { ...own, chat: chatSettings(params) };
  return (file, { validation = 0, most }) => {
    const text = readRegularText(file, mostBytes);
    const texts = { tokenizer, ends: entry, ...template };
    return readSft(text, file, texts, {
      ...options,
      validation,
      ...(most !== undefined && { most }),
    });
  };
}
