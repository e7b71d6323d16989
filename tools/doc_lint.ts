/** Lints the doc comments of everything that doors and `src/base` export, outside libraries left out. */
import { docFaults, withoutExample } from "./doc_lint/faults.ts";

if (import.meta.main) {
  const { exports }: { exports: Record<string, string> } = JSON.parse(
    await Deno.readTextFile("deno.json"),
  );
  const doors = Object.values(exports);
  const base = [...Deno.readDirSync("src/base")].map(({ name }) => `src/base/${name}`)
    .filter((path) => path.endsWith(".ts")).sort();
  const faults = await docFaults([...doors, ...base]);
  for (const fault of faults) console.error(`${fault}\n`);
  console.log(`${faults.length} faults in doc comments of ${doors.length} doors`);
  const without = await withoutExample(doors);
  console.log(`${without.length} functions of doors without an example`);
  if (without.length > 0) console.error(without.join("\n"));
  if (faults.length + without.length > 0) Deno.exit(1);
}
