/** Whether the lines of the files of an `sft` are examples, before anything is learnt. */
import { readRegularText } from "../../src/base/regular_file.ts";
import { readSftLines } from "../../src/models/sft/mod.ts";
import { atParameter } from "../common/at_parameter.ts";

/** Bytes of a file of examples. */
const mostBytes = 256 << 20;

/** @throws InputError with every line that is no example; where it has no place, at the parameter. */
export async function checkFiles(
  params: { readonly file?: string | undefined; readonly validation_file?: string | undefined },
): Promise<void> {
  for (const key of ["file", "validation_file"] as const) {
    const path = params[key];
    if (path === undefined) continue;
    await atParameter([key], () => readSftLines(readRegularText(path, mostBytes), path));
  }
}
