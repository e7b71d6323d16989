/** Reads and scores programs with their CSV file, as `sluice score` does. */
import { join } from "node:path";
import type { Dataset } from "../../../src/base/dataset.ts";
import type { Diagnostic } from "../../../src/base/diagnostic.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import {
  defaultSchedule,
  type Execution,
  type Schedule,
} from "../../../src/engine/score/execution/execution.ts";
import { rejectedExecution, scoreNow } from "../../../src/engine/score/score.ts";
import { faults, readScoreData } from "../../../src/cli/score_data.ts";
import { csvOf } from "./tables.ts";

/** A program with its title, which begins with the name of its table. */
interface Stranger {
  readonly title: string;
  readonly text: string;
}

/** All programs of the corpus. */
export function strangers(): Stranger[] {
  const text = Deno.readTextFileSync(new URL("./programs.txt", import.meta.url));
  return text.split(/^=== /m).slice(1).map((part) => {
    const end = part.indexOf("\n");
    return { title: part.slice(0, end), text: part.slice(end + 1) };
  });
}

/** The data of a program, whose response is found by its text. */
async function dataOf({ title, text }: Stranger, folder: string): Promise<Dataset> {
  const table = title.split(":")[0];
  const file = join(folder, `${table}.csv`);
  Deno.writeTextFileSync(file, csvOf(table));
  return await readScoreData(file, text, {}, (tried) => {
    const checked = checkProgram(text, tried, undefined, { rows: "ordered" });
    return Promise.resolve(checked.ok ? 0 : faults(rejectedExecution(checked.diagnostics)));
  });
}

/** Whether rows of a program have an order: its title says it. */
function rowsOf({ title }: Stranger): "ordered" | undefined {
  return title.endsWith("(ordered)") ? "ordered" : undefined;
}

/** Findings about a program; empty if it is read. */
export async function faultsOf(stranger: Stranger): Promise<readonly Diagnostic[]> {
  const folder = Deno.makeTempDirSync();
  try {
    const data = await dataOf(stranger, folder);
    const checked = checkProgram(stranger.text, data, undefined, { rows: rowsOf(stranger) });
    return checked.ok ? [] : checked.diagnostics.filter(({ severity }) => severity === "error");
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

async function scoreStranger(stranger: Stranger, folder: string): Promise<Execution> {
  const rows = rowsOf(stranger);
  const schedule: Schedule = { ...defaultSchedule, ...(rows && { rows }) };
  return scoreNow(stranger.text, await dataOf(stranger, folder), schedule, { summaries: true });
}

/** Programs whose title has a word, scored one after another. */
export async function* scoresOf(
  word = "",
): AsyncGenerator<{ title: string; execution: Execution }> {
  const folder = Deno.makeTempDirSync();
  try {
    for (const one of strangers().filter(({ title }) => title.includes(word))) {
      yield { title: one.title, execution: await scoreStranger(one, folder) };
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
