/** `sluice report`: what a run answers and proved, as Markdown with figures, or as JSON. */
import { join, relative } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { inputError } from "../../base/diagnostic.ts";
import { requireWritable, writeOutput } from "../output_files.ts";
import { projectHere } from "../project_here.ts";
import type { Session } from "../session.ts";

const example = `
With --json the answer is printed: probabilities of all answers, with intervals.
With --certificate --json it is the certificate: what was proved of the policy.

Example:
  sluice report last --out report/`;

export function addCommand(root: Command, session: Session): void {
  root.command("report")
    .description("what a run answers and what it proved: Markdown with figures, or JSON")
    .argument("[run]", 'a run: its id, the beginning of it, or "last"', "last")
    .option("--out <dir>", "folder for report.md and figures; the run's own if left out")
    .option("--json", "print the answer instead")
    .option("--certificate", "with --json: the certificate in the place of the answer")
    .option("--project <dir>", "folder that holds runs/")
    .addHelpText("after", example)
    .action(async (run, { out, json, certificate: proof, project }) => {
      const terminal = session.terminal();
      if (proof && !json) throw certificateOf(run);
      if (out && !json) await requireWritable("--out", out);
      const { query } = await import("../../pipeline/store/query.ts");
      const { runFolder } = await import("../../pipeline/store/run_store.ts");
      const { readReport } = await import("../../report/report.ts");
      const projectRoot = projectHere(project);
      const ask = async (sql: string) => (await query(projectRoot, sql, { run })).objects();
      const { certificate, findings, answer, warnings = [] } = await readReport(ask);
      if (json && !proof) {
        if (!answer) throw nothingAnswered(run);
        return terminal.data(JSON.stringify(answer, null, 2));
      }
      const own = (runId: string) => out ?? join(runFolder(projectRoot, runId), "report");
      if (!certificate && answer && !json) {
        const { answerReport } = await import("../../report/markdown_report/answer.ts");
        const path = join(own(answer.run!.run_id), "report.md");
        const { warningSection } = await import("../../report/markdown_report/report.ts");
        const more = warningSection(warnings).map((part) => `\n${part}\n`).join("");
        writeOutput(path, answerReport(answer) + more);
        return terminal.note(relative(Deno.cwd(), path));
      }
      if (!certificate) throw nothingEvaluated(run);
      if (json) return terminal.data(JSON.stringify(certificate, null, 2));
      const folder = own(certificate.run.run_id);
      const { figures } = await import("../../report/figures/specifications.ts");
      const { svgOf } = await import("../../report/figures/svg.ts");
      const { markdownReport } = await import("../../report/markdown_report/report.ts");
      const drawn = figures(certificate);
      for (const { name, specification } of drawn) {
        writeOutput(join(folder, `${name}.svg`), await svgOf(specification));
      }
      const path = join(folder, "report.md");
      writeOutput(path, markdownReport({ certificate, findings, answer, warnings }, drawn));
      terminal.note(`${relative(Deno.cwd(), path)} and ${drawn.length} figures`);
    });
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
