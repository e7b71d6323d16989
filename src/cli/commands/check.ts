/** `sluice check`: reports every fault of a pipeline; nothing is written. */
import type { Command } from "@commander-js/extra-typings";
import { type Diagnostic, InputError } from "../../base/diagnostic.ts";
import { readTrust } from "../../base/trust.ts";
import { consentFlag, describeAsks, type StageAsks } from "../../pipeline/plan/mod.ts";
import type { ResolvedPipeline } from "../../pipeline/read/mod.ts";
import { commandLine } from "../../base/command_name.ts";
import { printDiagnostics } from "../exit.ts";
import type { Session } from "../session.ts";
import { count } from "../../report/format.ts";
import { collect, readSound } from "../pipeline_arguments.ts";

const example = `
Example:
  sluice check pipelines/dugongs.toml --set stages.train.steps=2000`;

export function addCommand(root: Command, session: Session): void {
  root.command("check")
    .description("list all mistakes in a pipeline, its data, programs and SQL")
    .argument("<pipeline>", "the pipeline file")
    .argument("[overlays...]", "@overlay.toml files that replace values, from left to right")
    .option("--set <path=value>", "set one value, after all overlays", collect)
    .option("--json", "print the resolved values with their sources")
    .option("--quiet", "print nothing but errors")
    .addHelpText("after", example)
    .action(async (path, overlays, { set = [], json, quiet }) => {
      const terminal = session.terminal({ quiet });
      const { pipeline, diagnostics } = await readSound({ path, overlays, sets: set });
      const deeper = await deeperFindings(pipeline);
      const found = [...diagnostics, ...deeper.findings];
      if (found.some(({ severity }) => severity === "error")) {
        throw new InputError(found, pipeline.sources);
      }
      if (json) {
        terminal.data(JSON.stringify(pipeline.values, null, 2));
        return;
      }
      printDiagnostics(found, terminal, pipeline.sources);
      const stages = pipeline.stages.flatMap((s) => [s, ...s.loop?.stages ?? []]).length;
      const checks = pipeline.checks.length;
      terminal.note(`${path} is well formed: ${count(stages, "stage")}, ${count(checks, "check")}`);
      for (const line of gateLines(pipeline)) terminal.note(line);
      for (const line of asksLines(deeper.asked)) terminal.note(line);
      const sets = set.flatMap((one: string) => ["--set", one]);
      terminal.note(`next: ${commandLine("run", path, ...overlays, ...sets)}`);
    });
}

/** The checks that no line of the pipeline names, for they come with the kinds of its stages. */
function gateLines({ checks }: ResolvedPipeline): string[] {
  return checks.filter(({ span }) => span === undefined)
    .map(({ name }) => `check that comes with a stage: ${name}`);
}

/** Permissions that stages ask for, and findings on data, grammars, policies, plug-ins and SQL. */
async function deeperFindings(
  pipeline: ResolvedPipeline,
): Promise<{ readonly findings: readonly Diagnostic[]; readonly asked: readonly StageAsks[] }> {
  const asked = await stageAsks(pipeline);
  const { checkPipeline } = await import("../check_pipeline.ts");
  return { asked, findings: await checkPipeline(pipeline, asked) };
}

async function stageAsks(pipeline: ResolvedPipeline): Promise<readonly StageAsks[]> {
  const { asksOf } = await import("../../pipeline/plan/mod.ts");
  const { findSluiceHome, projectLayout, projectRootOf } = await import(
    "../../pipeline/project/mod.ts"
  );
  const layout = projectLayout(projectRootOf(pipeline.absolutePath));
  return asksOf(pipeline.stages, layout, findSluiceHome(), new Map(), readTrust().folders);
}

/** Permissions of stages beyond those of built-in kinds, and those that need the user's consent. */
function asksLines(asked: readonly StageAsks[]): string[] {
  return asked.flatMap((one) => {
    const line = `stage "${one.stage}" (${one.kind}) asks for ${describeAsks(one)}`;
    if (!one.asks.some(({ outside }) => outside)) return [line];
    return [line, `  outside the project, so its first run needs ${consentFlag(one)}`];
  });
}
