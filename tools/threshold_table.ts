/** Prints the table of thresholds, from their record and what each is shown by. */
import { thresholdNames, thresholdRecord } from "../src/engine/loo/thresholds.ts";

const effects: Readonly<Record<string, { halved: string | null; doubled: string | null }>> = JSON
  .parse(
    Deno.readTextFileSync(new URL("../tests/golden/loo_thresholds.json", import.meta.url)),
  );

/** The table in Markdown. */
function thresholdTable(): string {
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

if (import.meta.main) console.log(thresholdTable());
