/** Programs with their data, seven sets that were written one after another, each before its refusals were mended. */
import { join } from "node:path";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import type { Dataset } from "../../../src/base/dataset.ts";
import {
  defaultSchedule,
  type Execution,
  type Schedule,
} from "../../../src/engine/score/execution/execution.ts";
import { rejectedExecution, scoreNow } from "../../../src/engine/score/score.ts";
import { faults, readScoreData } from "../../../src/cli/score_data.ts";
import { inTimeOrder } from "../../../src/data/time_order.ts";

/** A program, its table as CSV, and what came of it before anybody mended a refusal for it. */
export interface FurtherProgram {
  readonly set: number;
  readonly name: string;
  readonly text: string;
  readonly csv: string;
  readonly first: "scored" | "refused" | "rule";
  /** Flags that it wants, and that a message names: `--rows ordered`, `--time t`. */
  readonly flag?: string;
}

/** All of them. Real PyMC 5.28.5 builds each, and has a finite log density at its initial point; not of `penguins`. */
export function furtherPrograms(): FurtherProgram[] {
  const text = Deno.readTextFileSync(new URL("./further.txt", import.meta.url));
  return text.split(/^=== /m).slice(1).map((part) => {
    const [, set, name, first, flag] = /^(\d+) (\w+): (scored|refused|rule) ?(.*)\n/.exec(part)!;
    const [body, csv] = part.slice(part.indexOf("\n") + 1).split("--- data\n");
    const own = { set: Number(set), name, first: first as FurtherProgram["first"] };
    return { ...own, text: body, csv, ...(flag && { flag }) };
  });
}

/** The data as `sluice score` reads them, and the schedule of the flags. */
async function asScored(program: FurtherProgram): Promise<{ data: Dataset; schedule: Schedule }> {
  const { name, text, csv, flag } = program;
  const folder = Deno.makeTempDirSync();
  try {
    const file = join(folder, `${name}.csv`);
    Deno.writeTextFileSync(file, csv);
    const column = /^--time (\w+)$/.exec(flag ?? "")?.[1];
    const data = await readScoreData(file, text, { time: column }, (tried) => {
      const time = column === undefined ? undefined : { column, first: tried.rows, ahead: 1 };
      const checked = checkProgram(text, tried, undefined, { rows: "ordered", time });
      return Promise.resolve(checked.ok ? 0 : faults(rejectedExecution(checked.diagnostics)));
    });
    if (column !== undefined) {
      const { dataset, time } = inTimeOrder(data, { column }, false);
      return { data: dataset, schedule: { ...defaultSchedule, time } };
    }
    const rows = flag === "--rows ordered" ? { rows: "ordered" } as const : {};
    return { data, schedule: { ...defaultSchedule, ...rows } };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** The first message of a refusal; undefined of a program that is read. */
export async function refusalOf(program: FurtherProgram): Promise<string | undefined> {
  const read = await asScored(program).catch((error: Error) => error);
  if (read instanceof Error) return read.message;
  const { data, schedule: { rows, time } } = read;
  const checked = checkProgram(program.text, data, undefined, { rows, time });
  return checked.ok
    ? undefined
    : checked.diagnostics.find(({ severity }) => severity === "error")?.message;
}

/** The execution of a program. */
export async function scoreFurther(program: FurtherProgram): Promise<Execution> {
  const { data, schedule } = await asScored(program);
  return scoreNow(program.text, data, schedule);
}
