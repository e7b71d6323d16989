/** Scores the fresh programs of strangers by the Python door: `SLUICE_PYTHON=python deno task strangers:python`. */
import { join } from "node:path";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { rejectedExecution, scoreNow } from "../../../src/engine/score/score.ts";
import { faults, readScoreData } from "../../../src/cli/score_data.ts";
import { type FurtherProgram, furtherPrograms } from "./further.ts";

/** A program that Python wrote, with its data or its error. */
interface Written {
  readonly text: string;
  readonly data: unknown;
  readonly error?: string;
}

const programs = furtherPrograms();
const written = await throughPython(programs);
const outcomes = await Promise.all(programs.map(async (program, k) => ({
  program,
  outcome: await outcomeOf(program, written[k]),
})));
for (const { program: { set, name }, outcome } of outcomes) {
  console.log(`${set} ${name}: ${outcome}`);
}
const allowed = outcomes.filter(({ program }) => program.first !== "rule");
const scored = allowed.filter(({ outcome }) => outcome === "scored").length;
const both = allowed.filter(({ outcome, program }) =>
  outcome === "scored" || program.first === "scored"
);
console.log(
  `${scored} of ${allowed.length} are scored; ${both.length} by it or by their text as first met`,
);

/** Runs every script in Python, one process for all. */
async function throughPython(all: readonly FurtherProgram[]): Promise<Written[]> {
  const python = Deno.env.get("SLUICE_PYTHON") ?? "python3";
  const script = new URL("door.py", import.meta.url).pathname;
  const command = new Deno.Command(python, { args: [script], stdin: "piped", stdout: "piped" });
  const child = command.spawn();
  const lines = all.map(({ text, csv, name }) =>
    `${
      JSON.stringify({
        text,
        csv,
        file: /["']([\w.]+\.(?:csv|txt))["']/.exec(text)?.[1] ?? `${name}.csv`,
      })
    }\n`
  );
  const writer = child.stdin.getWriter();
  const sent = writer.write(new TextEncoder().encode(lines.join(""))).then(() => writer.close());
  const { stdout } = await child.output();
  await sent;
  return new TextDecoder().decode(stdout).trim().split("\n").map((line) => JSON.parse(line));
}

/** `scored`, or why not. */
async function outcomeOf(program: FurtherProgram, { text, data, error }: Written): Promise<string> {
  if (error) return error;
  const folder = await Deno.makeTempDir();
  try {
    const file = join(folder, "data.json");
    await Deno.writeTextFile(file, JSON.stringify(data));
    const dataset = await readScoreData(file, text, {}, (tried) => {
      const checked = checkProgram(text, tried, undefined, { rows: "ordered" });
      return Promise.resolve(checked.ok ? 0 : faults(rejectedExecution(checked.diagnostics)));
    });
    const rows = program.flag === "--rows ordered" ? { rows: "ordered" } as const : {};
    const { status, diagnostics } = scoreNow(text, dataset, { ...defaultSchedule, ...rows });
    if (status !== "ok") return diagnostics.find(({ severity }) => severity === "error")!.message;
    return "scored";
  } catch (error) {
    return (error as Error).message;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
