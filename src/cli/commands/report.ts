/** `sluice report`: writes the answers and proofs of a run, as a page of HTML with pictures, or as JSON. */
import { join, relative } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { inputError } from "../../base/diagnostic.ts";
import type { Ask } from "../../report/rows.ts";
import { commandName } from "../../base/command_name.ts";
import { requireFolder, requireWritable } from "../output_files.ts";
import { projectHere } from "../project_here.ts";
import type { Session } from "../session.ts";

const example = `
report.html is self-contained. Its pictures lie beside it as SVG and PNG, and
report.md has the same in Markdown. Runs keep no posteriors, so curves and
checks fit the most probable programs again; --no-fit omits them.
With --json the answer is printed: probabilities of all answers, with intervals.
With --certificate --json it is the certificate: what was proved of the policy.

Example:
  sluice report last --out report/ --open`;

/** Options as commander gives them. */
interface Options {
  readonly out?: string;
  readonly open?: true;
  readonly fit: boolean;
  readonly json?: true;
  readonly certificate?: true;
  readonly project?: string;
}

export function addCommand(root: Command, session: Session): void {
  root.command("report")
    .description("write the report of a run: HTML with pictures, or JSON")
    .argument("[run]", 'run: its id, a prefix of it, or "last"', "last")
    .option("--out <dir>", "folder for report.html and pictures (default: the run's own)")
    .option("--open", "show the page in a browser")
    .option("--no-fit", "omit curves and checks, which fit programs again")
    .option("--json", "print the answer instead")
    .option("--certificate", "with --json: the certificate instead of the answer")
    .option("--project <dir>", "folder that holds runs/")
    .addHelpText("after", example)
    .action(async (run, options) => {
      const { out, json, certificate, project } = options;
      if (certificate && !json) throw certificateOf(run);
      if (out && !json) {
        await requireWritable("--out", out);
        requireFolder("--out", out);
      }
      const { queries } = await import("../../pipeline/store/sql/mod.ts");
      const projectRoot = projectHere(project);
      await queries(projectRoot, { run }, async (asking) => {
        const ask = async (sql: string) => (await asking(sql)).objects();
        if (json) return session.terminal().data(await asJson(ask, run, certificate === true));
        await writeReport(ask, run, projectRoot, options, session);
      });
    });
}

/** The answer or the certificate as text. */
async function asJson(ask: Ask, run: string, proof: boolean): Promise<string> {
  const { readReport } = await import("../../report/report.ts");
  const { certificate, answer } = await readReport(ask);
  if (proof && !certificate) throw nothingEvaluated(run);
  if (!proof && !answer) throw nothingAnswered(run);
  return JSON.stringify(proof ? certificate : answer, null, 2);
}

/** Writes page, pictures and Markdown, and shows the page if asked to. */
async function writeReport(
  ask: Ask,
  run: string,
  projectRoot: string,
  { out, open, fit }: Options,
  session: Session,
): Promise<void> {
  const { writeHtmlReport } = await import("../html_report/write.ts");
  const { runFolder } = await import("../../pipeline/store/sql/mod.ts");
  const folderOf = (runId: string) => out ?? join(runFolder(projectRoot, runId), "report");
  const options = { projectRoot, run, command: commandName(), fit };
  const { path, pictures } = await writeHtmlReport(ask, options, folderOf);
  const terminal = session.terminal();
  terminal.note(`${relative(Deno.cwd(), path)} and ${pictures} pictures`);
  if (!open) return;
  const { openPage } = await import("../open_page.ts");
  await openPage(path);
}

function certificateOf(run: string): Error {
  const hint = `write sluice report ${run} --certificate --json`;
  return inputError(
    "cli/certificate",
    "Cannot print --certificate without --json",
    undefined,
    hint,
  );
}

function nothingAnswered(run: string): Error {
  const hint =
    "the answer is of programs that were counted: a stage of kind rank or evaluate_kl; " +
    "--certificate --json prints what was proved of a policy";
  return inputError("report/no-answer", `Run ${run} has no answer`, undefined, hint);
}

function nothingEvaluated(run: string): Error {
  const hint = "a pipeline with a stage of kind evaluate_kl proves something";
  return inputError("report/none", `Run ${run} has evaluated nothing`, undefined, hint);
}
