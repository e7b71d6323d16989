/** Fits programs of a run again, in workers, for what its database does not keep. */
import type { Dataset, DatasetJson } from "../../base/dataset.ts";
import { datasetFromJson } from "../../base/dataset.ts";
import {
  defaultSchedule,
  type Execution,
  type Schedule,
} from "../../engine/score/execution/mod.ts";
import type { PrintedGraph } from "../../engine/score/mod.ts";
import { SinglePrograms } from "../../executor/single_programs.ts";
import type { Job } from "../../executor/messages.ts";
import type { PredictedAt } from "../../report/figures/curves.ts";
import { thinned } from "../../report/figures/data.ts";
import {
  binsOf,
  rangeOf,
  responseOf,
  type RowColumn,
  rowColumns,
} from "../../report/html_report/data_facts.ts";
import type { DatabaseFacts, FitFacts, PrintedFacts } from "../../report/html_report/facts.ts";
import { averageDraws } from "../../report/html_report/read_facts.ts";
import { mostShown } from "../../report/html_report/sections/programs.ts";
import { type Grid, gridOf, isGiven } from "./grid.ts";
import { replicatedBins, summariesAt } from "./predictive_summary.ts";

/** Draws per chain, and gradients that one fit may take: a limit in seconds would differ by machine. */
const draws = 250;
const mostGradients = 200_000;
/** Responses that are drawn at each point of a curve for each draw of the parameters. */
const repeats = 5;
/** For the average every third of them will do, for many programs are put together. */
const averageStride = 3;
/** Seconds after which a worker is taken to hang. */
const fitSeconds = 120;
/** Programs that one worker fits before a fresh one takes its place. */
const programsPerWorker = 64;
/** Rows of data that are made up at most. */
const mostReplicated = 2000;

/** Fits, and the code of the best programs. */
export interface Fitted {
  readonly fits: FitFacts;
  readonly printed: readonly PrintedFacts[];
}

/** Draws of a program, or why there are none. */
type Drawn = Float64Array | string;

/** Fits programs to the data of a run, in workers that start at once. */
export class Fits {
  readonly #scheduled: Schedule;
  readonly #dataset: Dataset;
  readonly #programs: SinglePrograms;

  /** @param data as programs saw them. */
  constructor(data: DatasetJson, scheduled: Schedule = defaultSchedule) {
    const maxGradients = Math.min(mostGradients, scheduled.maxGradients);
    const schedule = { ...scheduled, draws, maxGradients };
    const workers = navigator.hardwareConcurrency;
    this.#scheduled = scheduled;
    this.#dataset = datasetFromJson(data);
    this.#programs = new SinglePrograms({
      schedule,
      seconds: fitSeconds,
      workers,
      programsPerWorker,
    });
    this.#programs.warm(this.#dataset);
  }

  /**
   * Fits the programs of the page; a fit that cannot be made is replaced by its reason.
   *
   * @param shown the data with the roles by which they are shown.
   * @throws MissingPartError if no worker can be started.
   */
  async of(facts: DatabaseFacts, shown: DatasetJson): Promise<Fitted> {
    const run = (job: Job) => this.#programs.run(job, this.#dataset);
    const [fits, printed] = await Promise.all([
      fitFacts(facts, shown, run, this.#scheduled),
      Promise.all(facts.best.slice(0, mostShown).map((one) => printedOf(one, run))),
    ]);
    return { fits, printed };
  }

  /** Ends the workers. */
  close(): Promise<void> {
    return this.#programs.close();
  }
}

type Run = (job: Job) => ReturnType<SinglePrograms["run"]>;

async function fitFacts(
  { drawn, byAnswer, best: [best] }: DatabaseFacts,
  data: DatasetJson,
  run: Run,
  scored: Schedule,
): Promise<FitFacts> {
  const isSeries = scored.time !== undefined;
  const grid = isSeries ? undefined : gridOf(data);
  const known = new Map<string, Promise<Drawn>>();
  const curveOf = (text: string): Promise<Drawn> => {
    const found = known.get(text) ?? drawsAt(text, repeated(grid!), run);
    known.set(text, found);
    return found;
  };
  const [average, models, checked, replicated] = await Promise.all([
    grid ? Promise.all(drawn.map(({ text }) => curveOf(text))) : [],
    grid ? Promise.all(byAnswer.map(({ text }) => curveOf(text))) : [],
    best && run({ program: best.text, wanted: { kind: "summaries" }, schedule: scored }),
    best && !isSeries && replicatedOf(best.text, data, run),
  ]);
  const used = drawn.flatMap(({ draws: times }, i) => {
    const own = average[i];
    return own === undefined || typeof own === "string" ? [] : [{ draws: own, times }];
  });
  const mean = grid && used.length > 0
    ? summariesAt(used, grid.x, grid.divisor, averageStride)
    : undefined;
  const times = used.reduce((sum, one) => sum + one.times, 0);
  const predictive = checked?.execution.score?.predictive;
  return {
    fitted: used.length,
    failed: isSeries
      ? [noCurve]
      : [...new Set(average.flatMap((one) => typeof one === "string" ? [one] : []))],
    share: times / averageDraws,
    ...(grid && mean && { scene: { ...grid.scene, domain: endsOf(grid, mean) }, average: mean }),
    models: byAnswer.flatMap(({ answer }, i) => {
      const own = models[i];
      if (!grid || own === undefined || typeof own === "string") return [];
      return [{ model: answer, at: summariesAt([{ draws: own, times: 1 }], grid.x, grid.divisor) }];
    }),
    ...(replicated && { replicated }),
    statistics: Object.entries(predictive?.checks ?? {}).map(([name, check]) => ({
      name,
      ...check,
    })),
    ...(predictive && { pit: predictive.looPit }),
  };
}

/** Programs of a series are tied to its rows, and to try that with each would cost their fits. */
const noCurve = "the rows of a series are predicted from those before them, and at no other times";

/** The rows of a grid, several times over. */
function repeated({ rows, columns }: Grid): Pick<Grid, "rows" | "columns"> {
  const all = Object.entries(columns).map(([name, values]) =>
    [name, Array.from({ length: repeats }, () => values).flat()] as const
  );
  return { rows: repeats * rows, columns: Object.fromEntries(all) };
}

/** Ends of all that is drawn, with a margin. */
function endsOf({ scene }: Grid, average: readonly PredictedAt[]): readonly [number, number] {
  const values = [
    ...scene.points.map(({ y }) => y),
    ...average.flatMap(({ q05, q95 }) => [q05, q95]),
  ].filter(Number.isFinite);
  const [lo, hi] = rangeOf(values);
  const margin = 0.03 * (hi - lo || 1);
  // An axis of values ≥ 0 does not go below 0.
  return [lo >= 0 ? Math.max(0, lo - margin) : lo - margin, hi + margin];
}

/** Draws at the grid `[draws, rows]`, or why there are none. */
async function drawsAt(
  text: string,
  { rows, columns }: Pick<Grid, "rows" | "columns">,
  run: Run,
): Promise<Drawn> {
  const { execution, payload } = await run({
    program: text,
    wanted: { kind: "predictions", rows, columns },
  });
  if (!payload) return firstFault(execution);
  if (payload.length === 0 || payload.length % (8 * rows) !== 0) return "its draws are incomplete";
  return new Float64Array(payload.slice().buffer);
}

function firstFault({ status, diagnostics }: Execution): string {
  return diagnostics.find(({ severity }) => severity === "error")?.message ?? `it is ${status}`;
}

/** The histogram of the response beside those of data that a program makes up at the same rows. */
async function replicatedOf(text: string, data: DatasetJson, run: Run) {
  const response = responseOf(data);
  if (!response) return undefined;
  const rows = thinned([...response.values.keys()], mostReplicated);
  const at = ({ values }: RowColumn) => rows.map((row) => values[row]);
  const columns = Object.fromEntries(
    rowColumns(data).filter(isGiven).map((one) => [one.name, at(one)]),
  );
  const found = await drawsAt(text, { rows: rows.length, columns }, run);
  if (typeof found === "string") return undefined;
  return replicatedBins(binsOf({ ...response, values: at(response) }), found, rows.length);
}

async function printedOf(
  { text, canonicalHash }: DatabaseFacts["best"][number],
  run: Run,
): Promise<PrintedFacts> {
  const { execution, payload } = await run({ program: text, wanted: { kind: "printed" } });
  if (!payload) return { why: firstFault(execution) };
  const { printed, hash }: PrintedGraph = JSON.parse(new TextDecoder().decode(payload));
  if (!printed.ok) return { why: printed.what };
  if (canonicalHash && hash !== canonicalHash) {
    return { why: "its text is read as another graph than the one that was scored" };
  }
  return { code: printed.text };
}
