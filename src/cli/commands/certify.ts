/** `sluice certify`: certifies the policies of a finished run again, by random numbers of the reader's. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type Command, Option } from "@commander-js/extra-typings";
import { inputError } from "../../base/diagnostic.ts";
import { linesOf } from "../../base/lines_of.ts";
import type { Verdict } from "../../base/verdicts.ts";
import { findRuns } from "../../pipeline/store/mod.ts";
import { readJsonFile } from "../../pipeline/process/mod.ts";
import type { Certificate, CertificateEvaluation } from "../../report/certificate_schema.ts";
import { number, plainTable } from "../../report/format.ts";
import { wholeNumber } from "../number_flags.ts";
import { projectHere } from "../project_here.ts";
import type { Session } from "../session.ts";

const example = `
A certificate's random numbers depend on the policy, its target, the run's seed
and your word, so no policy can be made for them. Nothing is trained again.
With --seeds several certificates are made,
each bound with its part of the 5 %, and the worst is reported.
Exit status 1: your verdict is against the policy and the author's is not.

With --stdio a program in any language is certified that answers by lines of
JSON: docs/certificates.md, "A policy from elsewhere".

Example:
  sluice certify last --seed fresh`;

export function addCommand(root: Command, session: Session): void {
  root.command("certify")
    .description("certify a finished run's policies again with a new seed")
    .argument("[run]", 'run: its id, a prefix of it, or "last"', "last")
    .option("--seed <text>", "a word of your own, or fresh: drawn now, and printed", "fresh")
    .option(
      "--seeds <n>",
      "number of certificates; the worst is reported",
      wholeNumber("--seeds", 1),
    )
    .addOption(
      new Option("--stdio", "certify a policy of another program, over standard input and output")
        .conflicts(["seed", "seeds", "project"]), // the first line has the seed
    )
    .option("--project <dir>", "folder that holds runs/")
    .option("--quiet", "print nothing but report and verdicts")
    .addHelpText("after", example)
    .action(async (run, { seed, seeds, project, quiet, stdio }, { args }) => {
      if (stdio) return await overStdio(session, args);
      const { pipelineOfRun } = await import("../pipeline_of_run.ts");
      const { conclude, runWithProgress } = await import("../run_and_report.ts");
      const root = projectHere(project);
      const [author] = findRuns(root, run);
      const word = seed === "fresh" ? randomUUID() : seed;
      const pipeline = await pipelineOfRun(root, author, [
        `certificate.seed=${JSON.stringify(word)}`,
        ...(seeds === undefined ? [] : [`certificate.seeds=${seeds}`]),
      ]);
      const theirs = certificateOf(root, author);
      const quietly = session.terminal({ quiet });
      const flags = { overlaid: true, record: true };
      const { outcome, projectRoot } = await runWithProgress(pipeline, quietly, flags);
      await conclude(outcome, pipeline, projectRoot, quietly);
      session.exit = outcome.exitCode;
      const failed = outcome.stages.some(({ status }) => status !== "done" && status !== "cached");
      if (failed) return;
      const own = certificateOf(projectRoot, outcome.runId);
      const terminal = session.terminal();
      const rows = comparison(theirs, own);
      terminal.out(
        plainTable(["stage", "whose", "verdict", "TV at least", "log Z at least"], rows),
      );
      terminal.out(`Seed of the reader: ${word}; run ${outcome.runId}`);
      if (isAgainst(theirs, own)) {
        terminal.problem("The reader's certificate is against a policy that the author's passes");
        session.exit = 1;
      }
    });
}

/** The questions of a certificate are lines of standard output, and its answers of standard input. */
async function overStdio(session: Session, runs: readonly string[]): Promise<void> {
  if (runs.length > 0) {
    const message = `Cannot certify run ${
      runs[0]
    } by --stdio: it is of a policy that answers by lines`;
    throw inputError("cli/certify", message, undefined, "leave out the run, or --stdio");
  }
  const { certifyByLines } = await import("../foreign_policy.ts");
  const { data } = session.terminal({ quiet: true });
  await certifyByLines(linesOf(Deno.stdin.readable), data);
}

function certificateOf(root: string, run: string): Certificate {
  const found = readJsonFile(join(root, "runs", run, "certificate.json"));
  if (found) return found as Certificate;
  const message = `Cannot certify run ${run} again: it has no certificate.json`;
  throw inputError("certify/none", message, undefined, "name a run that was finished");
}

/** A row for the author and one for the reader, for each stage that evaluated a policy. */
function comparison(theirs: Certificate, own: Certificate): string[][] {
  return theirs.evaluations.filter(({ verdict }) => verdict).flatMap((one) => {
    const again = own.evaluations.find(({ stage }) => stage === one.stage);
    return [rowOf(one, "author"), ...(again ? [rowOf(again, "reader")] : [])];
  });
}

function rowOf({ stage, verdict, policy }: CertificateEvaluation, whose: string): string[] {
  const shown = (name: string) => policy[name] ? number(Number(policy[name].value), 3) : "";
  return [stage, whose, String(verdict), shown("tv_lower"), shown("log_z_lower")];
}

/** Verdicts that are against a policy. */
const against: readonly (Verdict | undefined)[] = ["bounded", "inconsistent"];

function isAgainst(theirs: Certificate, own: Certificate): boolean {
  return own.evaluations.some(({ stage, verdict }) => {
    const before = theirs.evaluations.find((one) => one.stage === stage)?.verdict;
    return against.includes(verdict) && !against.includes(before);
  });
}
