/** `sluice run`: checks a pipeline, plans it, runs it and reports. */
import { type Command, Option } from "@commander-js/extra-typings";
import { demandedLevels } from "../../base/sandbox_level.ts";
import { defaultSqlLimits } from "../../pipeline/basics/mod.ts";
import type { Session } from "../session.ts";
import { byteSize, positiveNumber, share, wholeNumber } from "../number_flags.ts";
import { collect, readPipeline } from "../pipeline_arguments.ts";
import type { RunFlags } from "../run_and_report.ts";
import { continuedState, continueFlag, continueHelp, namedState } from "../continued_state.ts";
import { selectionFlags, selectionOf, stageNames } from "../selection_flags.ts";

const example = `
Unchanged stages come from the cache; an unchanged pipeline records no new run.
An interrupted run resumes where it stopped.
A stage touches nothing outside the project (files, hosts, variables, native
code) without your consent: --allow-stage fetch=read:/data,net:example.org

Example:
  sluice run pipelines/dugongs.toml @configs/fast.toml --set seed=7`;

export function addCommand(root: Command, session: Session): void {
  root.command("run")
    .description("check, plan, run, report")
    .argument("<pipeline>", "the pipeline file")
    .argument("[overlays...]", "@overlay.toml files that replace values, from left to right")
    .option("--set <path=value>", "set one value, after all overlays", collect)
    .option(
      "--workers <n>",
      "sandbox workers (default: one per core)",
      wholeNumber("--workers", 1),
    )
    .addOption(
      new Option("--level <level>", "least level of the sandbox, if above the pipeline's")
        .choices(demandedLevels),
    )
    .option(
      "--audit-memo <share>",
      "execute this share of remembered programs again",
      share("--audit-memo"),
    )
    .option(
      "--check-timeout <seconds>",
      "seconds for each SQL check (default: 60)",
      positiveNumber("--check-timeout"),
    )
    .option(
      "--check-memory <size>",
      "memory for SQL checks (default: 2GiB)",
      byteSize("--check-memory"),
    )
    .option(
      "--max-file-size <size>",
      "largest data file (default: 1GiB)",
      byteSize("--max-file-size"),
    )
    .option(
      "--allow-stage <name=what>",
      "permit a stage what it asks for outside the project; remembered",
      collect,
    )
    .option("--frozen", "fail if the lock file beside the pipeline would change")
    .option("--record", "record a run even if nothing changed since an earlier one")
    .option("--verify", "hash every cached artifact, whatever its size and times")
    .option("--only <stages>", selectionFlags[0][1], stageNames)
    .option("--from <stages>", selectionFlags[1][1], stageNames)
    .option("--to <stages>", selectionFlags[2][1], stageNames)
    .option("--force <stages>", selectionFlags[3][1], stageNames)
    .option(
      "--gpus <n>",
      "number of GPUs (default: those of CUDA_VISIBLE_DEVICES)",
      wholeNumber("--gpus", 0),
    )
    .option(continueFlag, continueHelp, namedState)
    .option("--keep-going", "after a failure, run stages that do not need the failed one (default)")
    .option("--no-keep-going", "after a failure, start no further stage")
    .option("--dry-run", "print the plan and run nothing, like sluice plan")
    .option(
      "--smoke",
      "test run: two steps with a table as policy",
    )
    .option("--label <name>", "short name of the run")
    .option("--tag <word>", "tag of the run; repeatable", collect)
    .option("--note <text>", "a sentence about the run")
    .option("--json", "print events as JSON Lines instead of the report")
    .option("--quiet", "print nothing but the report")
    .addHelpText("after", example)
    .action(async (path, overlays, { set = [], workers, level, frozen, quiet, ...rest }) => {
      const asked = await readPipeline({ path, overlays, sets: set });
      const smoke = rest.smoke ? await smoking() : undefined;
      const sets = [...set, ...smoke?.smokeValues(asked.stages) ?? []];
      const pipeline = smoke ? await readPipeline({ path, overlays, sets }) : asked;
      const terminal = session.terminal({ quiet });
      const flags: RunFlags = {
        workers,
        gpus: rest.gpus,
        level,
        allowStage: rest.allowStage ?? [],
        overlaid: overlays.length + sets.length > 0,
        frozen,
        record: rest.record,
        verify: rest.verify,
        auditShare: rest.auditMemo,
        maxFileBytes: rest.maxFileSize,
        checkLimits: {
          timeout: rest.checkTimeout ?? defaultSqlLimits.timeout,
          memory: rest.checkMemory ?? defaultSqlLimits.memory,
        },
        select: selectionOf(rest) ?? smoke?.smokeSelection(pipeline),
        continueFrom: await continuedState(pipeline, rest.continueFrom),
        failFast: rest.keepGoing === false,
        marks: marksOf(rest),
      };
      if (rest.dryRun) {
        const { planOnly } = await import("../run_and_report.ts");
        const { printPlan } = await import("../plan_page.ts");
        printPlan(await planOnly(pipeline, terminal, flags), terminal);
        return;
      }
      if (rest.json) {
        const { runWithEvents } = await import("../run_and_report.ts");
        session.exit = await runWithEvents(pipeline, session.terminal({ quiet: true }), flags);
        return;
      }
      if (smoke) {
        const { runWithProgress } = await import("../run_and_report.ts");
        const { outcome, projectRoot } = await runWithProgress(pipeline, terminal, flags);
        for (const line of await smoke.traceOf(projectRoot, outcome.runId)) terminal.out(line);
        // Checks are about what was not run.
        session.exit = outcome.stages.some(({ status }) => status === "failed")
          ? outcome.exitCode
          : 0;
        return;
      }
      const { countableNote } = await import("../rank/space_size.ts");
      const { describeSpaces } = await import("../space_of_pipeline.ts");
      for (const line of await describeSpaces(pipeline)) terminal.note(line);
      const values = set.flatMap((one) => ["--set", one]);
      const note = await countableNote(pipeline, [path, ...overlays, ...values]);
      if (note) terminal.note(note);
      const { runAndReport } = await import("../run_and_report.ts");
      session.exit = await runAndReport(pipeline, terminal, flags);
    });
}

/** Deno loads what a literal import may reach, here all of SQL, before any run begins: it has no literal. */
async function smoking(): Promise<typeof import("../smoke.ts")> {
  return await import(`../smoke.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`);
}

/** Marks from the flags --label, --tag and --note; undefined without one. */
function marksOf(
  { label, tag: tags, note }: { label?: string; tag?: readonly string[]; note?: string },
): RunFlags["marks"] {
  const marks = {
    ...(label !== undefined && { label }),
    ...(tags && { tags }),
    ...(note !== undefined && { note }),
  };
  return Object.keys(marks).length === 0 ? undefined : marks;
}
