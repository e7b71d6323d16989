/** Workers that answer about theories: each program is read in a process that may do nothing else. */
import { makeDataset } from "../../base/dataset.ts";
import { InputError } from "../../base/diagnostic.ts";
import { defaultSchedule } from "../../engine/score/execution/mod.ts";
import type { TheoryAsk } from "../theories/messages.ts";
import { SinglePrograms } from "../single_programs.ts";
import { finite, logMeans } from "../theories/log_means.ts";
import type { Submission, SubmittedProgram, Theories } from "./theories.ts";

/** Seconds that an answer may take. */
const seconds = 300;
/** Answers after which a worker is replaced: it remembers what it learned from the rows before. */
const answersPerWorker = 4096;

/** Theory workers of one run. */
export class TheoryWorkers implements Theories {
  readonly #pool: SinglePrograms;
  readonly #judges: SinglePrograms;
  #last: Promise<unknown> = Promise.resolve();

  constructor(workers: number) {
    const options = { schedule: defaultSchedule, seconds };
    this.#pool = new SinglePrograms({ ...options, workers, programsPerWorker: answersPerWorker });
    this.#judges = new SinglePrograms({ ...options, workers: 1 });
  }

  async ask(text: string, ask: TheoryAsk): Promise<unknown> {
    const job = { program: text, file: "the theory", wanted: { kind: "theory", ask } } as const;
    const { execution, payload } = await this.#pool.run(job, standIn);
    if (payload) return JSON.parse(new TextDecoder().decode(payload));
    throw new InputError(execution.diagnostics);
  }

  /** One program after the other: a pool serves one transcript at a time. */
  judge(submitted: SubmittedProgram): Promise<Submission> {
    const judged = this.#last.then(() => this.#judge(submitted));
    this.#last = judged.catch(() => {});
    return judged;
  }

  /** Two fits of one program: the schedule decides, so that they are the same. */
  async #judge({ program, design, seen, predict, judge }: SubmittedProgram): Promise<Submission> {
    const columns = design.map((column) => {
      const values = column.role === "response" ? seen.response : seen.columns[column.name];
      return { ...column, values: Float64Array.from(values) };
    });
    const data = makeDataset("transcript", columns);
    const found = await this.#judges.run(
      { program, wanted: { kind: "predictions", ...predict } },
      data,
    );
    if (!found.payload) return { ok: false, reason: reasonOf(found.execution.diagnostics) };
    const draws = new Float64Array(found.payload.slice().buffer);
    const predicted = summaries(draws, predict.rows);
    if (judge.rows === 0) return { ok: true, predicted, log_densities: [] };
    const outcomes = await this.#judges.run({
      program,
      wanted: {
        kind: "outcomes",
        rows: judge.rows,
        columns: judge.columns,
        points: 1,
        values: judge.response,
        draws: 1000,
      },
    }, data);
    if (!outcomes.payload) return { ok: false, reason: reasonOf(outcomes.execution.diagnostics) };
    return {
      ok: true,
      predicted,
      log_densities: logMeans(new Float32Array(outcomes.payload.slice().buffer), judge.rows).map(
        finite,
      ),
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.close(), this.#judges.close()]);
  }
}

/** Theories bring their own rows: the workers' data set is there for the known-good program alone. */
const standIn = makeDataset("stand-in", [
  { name: "y", role: "response", type: "real", values: Float64Array.of(0.1, 0.7, 0.4) },
]);

function reasonOf(
  diagnostics: readonly { readonly severity: string; readonly message: string }[],
): string {
  return diagnostics.find(({ severity }) => severity === "error")?.message ?? "it gave no draws";
}

function summaries(draws: Float64Array, rows: number) {
  const count = draws.length / rows;
  return Array.from({ length: rows }, (_, row) => {
    const own = Float64Array.from({ length: count }, (_, s) => draws[s * rows + row]).sort();
    return { mean: own.reduce((a, b) => a + b, 0) / count, median: own[Math.floor(count / 2)] };
  });
}
