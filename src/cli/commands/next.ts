/** `sluice next`: which row to measure next, and its expected information. */
import { type Command, Option } from "@commander-js/extra-typings";
import { inputError } from "../../base/diagnostic.ts";
import type { Dataset } from "../../base/dataset.ts";
import type { About } from "../../answers/design/mod.ts";
import type { CandidateRows } from "../next/candidate_rows.ts";
import type { Informed } from "../next/informed_rows.ts";
import { printNext } from "../next/next_page.ts";
import type { WeighedSpace } from "../next/weighed_programs.ts";
import { wholeNumber } from "../number_flags.ts";
import { projectHere } from "../project_here.ts";
import { readRunData } from "../run_artifacts.ts";
import type { Session } from "../session.ts";
import { spaceOptions } from "../space_options.ts";
import { pipelineOf, type RankedOptions } from "./rank.ts";

const example = `
Programs of a data file or a pipeline are scored first, as by sluice rank; a
finished run is used as it is. All programs with target mass predict the
outcomes of each candidate row. The expected information of an outcome is
printed in nats, with an interval for its Monte Carlo error. One nat about
models multiplies the odds of the true one by 2.7 on average.

Example:
  sluice next data/dugongs.csv --formula "length ~ [log(age)]" \\
    --grid "age=0.5:40:0.5"
  sluice next last --candidates rows.csv --about effects --batch 3`;

/** Options as commander gives them. */
interface Options extends RankedOptions {
  readonly candidates?: string;
  readonly grid?: string;
  readonly about: About;
  readonly cost?: string;
  readonly batch?: number;
  readonly show: number;
  readonly top: number;
  readonly draws: number;
  readonly json?: boolean;
  readonly project?: string;
  readonly workers?: number;
}

export function addCommand(root: Command, session: Session): void {
  root.command("next")
    .description("show the most informative rows to measure next")
    .argument("<what...>", 'a data file, a pipeline with its @overlays, a run\'s id or "last"')
    .option("--candidates <file>", "rows that could be measured: .csv, .tsv, .json, .parquet")
    .option("--grid <axes>", 'all combinations as candidates: "dose=0:10:0.5; group=a,b"')
    .addOption(
      new Option(
        "--about <what>",
        "subject of the nats: which program is true, all that is " +
          "unknown, or outcomes at the rows of the data",
      )
        .choices(["models", "effects", "predictions"] as const).default("models" as const),
    )
    .option("--batch <k>", "number of rows to choose jointly", wholeNumber("--batch", 1))
    .option("--cost <column>", "column of the candidates with the cost of a row")
    .option("--show <n>", "number of candidates to print", wholeNumber("--show", 1), 10)
    .option("--top <n>", "most programs", wholeNumber("--top", 1), 20)
    .option("--draws <n>", "draws of each program", wholeNumber("--draws", 64), 512)
    .addOption(spaceOptions.formula)
    .addOption(spaceOptions.space)
    .addOption(spaceOptions.families)
    .addOption(spaceOptions.curves)
    .addOption(spaceOptions.kernels)
    .addOption(spaceOptions.depth)
    .addOption(spaceOptions.period)
    .addOption(spaceOptions.margins)
    .addOption(spaceOptions.prior)
    .option("--response <column>", "response, if nothing else names it")
    .addOption(spaceOptions.category)
    .addOption(spaceOptions.levels)
    .addOption(spaceOptions.resolution)
    .addOption(spaceOptions.missing)
    .addOption(spaceOptions.group)
    .addOption(spaceOptions.unit)
    .addOption(spaceOptions.score)
    .option("--workers <n>", "sandbox workers", wholeNumber("--workers", 1))
    .option("--json", "as JSON")
    .option("--project <dir>", "folder that holds runs/")
    .addHelpText("after", example)
    .action(async (what, options) => {
      requireCandidates(options);
      const terminal = session.terminal({ quiet: options.json });
      const { project, run } = await runOf(what, options, session);
      const { queries } = await import("../../pipeline/store/sql/mod.ts");
      const { weighedPrograms } = await import("../next/weighed_programs.ts");
      const { space, known } = await queries(project, { run }, async (asking) => {
        const ask = async (sql: string) => (await asking(sql)).objects();
        const space = await weighedPrograms(ask, run, options.top);
        return { space, known: await readRunData(project, run, ask) };
      });
      if (known.time) throw inTime(run);
      const { datasetFromJson } = await import("../../base/dataset.ts"); // hashes: slow to load
      const data = datasetFromJson(known.data);
      const candidates = await candidatesOf(options, data);
      const informed = await informedBy(candidates, data, space, options, known.schedule);
      for (const reason of informed.left) terminal.note(reason);
      if (options.json) {
        terminal.data(JSON.stringify(report(informed, space, options, run), null, 2));
      } else printNext({ ...options, informed, candidates, space }, terminal);
    });
}

function requireCandidates({ candidates, grid }: Options): void {
  if ((candidates === undefined) !== (grid === undefined)) return;
  const message = candidates === undefined
    ? "Cannot choose: no candidates are named"
    : "Cannot choose: --candidates and --grid both name candidates";
  const hint = 'add --candidates rows.csv, or --grid "dose=0:10:0.5"';
  throw inputError("next/candidates", message, undefined, hint);
}

function inTime(run: string) {
  const message = `Cannot choose rows of run ${run}: its rows follow each other in time`;
  const hint =
    "the next row in time is the next to be measured; sluice predict says what it may be";
  return inputError("next/time", message, undefined, hint);
}

/** The run that is asked: one that is named, or that of a ranking. */
async function runOf(
  what: readonly string[],
  options: Options,
  session: Session,
): Promise<{ readonly project: string; readonly run: string }> {
  const [first] = what;
  if (!/\.[A-Za-z]+$/.test(first)) return { project: projectHere(options.project), run: first };
  const terminal = session.terminal({ quiet: options.json });
  const { pipeline, files, notes = [] } = await pipelineOf(what, options);
  for (const note of notes) terminal.note(note);
  const { countPrograms, requireCountable } = await import("../rank/space_size.ts");
  const isNoFile = !first.endsWith(".toml");
  const programs = await countPrograms(pipeline);
  requireCountable(programs, isNoFile ? first : pipeline.path, undefined, isNoFile);
  const { runWithProgress } = await import("../run_and_report.ts");
  const { outcome, projectRoot } = await runWithProgress(pipeline, terminal, {
    workers: options.workers,
    overlaid: true,
    allowStage: files,
    onStop: "Stopping: nothing is chosen from half a ranking",
  });
  const { runId, status, stages } = outcome;
  if (status === "done") return { project: projectRoot, run: runId };
  const { explain } = await import("../run_and_report.ts");
  for (const stage of stages) explain(stage, pipeline, terminal);
  session.exit = outcome.exitCode;
  const message = `Cannot choose: the ranking ended ${status}`;
  throw inputError("next/ranking", message, undefined, "run the same command again: it goes on");
}

async function candidatesOf(
  { candidates, grid, cost }: Options,
  data: Dataset,
): Promise<CandidateRows> {
  const { candidatesOfFile, candidatesOfGrid } = await import("../next/candidate_rows.ts");
  return grid === undefined
    ? await candidatesOfFile(candidates!, data, cost)
    : candidatesOfGrid(grid, data);
}

/** Seconds after which a program's fit is given up, and the program left out. */
const fitSeconds = 120;

async function informedBy(
  candidates: CandidateRows,
  data: Dataset,
  { programs, questions }: WeighedSpace,
  { about, batch, draws, workers = navigator.hardwareConcurrency }: Options,
  schedule: Awaited<ReturnType<typeof readRunData>>["schedule"],
): Promise<Informed> {
  const { informedRows } = await import("../next/informed_rows.ts");
  const { outcomesOf, scheduleFor } = await import("../next/program_outcomes.ts");
  const { SinglePrograms } = await import("../../executor/single_programs.ts");
  const { defaultSchedule } = await import("../../engine/score/execution/mod.ts");
  const own = scheduleFor({ ...defaultSchedule, ...schedule }, draws);
  const pool = new SinglePrograms({ schedule: own, seconds: fitSeconds, workers });
  try {
    return await informedRows(
      candidates,
      data,
      { about, questions, ...(batch && { batch }) },
      (rows) => outcomesOf(pool, programs, data, rows, draws),
    );
  } finally {
    await pool.close();
  }
}

function report(
  { rows, batch }: Informed,
  { programs, held }: WeighedSpace,
  { about }: Options,
  run: string,
) {
  return {
    about,
    run,
    programs: programs.length,
    held,
    candidates: rows,
    ...(batch &&
      { batch: batch.map(({ at, adds, error, joint }) => ({ at, adds, error, joint })) }),
  };
}
