/** Patches as unified diffs without context: written from edits, and applied line by line. */

/** Text of files by name. */
export type Files = Readonly<Record<string, string>>;

/** A line of a file, and what is to stand there. */
export interface Edit {
  readonly file: string;
  /** Number of the line, from 1. */
  readonly at: number;
  readonly line: string;
  readonly instead: string;
}

/** The diff that makes these edits, which are in the order of their lines; empty if there are none. */
export function patchOf(edits: readonly Edit[]): string {
  return [...Map.groupBy(edits, ({ file }) => file)].map(([file, some]) => {
    const hunks = some.map(({ at, line, instead }) => {
      return `@@ -${at} +${at} @@\n-${line}\n+${instead}\n`;
    });
    return `--- a/${file}\n+++ b/${file}\n${hunks.join("")}`;
  }).join("");
}

/**
 * The files with a patch applied.
 *
 * @throws Error if it is no such diff, names another file, or does not fit the text.
 */
export function applyPatch(files: Files, patch: string): Files {
  const patched: Record<string, string> = { ...files };
  let file: string | undefined;
  const lines = patch.split("\n").slice(0, -1);
  for (let i = 0; i < lines.length; i++) {
    const header = /^--- a\/(.+)$/.exec(lines[i]);
    if (header) {
      file = header[1];
      if (!Object.hasOwn(files, file) || lines[++i] !== `+++ b/${file}`) throw unfit(i, lines[i]);
      continue;
    }
    const hunk = /^@@ -(\d+) \+\1 @@$/.exec(lines[i]);
    const [old, fresh] = [lines[++i], lines[++i]];
    if (!hunk || file === undefined || !old?.startsWith("-") || !fresh?.startsWith("+")) {
      throw unfit(i, lines[i]);
    }
    const text = patched[file].split("\n");
    const at = Number(hunk[1]) - 1;
    if (text[at] !== old.slice(1)) throw unfit(i, old);
    text[at] = fresh.slice(1);
    patched[file] = text.join("\n");
  }
  return patched;
}

function unfit(line: number, found: string | undefined): Error {
  return new Error(
    `Cannot apply the patch: its line ${line + 1}, ${JSON.stringify(found)}, does not fit`,
  );
}
