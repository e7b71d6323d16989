/** `sluice check`: says everything that is wrong with a pipeline; nothing is written. */
import type { Command } from "@commander-js/extra-typings";
import { readTrust } from "../../base/trust.ts";
import type { ResolvedPipeline } from "../../pipeline/read/resolved.ts";
import type { Session } from "../session.ts";
import { count } from "../../report/format.ts";
import { collect, readPipeline } from "../pipeline_arguments.ts";

const example = `
Example:
  sluice check pipelines/dugongs.toml --set stages.train.steps=2000`;

export function addCommand(root: Command, session: Session): void {
  root.command("check")
    .description("validate a pipeline: syntax, keys, types, wiring, files")
    .argument("<pipeline>", "the pipeline file")
    .argument("[overlays...]", "@overlay.toml files, laid over it from left to right")
    .option("--set <path=value>", "set one value, over everything else", collect)
    .option("--json", "print the resolved values and where each came from")
    .option("--quiet", "print nothing but errors")
    .addHelpText("after", example)
    .action(async (path, overlays, { set = [], json, quiet }) => {
      const terminal = session.terminal({ quiet });
      const pipeline = await readPipeline({ path, overlays, sets: set });
      if (json) {
        terminal.data(JSON.stringify(pipeline.values, null, 2));
        return;
      }
      const stages = pipeline.stages.flatMap((s) => [s, ...s.loop?.stages ?? []]).length;
      const checks = pipeline.checks.length;
      terminal.note(`${path} is well formed: ${count(stages, "stage")}, ${count(checks, "check")}`);
      for (const line of await asksLines(pipeline)) terminal.note(line);
      terminal.note(`next: sluice run ${path}`);
    });
}

/** What stages may touch beyond what built-in kinds do, and what needs the user's yes. */
async function asksLines(pipeline: ResolvedPipeline): Promise<string[]> {
  const { asksOf, consentFlag, describeAsks } = await import("../../pipeline/plan/consent.ts");
  const { findSluiceHome, projectLayout, projectRootOf } = await import(
    "../../pipeline/contract/project.ts"
  );
  const layout = projectLayout(projectRootOf(pipeline.absolutePath));
  const asked = asksOf(pipeline.stages, layout, findSluiceHome(), new Map(), readTrust().folders);
  return asked.flatMap((one) => {
    const line = `stage "${one.stage}" (${one.kind}) asks for ${describeAsks(one)}`;
    if (!one.asks.some(({ outside }) => outside)) return [line];
    return [line, `  outside the project, so its first run needs ${consentFlag(one)}`];
  });
}
