/** Writes the table of thresholds into docs/loo.md, from their record and what each is shown by. */
import { thresholdNames, thresholdRecord } from "../src/engine/loo/thresholds.ts";

const effects: Readonly<Record<string, { halved: string | null; doubled: string | null }>> = JSON
  .parse(
    Deno.readTextFileSync(new URL("../tests/golden/loo_thresholds.json", import.meta.url)),
  );

/** The table in Markdown. */
export function thresholdTable(): string {
  const rows = thresholdNames.map((name) => {
    const { value, source } = thresholdRecord[name];
    const { halved, doubled } = effects[name];
    const shown = [halved, doubled].map((one) => one ?? "–").join("; ");
    return `| \`${name}\` | ${value} | ${source.replaceAll("|", "\\|")} | ${shown} |`;
  });
  return [
    "| threshold | value | source | shown by (halved; doubled) |",
    "| --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

/** Between which the table stands. */
export const thresholdMarks = ["<!-- thresholds -->", "<!-- end of thresholds -->"] as const;

if (import.meta.main) {
  const page = new URL("../docs/loo.md", import.meta.url);
  const text = Deno.readTextFileSync(page);
  const [before, rest] = text.split(thresholdMarks[0]);
  const after = rest.split(thresholdMarks[1])[1];
  const table = `${thresholdMarks[0]}\n\n${thresholdTable()}\n\n${thresholdMarks[1]}`;
  Deno.writeTextFileSync(page, before + table + after);
}
