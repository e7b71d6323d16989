/** Writes the HTML report of a run into a folder, and its pictures as files. */
import { join } from "node:path";
import type { DatasetJson } from "../../base/dataset.ts";
import { InputError, inputError } from "../../base/diagnostic.ts";
import { shellWords } from "../../base/shell_words.ts";
import { draw, type PictureFiles, pictureFiles } from "../../report/html_report/draw.ts";
import type { Picture } from "../../report/figures/picture.ts";
import type { DrawnPicture } from "../../report/html_report/drawn.ts";
import { markdownOf } from "../../report/markdown_report/whole.ts";
import {
  type DatabaseFacts,
  type FitFacts,
  isMissing,
  type Missing,
  type PageFacts,
  type PrintedFacts,
} from "../../report/html_report/facts.ts";
import { page } from "../../report/html_report/page.ts";
import { picturesOf } from "../../report/html_report/pictures_of.ts";
import { readDatabaseFacts } from "../../report/html_report/read_facts.ts";
import { withFormula } from "../../report/html_report/data_facts.ts";
import type { Ask } from "../../report/rows.ts";
import { refuseLinks, writeOutput } from "../output_files.ts";
import { readRunData, type RunData } from "../run_artifacts.ts";
import type { Fits } from "./fits.ts";

/** Inputs of the page beside the run. */
export interface HtmlReportOptions {
  readonly projectRoot: string;
  readonly run: string;
  /** How Sluice is called. */
  readonly command: string;
  /** Whether programs are fitted again, for what the run did not keep. */
  readonly fit: boolean;
}

/** Path and contents of the written page. */
export interface WrittenReport {
  readonly path: string;
  readonly pictures: number;
}

/**
 * Writes `report.html` and a picture of each kind; those that hold no picture are left out. Workers for
 * the fits start while the database is read, and what needs no fit is drawn while programs are fitted.
 *
 * @throws InputError `report/none` if the run has neither an answer nor a proof nor an episode nor a scored program.
 */
export async function writeHtmlReport(
  ask: Ask,
  options: HtmlReportOptions,
  folderOf: (runId: string) => string,
): Promise<WrittenReport> {
  const found = await dataOf(ask, options);
  const fits = options.fit && "data" in found ? await startedFits(found) : undefined;
  try {
    const told = await readDatabaseFacts(ask);
    requireTold(told, options.run);
    const folder = folderOf(told.run.runId);
    refuseLinks(join(folder, "report.html")); // before the work
    return await written(told, { found, fits, folder }, options.command);
  } finally {
    await fits?.close();
  }
}

/** Readers and fits that make the page. */
interface Means {
  readonly found: RunData | Missing;
  readonly fits: Fits | undefined;
  readonly folder: string;
}

async function written(
  told: DatabaseFacts,
  { found, fits, folder }: Means,
  command: string,
): Promise<WrittenReport> {
  const formula = told.params.get("stages.programs.formula");
  const again = `${command} ${shellWords(told.run.argv)}`;
  const data = "data" in found ? withFormula(found.data, formula) : { ...found, mend: again };
  const [first, fitted] = await Promise.all([
    drawFiles({ ...told, data, fits: { why: "" }, printed: [], command }, new Map()),
    fitsOf(told, data, fits, command),
  ]);
  const facts: PageFacts = { ...told, data, ...fitted, command };
  const drawn = await drawFiles(facts, first);
  const write = (name: string, content: string | Uint8Array) => {
    const path = join(folder, name);
    refuseLinks(path);
    writeOutput(path, content);
  };
  for (const { files } of drawn.values()) files.forEach((content, name) => write(name, content));
  write("report.html", page(facts, drawn));
  const markdown = markdownOf(facts.report);
  if (markdown !== undefined) write("report.md", markdown);
  return { path: join(folder, "report.html"), pictures: drawn.size };
}

type DrawnWithFiles = DrawnPicture & { readonly files: PictureFiles };

/** All pictures of the facts and their files, in their order; those that are known are not drawn again. */
async function drawFiles(
  facts: PageFacts,
  known: ReadonlyMap<string, DrawnWithFiles>,
): Promise<ReadonlyMap<string, DrawnWithFiles>> {
  const all: [string, DrawnWithFiles][] = [];
  for (const picture of picturesOf(facts)) {
    const { name } = picture;
    all.push([name, known.get(name) ?? await drawWithFiles(picture)]);
  }
  return new Map(all);
}

async function drawWithFiles(picture: Picture): Promise<DrawnWithFiles> {
  const drawn = await draw(picture);
  return { ...drawn, files: await pictureFiles(drawn) };
}

function requireTold({ report, best, statuses }: DatabaseFacts, run: string): void {
  if (report.answer || report.certificate || report.played || best.length > 0) return;
  const scored = statuses.reduce((sum, { programs }) => sum + programs, 0);
  const message = scored === 0
    ? `Run ${run} has nothing to report: it executed no program and evaluated no policy`
    : `Run ${run} has nothing to report: it counted no programs and evaluated no policy`;
  const hint = "a stage of kind rank or evaluate_kl answers; sluice rank PIPELINE adds one to a " +
    "pipeline";
  throw inputError("report/none", message, undefined, hint);
}

/** The data, or why they are not to be had. */
async function dataOf(
  ask: Ask,
  { projectRoot, run }: HtmlReportOptions,
): Promise<RunData | Missing> {
  try {
    return await readRunData(projectRoot, run, ask);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { why: `${error.diagnostics[0].message}.` };
  }
}

async function startedFits({ data, schedule }: RunData): Promise<Fits> {
  const { Fits } = await import("./fits.ts");
  return new Fits(data, schedule);
}

interface Fitted {
  readonly fits: FitFacts | Missing;
  readonly printed: readonly PrintedFacts[];
}

async function fitsOf(
  facts: DatabaseFacts,
  data: DatasetJson | Missing,
  fits: Fits | undefined,
  command: string,
): Promise<Fitted> {
  const posteriors = "Posteriors of programs are not kept by a run";
  if (isMissing(data)) {
    const why = `${posteriors}, and the data that they could be drawn from again are gone.`;
    return { fits: { why, mend: data.mend }, printed: [] };
  }
  if (facts.best.length === 0) {
    return { fits: { why: "No program of this run has a score." }, printed: [] };
  }
  if (fits) return await fits.of(facts, data);
  const mend = `${command} report ${facts.run.runId} --out DIR`;
  return { fits: { why: `${posteriors}, and none was drawn for this page.`, mend }, printed: [] };
}
