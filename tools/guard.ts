/**
 * `deno task guard`: counts what commands do to files and holds it against a committed table.
 * `--write` renews the table.
 */
import { fileURLToPath } from "node:url";
import { cases, countCase } from "./guard/cases.ts";
import { describe, differences, type Table } from "./guard/compare.ts";

const path = fileURLToPath(new URL("./guard/table.json", import.meta.url));
const home = fileURLToPath(new URL("../", import.meta.url));

if (import.meta.main) Deno.exit(await main());

async function main(): Promise<number> {
  if (!await hasStrace()) {
    console.error(
      "Cannot count: strace is not here\n  mend: install it, as apt-get install strace",
    );
    return 3;
  }
  const found: Record<string, Table[string]> = {};
  for (const one of cases) found[one.name] = await countCase(one, home);
  console.table(found);
  if (Deno.args.includes("--write")) {
    Deno.writeTextFileSync(path, JSON.stringify(found, null, 2) + "\n");
    return 0;
  }
  const all = differences(JSON.parse(Deno.readTextFileSync(path)), found);
  for (const one of all) console.log(describe(one));
  const fell = all.some(({ grew }) => !grew);
  if (fell) console.log("a figure fell: deno task guard --write keeps it there");
  return all.some(({ grew }) => grew) ? 1 : 0;
}

async function hasStrace(): Promise<boolean> {
  try {
    return (await new Deno.Command("strace", { args: ["-V"] }).output()).success;
  } catch {
    return false;
  }
}
