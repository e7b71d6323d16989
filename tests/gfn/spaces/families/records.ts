/** Finished sets in a file, a line of JSON each. */

/** Those of a file, none where there is no file; a last line without an end was being written, and goes. */
export function readLines<T>(file: string): T[] {
  let text = "";
  try {
    text = Deno.readTextFileSync(file);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole.length < text.length) Deno.writeTextFileSync(file, whole);
  return whole.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Adds one behind the others. */
export function addLine(file: string, record: unknown): void {
  Deno.writeTextFileSync(file, `${JSON.stringify(record)}\n`, { append: true });
}
