/** Writes the HTML report of a run into a folder, and its pictures as files. */
import { join } from "node:path";
import { InputError, inputError } from "../../base/diagnostic.ts";
import { draw, type PictureFiles, pictureFiles } from "../../report/html_report/draw.ts";
import type { Picture } from "../../report/figures/picture.ts";
import type { DrawnPicture } from "../../report/html_report/drawn.ts";
import { markdownOf } from "../../report/markdown_report/whole.ts";
import type {
  DatabaseFacts,
  FitFacts,
  Missing,
  PageFacts,
  PrintedFacts,
} from "../../report/html_report/facts.ts";
import { page } from "../../report/html_report/page.ts";
import { picturesOf } from "../../report/html_report/pictures_of.ts";
import { readDatabaseFacts } from "../../report/html_report/read_facts.ts";
import { withFormula } from "../../report/html_report/data_facts.ts";
import type { Ask } from "../../report/rows.ts";
import { refuseLinks, writeOutput } from "../output_files.ts";
import { readRunData, type RunData } from "../run_artifacts.ts";

/** What the page is made of beside the run. */
export interface HtmlReportOptions {
  readonly projectRoot: string;
  readonly run: string;
  /** How Sluice is called. */
  readonly command: string;
  /** Whether programs are fitted again, for what the run did not keep. */
  readonly fit: boolean;
}

/** What was written. */
export interface WrittenReport {
  readonly path: string;
  readonly pictures: number;
}

/**
 * Writes `report.html` and a picture of each kind; those that hold no picture are left out. What needs
 * no fit is drawn while programs are fitted.
 *
 * @throws InputError `report/none` if the run has neither an answer nor a proof nor a scored program.
 */
export async function writeHtmlReport(
  ask: Ask,
  options: HtmlReportOptions,
  folderOf: (runId: string) => string,
): Promise<WrittenReport> {
  const { projectRoot, run, command } = options;
  const told = await readDatabaseFacts(ask);
  requireTold(told, run);
  const folder = folderOf(told.run.runId);
  refuseLinks(join(folder, "report.html")); // before the work
  const known = await dataOf(projectRoot, run, [command, ...told.run.argv].join(" "));
  const formula = told.params.get("stages.programs.formula");
  const data = "data" in known ? withFormula(known.data, formula) : known;
  const [first, fitted] = await Promise.all([
    drawFiles({ ...told, data, fits: { why: "" }, printed: [], command }, new Map()),
    fitsOf(told, known, options),
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
  if (report.answer || report.certificate || best.length > 0) return;
  const scored = statuses.reduce((sum, { programs }) => sum + programs, 0);
  const message = scored === 0
    ? `Run ${run} has nothing to report: it executed no program and evaluated no policy`
    : `Run ${run} has nothing to report: it counted no programs and evaluated no policy`;
  const hint = "a stage of kind rank or evaluate_kl answers; sluice rank PIPELINE adds one to a " +
    "pipeline";
  throw inputError("report/none", message, undefined, hint);
}

/** The data, or why they are not to be had. */
async function dataOf(project: string, run: string, again: string): Promise<RunData | Missing> {
  try {
    return await readRunData(project, run);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { why: `${error.diagnostics[0].message}.`, mend: again };
  }
}

interface Fitted {
  readonly fits: FitFacts | Missing;
  readonly printed: readonly PrintedFacts[];
}

async function fitsOf(
  facts: DatabaseFacts,
  known: RunData | Missing,
  { fit, command }: HtmlReportOptions,
): Promise<Fitted> {
  const posteriors = "Posteriors of programs are not kept by a run";
  if (!("data" in known)) {
    const why = `${posteriors}, and the data that they could be drawn from again are gone.`;
    return { fits: { why, mend: known.mend }, printed: [] };
  }
  if (facts.best.length === 0) {
    return { fits: { why: "No program of this run has a score." }, printed: [] };
  }
  if (!fit) {
    const mend = `${command} report ${facts.run.runId} --out DIR`;
    return { fits: { why: `${posteriors}, and none was drawn for this page.`, mend }, printed: [] };
  }
  const { fitPrograms } = await import("./fits.ts");
  const shown = withFormula(known.data, facts.params.get("stages.programs.formula"));
  return await fitPrograms(facts, { shown, scored: known.data }, known.schedule);
}
