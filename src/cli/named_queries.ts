/** Queries of a project: `queries/NAME.sql`, asked as `@NAME`. */
import { join } from "node:path";
import { inputError } from "../base/diagnostic.ts";
import { nearest } from "../base/nearest.ts";
import { readRegularText } from "../base/regular_file.ts";

/** SQL as it is given, or the text of the file that `@name` means. @throws InputError. */
export function sqlOf(root: string, given: string): string {
  if (!given.startsWith("@")) return given;
  const [name, folder] = [given.slice(1), join(root, "queries")];
  const known = namesIn(folder);
  if (known.includes(name)) return readRegularText(join(folder, `${name}.sql`));
  const near = nearest(name, known);
  const guess = near === undefined ? "" : `did you mean "@${near}"? `;
  const hint = known.length === 0
    ? `write the query to ${join(folder, `${name}.sql`)}`
    : `${guess}Queries: ${known.map((one) => `@${one}`).join(", ")}`;
  throw inputError("query/unknown-name", `There is no query "${given}"`, undefined, hint);
}

function namesIn(folder: string): string[] {
  try {
    const files = [...Deno.readDirSync(folder)].map(({ name }) => name);
    return files.filter((name) => name.endsWith(".sql")).map((name) => name.slice(0, -4)).sort();
  } catch {
    return [];
  }
}
