/** A pipeline for programs in files and one data file, written as a user would write it. */
import { resolve } from "node:path";
import type { Dataset } from "../../base/dataset.ts";
import { localFiles } from "../../pipeline/toml/mod.ts";
import { readPipeline } from "../../pipeline/process/mod.ts";
import type { ResolvedPipeline } from "../../pipeline/read/mod.ts";
import { readInput } from "../input_file.ts";
import { bayesian, pseudoBma, type ScoreChoice } from "../pseudo_bma.ts";
import { type DataOptions, faults, readScoreData } from "../score_data.ts";
import { budgetEntries, type RankBudget } from "./ranked_pipeline.ts";

/** Flags of the command line beside the files. */
export interface FilesOptions extends DataOptions {
  readonly data: string;
  readonly unit?: "row" | "group";
  readonly rows?: "exchangeable" | "ordered";
  readonly score?: ScoreChoice;
  readonly confirm?: number;
  readonly budget: RankBudget;
}

/** How messages call the pipeline that no file holds. */
const virtualFile = "(command line)";

/**
 * The pipeline that scores these programs on the data: one question, `program`, with a file for
 * each answer. The response is the column that the programs observe, if none is named.
 *
 * @throws InputError if a file cannot be read, or the data do not fit.
 */
export async function pipelineOfFiles(
  programs: readonly string[],
  options: FilesOptions,
): Promise<ResolvedPipeline> {
  const texts = programs.map((path) => new TextDecoder().decode(readInput(path, 1 << 20)));
  const data = await readData(texts, options);
  return await pipelineOfText(filesToml(programs, data, options));
}

/** Reads a pipeline that stands in no file; its paths are relative to the working directory. */
export async function pipelineOfText(text: string): Promise<ResolvedPipeline> {
  const { builtInKinds } = await import("../../../stages/mod.ts");
  const own = resolve(virtualFile);
  const readText = (path: string) =>
    path === own ? Promise.resolve(text) : localFiles.readText(path);
  const files = { readText, exists: localFiles.exists, list: localFiles.list };
  return await readPipeline({ path: virtualFile, kinds: builtInKinds, files });
}

async function readData(texts: readonly string[], options: FilesOptions): Promise<Dataset> {
  const { SinglePrograms } = await import("../../executor/single_programs.ts");
  const { defaultSchedule } = await import("../../engine/score/execution/mod.ts");
  const schedule = { ...defaultSchedule, rows: "ordered" } as const;
  const workers = new SinglePrograms({ schedule, seconds: 60 });
  try {
    return await readScoreData(options.data, texts.join("\n"), options, async (tried) => {
      const check = { program: texts[0], schedule, wanted: { kind: "check" } } as const;
      return faults((await workers.run(check, tried)).execution);
    });
  } finally {
    await workers.close();
  }
}

/** Strings of JSON are strings of TOML. */
const quoted = (value: unknown): string => JSON.stringify(value);

function filesToml(programs: readonly string[], data: Dataset, options: FilesOptions): string {
  const { unit, rows, missing, confirm, budget } = options;
  const line = (key: string, value: unknown) =>
    value === undefined ? [] : [`${key} = ${quoted(value)}`];
  return [
    "format = 1",
    'name = "rank"',
    "seed = 1",
    "[stages.data]",
    'kind = "dataset"',
    ...line("path", options.data),
    ...line("missing", missing),
    "[stages.data.columns]",
    ...data.columns.map(columnLine),
    "[stages.programs]",
    'kind = "program_files"',
    ...line("paths", programs),
    "[stages.target]",
    'kind = "target"',
    'inputs = { environment = "programs", data = "data" }',
    options.score === "evidence" ? bayesian : pseudoBma,
    ...line("unit", unit),
    ...line("rows", rows),
    ...line("confirm", confirm),
    "[stages.rank]",
    'kind = "rank"',
    'inputs = { target = "target" }',
    ...budgetEntries(budget).map(([key, value]) => `${key} = ${value}`),
  ].join("\n") + "\n";
}

/** A response of unknown step is taken for continuous, as `sluice score` takes it. */
function columnLine({ name, role, type, resolution }: Dataset["columns"][number]): string {
  const step = role === "response" && type === "real"
    ? [`resolution = ${quoted(resolution ?? "continuous")}`]
    : [];
  return `${quoted(name)} = { ${
    [`role = ${quoted(role)}`, `type = ${quoted(type)}`, ...step].join(", ")
  } }`;
}
