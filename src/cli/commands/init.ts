/** `sluice init`: a pipeline for a data file, which runs as it stands. */
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { count } from "../../report/format.ts";
import { commandLine } from "../../base/command_name.ts";
import { inspectFile } from "../inspect_file.ts";
import { byteSize } from "../number_flags.ts";
import { refuseToReplace, requireWritable, writeOutput } from "../output_files.ts";
import { countPrograms, mostPrograms } from "../rank/space_size.ts";
import {
  askedSpace,
  formulasAsked,
  responseAsked,
  type SpaceFlags,
  spaceOptions,
} from "../space_options.ts";
import { formulaFindings } from "../formula_findings.ts";
import { leftOutNote, spacePipeline, spaceReadme, type SpaceRequest } from "../space_pipeline.ts";
import type { Terminal } from "../../report/terminal.ts";
import type { Session } from "../session.ts";

const example = `
Writes NAME.toml, the pipeline, and NAME.md, how to go on. Every program is
scored; if there are more than 100,000, a policy learns to sample them. Each
predictor may be in or out at first: edit the formula, and set priors in the
table [stages.programs.priors]. Kinds of models: regression, growth,
dose_response, survival, time_series, ordinal, gaussian_process, pooling.

Example:
  sluice init beetles.csv --response beetles
  sluice init fish.csv --response length --space growth --formula "length ~ age"`;

export function addCommand(root: Command, session: Session): void {
  root.command("init")
    .description("write a pipeline for a data file")
    .argument("<file>", "data: .csv, .tsv, .json or .parquet")
    .option("--response <column>", "response, if the formula does not name it")
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
    .addOption(spaceOptions.category)
    .addOption(spaceOptions.levels)
    .addOption(spaceOptions.resolution)
    .addOption(spaceOptions.group)
    .addOption(spaceOptions.time)
    .addOption(spaceOptions.unit)
    .addOption(spaceOptions.confirm)
    .addOption(spaceOptions.missing)
    .addOption(spaceOptions.na)
    .addOption(spaceOptions.frequency)
    .option("--out <dir>", "folder to write to (default: that of the data)")
    .option("--force", "replace existing files")
    .option(
      "--max-file-size <size>",
      "largest data file (default: 1GiB)",
      byteSize("--max-file-size"),
    )
    .addHelpText("after", example)
    .action(async (file, options) => {
      const terminal = session.terminal();
      const asked = formulasAsked(options.formula);
      const stem = basename(file).replace(/\.[^.]*$/, "");
      const names = fileNames(stem, asked.map(({ response }) => response));
      for (const [k, { formula }] of asked.entries()) {
        const name = asked.length > 1 ? names[k] : stem;
        await writeSpace(file, name, { ...options, formula }, terminal);
      }
    });
}

/** A name for the files of each response, `log(y)` and `log_y` apart. */
function fileNames(stem: string, responses: readonly string[]): readonly string[] {
  const names: string[] = [];
  for (const response of responses) {
    const plain = `${stem}_${response.replace(/[^\p{L}\p{N}]+/gu, "_").replace(/^_|_$/g, "")}`;
    let name = plain;
    for (let k = 2; names.includes(name); k++) name = `${plain}_${k}`;
    names.push(name);
  }
  return names;
}

/** Flags of the command. */
interface InitOptions extends SpaceFlags {
  readonly response?: string;
  readonly out?: string;
  readonly force?: true;
  readonly maxFileSize?: number;
}

/** Writes the pipeline of one response, and how to go on. */
async function writeSpace(
  file: string,
  name: string,
  options: InitOptions,
  terminal: Terminal,
): Promise<void> {
  const { out, force, maxFileSize } = options;
  const response = responseAsked(file, options);
  const inspected = await inspectFile(file, response, { ...options, maxFileSize });
  const folder = out ?? dirname(file);
  const path = relative(folder, file) || basename(file);
  const request = { name, path, columns: inspected.columns, ...askedSpace(options) };
  const programs = await programsOf({ ...request, path: file });
  const learns = (programs ?? 0) > mostPrograms;
  const { confirm = learns ? confirmedShare(inspected.rows, request) : undefined } = request;
  const written = spacePipeline({ ...request, learns, confirm });
  const pipeline = join(folder, `${name}.toml`);
  const readme = join(folder, `${name}.md`);
  await requireWritable("--out", pipeline);
  for (const one of [pipeline, readme]) if (!force) refuseToReplace(one);
  writeOutput(pipeline, written.toml);
  const consent = await consentTo(file, pipeline);
  writeOutput(readme, spaceReadme(name, pipeline, written, { learns, consent }));
  terminal.out(`wrote ${pipeline} and ${readme}`);
  terminal.out(`  ${written.formula}`);
  if (written.families) terminal.out(`  families: ${written.families.join(", ")}`);
  const findings = formulaFindings(
    inspected,
    { ...request, formula: written.formula },
    written.families,
  );
  const remarks = [...inspected.findings, ...written.remarks, ...findings];
  for (const remark of remarks) terminal.note(remark);
  const notAsked = leftOutNote(written.leftOut);
  if (notAsked) terminal.note(notAsked);
  if (learns) terminal.note(`${count(programs!, "program")}: too many to score each`);
  terminal.note(`next: ${commandLine("run", pipeline, ...consent)}`);
}

/** Rows from which on a search withholds some; with fewer, withheld rows cost more information than they give. */
const enoughRows = 100;

/** The share of rows that meets the winners of a search alone; none where single rows say nothing of it. */
function confirmedShare(
  rows: number,
  { space, unit, missing }: Pick<SpaceRequest, "space" | "unit" | "missing">,
): number | undefined {
  const isSingle = space !== "time_series" && unit !== "group" && missing !== "model";
  return rows >= enoughRows && isSingle ? 0.2 : undefined;
}

/** Programs of the space that a pipeline asks about; undefined where only a run can say. */
async function programsOf(request: SpaceRequest): Promise<number | undefined> {
  const { pipelineOfText } = await import("../rank/ranked_files.ts");
  return await countPrograms(await pipelineOfText(spacePipeline(request).toml));
}

/** The yes that a run asks for where the data lie outside of the pipeline's project. */
async function consentTo(file: string, pipeline: string): Promise<readonly string[]> {
  const { projectRootOf } = await import("../../pipeline/project/mod.ts");
  const inside = !relative(projectRootOf(resolve(pipeline)), resolve(file)).startsWith("..");
  return inside ? [] : ["--allow-stage", `data=read:${resolve(file)}`];
}
