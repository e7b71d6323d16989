/** Writes the table of decisions into docs/decisions/README.md, from titles and status of the records. */

const folder = new URL("../docs/decisions/", import.meta.url);

/** A record of a decision. */
export interface DecisionRecord {
  /** Name of its file. */
  readonly file: string;
  /** Four digits. */
  readonly number: string;
  /** What was decided, in a line. */
  readonly title: string;
  /** Whether it holds, or what has taken its place. */
  readonly status: string;
}

/** All records, by number. */
export function decisionRecords(): DecisionRecord[] {
  const files = [...Deno.readDirSync(folder)].map(({ name }) => name);
  return files.filter((file) => /^\d{4}-/.test(file)).sort().map(recordOf);
}

function recordOf(file: string): DecisionRecord {
  const text = Deno.readTextFileSync(new URL(file, folder));
  const [, number, title] = /^# (\d{4}): (.*)/.exec(text) ?? [];
  if (number !== file.slice(0, 4)) throw new Error(`${file}: the title begins with another number`);
  const [, status] = /^\*\*Status\.\*\* ([\s\S]*?)\n(?:\n|$)/m.exec(text) ?? [];
  if (!status) throw new Error(`${file}: no line begins with **Status.**`);
  return { file, number, title, status: status.replaceAll(/\s+/g, " ").replace(/\.$/, "") };
}

/** The table in Markdown. */
export function decisionTable(): string {
  const rows = decisionRecords().map(({ file, number, title, status }) =>
    `| [${number}](${file}) | ${title} | ${status} |`
  );
  return ["| number | decision | status |", "| --- | --- | --- |", ...rows].join("\n");
}

/** Between which the table stands. */
export const decisionMarks = ["<!-- table of decisions -->", "<!-- end of the table -->"] as const;

if (import.meta.main) {
  const page = new URL("README.md", folder);
  const text = Deno.readTextFileSync(page);
  const [before, rest] = text.split(decisionMarks[0]);
  const after = rest.split(decisionMarks[1])[1];
  const table = `${decisionMarks[0]}\n\n${decisionTable()}\n\n${decisionMarks[1]}`;
  Deno.writeTextFileSync(page, before + table + after);
}
