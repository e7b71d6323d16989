/** `sluice grammar`: the grammar of a model space, as a file that can be edited. */
import type { Command } from "@commander-js/extra-typings";
import { inputError } from "../../base/diagnostic.ts";
import type { ResolvedPipeline, ResolvedStage } from "../../pipeline/read/mod.ts";
import { collect, readPipeline } from "../pipeline_arguments.ts";
import type { Session } from "../session.ts";

const example = `
Prints how many programs a model space has, its questions and their priors;
with --eject the grammar, a TOML file whose programs, hashes and priors are
those of the space. A stage of kind "grammar" with its path takes the place of
the space in the pipeline.

Example:
  sluice grammar --eject seeds.toml > seeds_grammar.toml`;

export function addCommand(root: Command, session: Session): void {
  root.command("grammar")
    .description("show the grammar of a model space")
    .argument("<pipeline>", "the pipeline file")
    .argument("[overlays...]", "@overlay.toml files that replace values, from left to right")
    .option("--eject", "print the grammar itself")
    .option("--stage <name>", "model space, if there are several")
    .option("--set <path=value>", "set one value, after all overlays", collect)
    .addHelpText("after", example)
    .action(async (path, overlays, { eject, stage: asked, set = [] }) => {
      const terminal = session.terminal();
      const pipeline = await readPipeline({ path, overlays, sets: set });
      const stage = spaceOf(pipeline, asked);
      const { grammarOfSpace } = await import("../space_of_pipeline.ts");
      const { grammarEnvironment } = await import("../../gfn/grammar/mod.ts");
      const { describeSpace } = await import("../../gfn/spaces/mod.ts");
      const spec = await grammarOfSpace(pipeline, stage);
      const words = describeSpace(spec, grammarEnvironment(spec).count!);
      if (!eject) return words.forEach((line) => terminal.out(line));
      const { grammarText } = await import("../../gfn/grammar/mod.ts");
      const { formula } = stage.params as { readonly formula: string };
      const written = [`Written by sluice grammar --eject ${path}, of`, `  ${formula}`, ...words];
      terminal.data(grammarText(spec, written.map(oneLine)).trimEnd());
    });
}

/** A comment ends with its line. */
function oneLine(text: string): string {
  return text.replace(/[^\x20-\x7e\xa0-\uffff]+/g, " ");
}

/** @throws InputError where the pipeline has no model space, or several and none is named. */
function spaceOf({ stages, path }: ResolvedPipeline, asked: string | undefined): ResolvedStage {
  const spaces = stages.filter(({ kind }) => kind === "model_space");
  const found = asked === undefined && spaces.length === 1
    ? spaces[0]
    : spaces.find(({ name }) => name === asked);
  if (found) return found;
  const names = spaces.map(({ name }) => name).join(", ") || "none";
  const wanted = asked === undefined ? "one" : `"${asked}"`;
  const message = `Cannot show a grammar of ${path}: stages of kind model_space are ${names}, ` +
    `wanted ${wanted}`;
  const hint = spaces.length > 1
    ? "name one: --stage NAME"
    : "sluice init FILE writes such a pipeline";
  throw inputError("grammar/space", message, undefined, hint);
}
