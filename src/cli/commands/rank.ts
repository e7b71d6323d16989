/** `sluice rank`: scores every program of a space that can be counted, and answers. */
import { type Command, Option } from "@commander-js/extra-typings";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { inputError } from "../../base/diagnostic.ts";
import { demandedLevels } from "../../base/sandbox_level.ts";
import type { ResolvedPipeline } from "../../pipeline/read/mod.ts";
import { missingFile } from "../input_file.ts";
import { wholeNumber } from "../number_flags.ts";
import { collect } from "../pipeline_arguments.ts";
import type { RankBudget } from "../rank/ranked_pipeline.ts";
import type { Terminal } from "../../report/terminal.ts";
import type { Session } from "../session.ts";
import {
  askedSpace,
  formulasAsked,
  responseAsked,
  type SpaceFlags,
  spaceOptions,
} from "../space_options.ts";
import { leftOutNote } from "../space_pipeline.ts";

const example = `
Scores every program of a pipeline's target, the most probable by the prior
first; stages that train are skipped. A data file needs a formula, whose
brackets are the uncertain terms; programs in files need --data. Kinds of
models: regression, growth, dose_response, survival, time_series, ordinal,
gaussian_process, pooling. Known scores come from the memo. After Ctrl-C the
answer covers the programs scored so far (exit status 130), and the same command
resumes.

Example:
  sluice rank pipelines/eight_schools.toml
  sluice rank data/dugongs.csv --formula "length ~ [log(age)]"
  sluice rank data/dugongs.csv --response length --space growth \\
    --curves linear,gompertz,logistic --prior "curve={ width = [0.5, 1, 2] }"
  sluice rank data/penguins.csv --policy regression --executions 0 \\
    --formula "body_mass_g ~ [bill_length_mm] + [flipper_length_mm]"
  sluice rank line.py curve.py --data data/dugongs.csv --response length`;

/** Flags of a command that ranks first, as commander gives them. */
export interface RankedOptions extends SpaceFlags {
  readonly data?: string;
  readonly response?: string;
  readonly rows?: "exchangeable" | "ordered";
  readonly set?: string[];
  readonly target?: string;
  readonly budget?: RankBudget;
  readonly atMost?: number;
  readonly searched?: number;
  readonly policy?: string;
  readonly executions?: number;
}

export function addCommand(root: Command, session: Session): void {
  root.command("rank")
    .description("score every program of a space and print the answer")
    .argument("<what...>", "a pipeline with its @overlays, a data file, or programs (.py)")
    .option("--budget <amount>", "time (90s, 10m) or programs (500) to spend", budgetOf)
    .option(
      "--policy <name>",
      "policy for many data sets that answers first: regression, growth, or a file",
    )
    .option(
      "--executions <n>",
      "most programs to execute; with --policy it may be 0",
      wholeNumber("--executions", 0),
    )
    .option(
      "--searched <n>",
      "number of programs tried before, for the answer's selection bias",
      wholeNumber("--searched", 1),
    )
    .option(
      "--at-most <n>",
      "most programs; a larger space is refused",
      wholeNumber("--at-most", 1),
    )
    .option("--target <stage>", "target of the pipeline, if it has several")
    .option("--set <path=value>", "set one value of the pipeline", collect)
    .addOption(spaceOptions.formula)
    .addOption(spaceOptions.space)
    .addOption(spaceOptions.families)
    .addOption(spaceOptions.curves)
    .addOption(spaceOptions.kernels)
    .addOption(spaceOptions.depth)
    .addOption(spaceOptions.period)
    .addOption(spaceOptions.margins)
    .addOption(spaceOptions.effects)
    .addOption(spaceOptions.prior)
    .option("--data <file>", "data of programs in files: .csv, .tsv, .json or .parquet")
    .option("--response <column>", "response, if nothing else names it")
    .addOption(spaceOptions.category)
    .addOption(spaceOptions.levels)
    .addOption(spaceOptions.resolution)
    .addOption(spaceOptions.missing)
    .addOption(spaceOptions.na)
    .addOption(spaceOptions.frequency)
    .addOption(spaceOptions.group)
    .addOption(spaceOptions.time)
    .addOption(spaceOptions.unit)
    .addOption(spaceOptions.score)
    .addOption(spaceOptions.confirm)
    .addOption(
      new Option("--rows <what>", "whether programs may use the order of rows")
        .choices(["exchangeable", "ordered"] as const).default("exchangeable" as const),
    )
    .option(
      "--workers <n>",
      "sandbox workers (default: one per core)",
      wholeNumber("--workers", 1),
    )
    .addOption(
      new Option("--level <level>", "least level of the sandbox, if above the pipeline's")
        .choices(demandedLevels),
    )
    .option("--json", "print answer.json")
    .option("--quiet", "print nothing but the answer")
    .addHelpText("after", example)
    .action(async (what, options) => {
      const terminal = session.terminal({ quiet: options.quiet });
      const { json = false } = options;
      const asked = formulasAsked(options.formula);
      const answers: object[] = [];
      for (const { formula, response } of asked) {
        if (asked.length > 1 && !json) terminal.out(`\nResponse ${response}`);
        const sink = json ? (answer: object) => answers.push(answer) : undefined;
        try {
          const { exitCode, status } = await rankOne(what, { ...options, formula }, terminal, sink);
          session.exit = Math.max(session.exit, exitCode) as typeof exitCode;
          if (status === "interrupted") break;
        } catch (error) {
          if (asked.length > 1) terminal.note(`response ${response}: no answer`);
          if (json && answers.length > 0) printAnswers(terminal, asked.length, answers);
          throw error;
        }
      }
      if (json) printAnswers(terminal, asked.length, answers);
    });
}

/** Prints the answer, or a list of those that there are where several were asked for. */
function printAnswers(terminal: Terminal, asked: number, answers: readonly object[]): void {
  const whole = asked > 1 ? answers : answers[0];
  if (whole) terminal.data(JSON.stringify(whole, null, 2));
}

/** Ranks one space and prints the answer. */
async function rankOne(
  what: readonly string[],
  options: RankedOptions & {
    readonly workers?: number;
    readonly level?: (typeof demandedLevels)[number];
  },
  terminal: Terminal,
  json: ((answer: object) => void) | undefined,
) {
  const { pipeline, files, notes = [] } = await pipelineOf(what, options);
  for (const note of notes) terminal.note(note);
  const { countPrograms, requireCountable } = await import("../rank/space_size.ts");
  const isNoFile = !what[0].endsWith(".toml");
  const programs = await countPrograms(pipeline);
  requireCountable(programs, isNoFile ? what[0] : pipeline.path, options.atMost, isNoFile);
  const { describeSpaces } = await import("../space_of_pipeline.ts");
  for (const line of await describeSpaces(pipeline)) terminal.note(line);
  const { runWithProgress } = await import("../run_and_report.ts");
  const { concludeRank } = await import("../rank/conclude.ts");
  const { workers, level } = options;
  const { outcome, projectRoot } = await runWithProgress(pipeline, terminal, {
    workers,
    level,
    overlaid: true,
    allowStage: files,
    onStop: "Stopping: the answer is of what is scored",
  });
  const isAnswered = await concludeRank(pipeline, terminal, { outcome, projectRoot, json });
  return isAnswered ? outcome : { ...outcome, exitCode: 1 as const };
}

/** Pipeline to run, and the files that the command line names, which count as allowed. */
interface Asked {
  readonly pipeline: ResolvedPipeline;
  readonly files: readonly string[];
  /** Questions that are left out, though they could be asked; other kinds that columns may have. */
  readonly notes?: readonly string[];
}

/**
 * The pipeline that is meant: of a pipeline file, or of programs on data.
 *
 * @throws InputError if it is neither.
 */
export async function pipelineOf(what: readonly string[], options: RankedOptions): Promise<Asked> {
  const { target, set: sets = [], atMost, searched, data } = options;
  const { executions = options.budget?.executions } = options;
  const policy = options.policy === undefined ? undefined : await pathOf(options.policy);
  if (executions === 0 && policy === undefined) throw nothingToDo();
  const budget = { ...options.budget, executions, atMost, searched, policy };
  const [first, ...rest] = what;
  if (first.endsWith(".toml")) {
    if (options.confirm !== undefined) throw keptInPipeline(first, options.confirm);
    const { rankedPipeline } = await import("../rank/ranked_pipeline.ts");
    const overlays = rest;
    return {
      pipeline: await rankedPipeline({ path: first, overlays, sets, target, budget }),
      files: [],
    };
  }
  const read = (stage: string, path: string) => `${stage}=read:${resolve(path)}`;
  if (what.length === 1 && /\.(csv|tsv|json|parquet)$/i.test(first)) {
    const { pipelineOfFormula } = await import("../rank/ranked_formula.ts");
    const response = responseAsked(first, options);
    const asked = { ...askedSpace(options), response, budget };
    const { pipeline, leftOut, remarks } = await pipelineOfFormula(first, asked);
    const notes = [...remarks, leftOutNote(leftOut) ?? []].flat();
    const isOwn = policy !== undefined && !policy.startsWith("sluice:");
    const files = [read("data", first), ...(isOwn ? [read("rank", policy)] : [])];
    return { pipeline, files, notes };
  }
  if (!what.every((file) => file.endsWith(".py"))) throw unknownSpace(what);
  if (data === undefined) throw noData(what);
  const { pipelineOfFiles } = await import("../rank/ranked_files.ts");
  return {
    pipeline: await pipelineOfFiles(what, { ...options, data, budget }),
    files: [read("data", data), ...what.map((path) => read("programs", path))],
  };
}

async function pathOf(policy: string): Promise<string> {
  return (await import("../rank/policy_path.ts")).policyPath(policy);
}

function nothingToDo(): Error {
  const hint = "add --policy regression, which answers without execution";
  return inputError("rank/executions", "Cannot rank by 0 executions", undefined, hint);
}

function unknownSpace(what: readonly string[]): Error {
  const absent = what.find((file) => !existsSync(file));
  if (absent !== undefined) return missingFile(absent);
  const hint = "name a pipeline (.toml), a data file (.csv) with --response COLUMN, or programs " +
    "(.py) with --data FILE";
  const message = `Cannot rank ${what.join(" ")}: it is no pipeline, data file or program`;
  return inputError("rank/what", message, undefined, hint);
}

function keptInPipeline(path: string, share: number): Error {
  const hint = `write confirm = ${share} in its stage of kind dataset, or in its target`;
  return inputError(
    "rank/confirm",
    `Cannot use --confirm: ${path} says which rows are read`,
    undefined,
    hint,
  );
}

function noData(what: readonly string[]): Error {
  const hint = "add --data FILE: the rows that they are scored by";
  return inputError("rank/data", `Cannot rank ${what.join(" ")} without data`, undefined, hint);
}

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** `90s`, `10m`, `1h`: seconds; `500`: executions. @throws InputError for anything else. */
function budgetOf(text: string): RankBudget {
  const [, digits, unit] = /^\s*(\d+(?:\.\d+)?)\s*([smh]?)\s*$/.exec(text) ?? [];
  const amount = Number(digits);
  if (unit && amount > 0) return { seconds: amount * seconds[unit] };
  if (unit === "" && Number.isInteger(amount) && amount > 0) return { executions: amount };
  const wanted = "a time such as 90s or 10m, or a number of programs";
  throw inputError("cli/budget", `Cannot use --budget ${JSON.stringify(text)}: wanted ${wanted}`);
}
