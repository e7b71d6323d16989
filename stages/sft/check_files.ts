/** Whether the lines of the files of an `sft` are examples, before anything is learnt. */
import { readRegularText } from "../../src/base/regular_file.ts";
import { readSftLines, type SftLine } from "../../src/models/sft/mod.ts";
import { atParameter } from "../common/at_parameter.ts";
import { unasked } from "../common/named_prompts.ts";
import type { WrittenPrompt } from "../ports/values.ts";

/** Bytes of a file of examples. */
const mostBytes = 256 << 20;

/**
 * @param prompts Those that lines may ask, where they are wired and their texts are known.
 * @throws InputError with every line that is no example, or the first that asks no prompt; where it has no
 * place, at the parameter.
 */
export async function checkFiles(
  params: { readonly file?: string | undefined; readonly validation_file?: string | undefined },
  prompts?: readonly WrittenPrompt[],
): Promise<void> {
  for (const key of ["file", "validation_file"] as const) {
    const path = params[key];
    if (path === undefined) continue;
    const lines = await atParameter(
      [key],
      () => readSftLines(readRegularText(path, mostBytes), path),
    );
    const isAsked = (one: SftLine) =>
      !("prompt" in one) || prompts!.some(({ text }) => text === one.prompt);
    const strange = prompts && lines.find((one) => !isAsked(one));
    if (strange) throw unasked({ file: path, line: strange.line }, prompts);
  }
}
