/** Finished data sets in a file: a line of JSON each. */
import type { SetRecord } from "./score_set.ts";

/**
 * Those of a file, in the order of their numbers; none where there is no file. A last line without an
 * end is one that was being written when a user stopped the run: it is none.
 */
export async function readRecords(file: string): Promise<SetRecord[]> {
  let text: string;
  try {
    text = await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
  const lines = text.slice(0, wholeLines(text)).split("\n").filter((line) => line !== "");
  const records = lines.map((line) => JSON.parse(line) as SetRecord);
  return records.sort((a, b) => a.set - b.set);
}

/** Adds a finished set, instead of a line that was not written to its end. */
export async function appendRecord(file: string, record: SetRecord): Promise<void> {
  const { size } = await Deno.stat(file).catch(() => ({ size: 0 }));
  const text = size === 0 ? "" : await Deno.readTextFile(file);
  if (wholeLines(text) < text.length) {
    await Deno.writeTextFile(file, text.slice(0, wholeLines(text)));
  }
  await Deno.writeTextFile(file, `${JSON.stringify(record)}\n`, { append: true });
}

/** How much of a text are lines with an end. */
function wholeLines(text: string): number {
  return text.lastIndexOf("\n") + 1;
}
