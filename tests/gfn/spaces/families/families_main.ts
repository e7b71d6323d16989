/**
 * How often effects of each family are covered, and families found:
 * `deno task coverage:families [--sets N] [--write]`. Each finished set is a line of
 * `--dir`/effects.jsonl and found.jsonl; sets with a line are not scored again. Prints two tables, or writes
 * them into bench/results/spaces.md.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { effectOf, type EffectRecord } from "./effects.ts";
import { familySets, foundIn, type FoundRecord } from "./found.ts";
import { addLine, readLines } from "./records.ts";
import { simulatedFamilies } from "./simulated.ts";
import { coverageTable, foundTable } from "./tables.ts";

const { values: { sets, dir, write } } = parseArgs({
  options: {
    sets: { type: "string", default: "30" },
    dir: { type: "string", default: ".sluice/families" },
    write: { type: "boolean", default: false },
  },
});
Deno.mkdirSync(dir, { recursive: true });
const effects = finished<EffectRecord>("effects.jsonl", ({ family, set }) => `${family} ${set}`);
for (let set = 0; set < Number(sets); set++) {
  for (const family of Object.keys(simulatedFamilies)) {
    effects.make(
      `${family} ${set}`,
      () => effectOf(family, set) ?? { family, set, mean: null, sd: null },
    );
  }
}
const found = finished<FoundRecord>("found.jsonl", ({ set }) => String(set));
for (const [set, one] of familySets().entries()) found.make(String(set), () => foundIn(set, one));
const text = `${coverageTable(effects.all)}\n\n${foundTable(found.all)}`;
if (!write) console.log(text);
else {
  const page = new URL("../../../../bench/results/spaces.md", import.meta.url);
  const marks = ["<!-- coverage of families -->", "<!-- end of coverage of families -->"];
  const [before, rest] = Deno.readTextFileSync(page).split(marks[0]);
  Deno.writeTextFileSync(
    page,
    `${before}${marks[0]}\n\n${text}\n\n${marks[1]}${rest.split(marks[1])[1]}`,
  );
}

/** Records of a file, which are made where they are not there. */
function finished<T>(name: string, keyOf: (record: T) => string) {
  const file = join(dir, name);
  const all = readLines<T>(file);
  const known = new Set(all.map(keyOf));
  const make = (key: string, record: () => T) => {
    if (known.has(key)) return;
    const one = record();
    addLine(file, one);
    all.push(one);
  };
  return { all, make };
}
