/** The grammar that a model space of a pipeline expands to, before any stage runs. */
import { statSync } from "node:fs";
import { relative } from "node:path";
import { inputError } from "../base/diagnostic.ts";
import type { DatasetRequest } from "../data/read_dataset.ts";
import { refuseLinksOutside } from "../base/regular_file.ts";
import type { GrammarSpec } from "../gfn/grammar/mod.ts";
import type { SpaceSpec } from "../gfn/spaces/mod.ts";
import type { ResolvedPipeline, ResolvedStage } from "../pipeline/read/mod.ts";

/**
 * The grammar of a stage of kind `model_space`, of the data file of the stage that it is wired to.
 *
 * @throws InputError if the data cannot be read, are not a file's, or the space does not suit them.
 */
export async function grammarOfSpace(
  { stages }: Pick<ResolvedPipeline, "stages">,
  { name, params, inputs }: ResolvedStage,
): Promise<GrammarSpec> {
  const source = stages.find((stage) => stage.name === inputs.data?.stage);
  if (source?.kind !== "dataset") {
    const message = `Cannot read the data of stage "${name}": they come from ` +
      `"${inputs.data?.stage}", of kind ${source?.kind}`;
    throw inputError("grammar/data", message, undefined, "wanted a stage of kind dataset");
  }
  const { readDataset } = await import("../data/read_dataset.ts");
  const { spaceGrammar } = await import("../gfn/grammar/mod.ts");
  const dataset = await readDataset(source.params as unknown as DatasetRequest);
  return spaceGrammar(dataset, params as unknown as SpaceSpec);
}

/** Bytes of data that are read only to say how large a space is. */
const mostBytes = 1 << 24;

/**
 * The grammar of a space before the run is begun: its data are read if they lie in the project and
 * are few, for the user has not consented to more.
 *
 * @throws Error otherwise; InputError as `grammarOfSpace`.
 */
export async function glanceAtSpace(
  pipeline: Pick<ResolvedPipeline, "stages" | "absolutePath">,
  space: ResolvedStage,
): Promise<GrammarSpec> {
  const { projectRootOf } = await import("../pipeline/project/mod.ts");
  const root = projectRootOf(pipeline.absolutePath);
  const source = pipeline.stages.find(({ name }) => name === space.inputs.data?.stage);
  for (const { path } of source?.files ?? []) {
    if (relative(root, path).startsWith("..")) throw new Error("outside of the project");
    refuseLinksOutside(path, root);
    if (statSync(path).size > mostBytes) throw new Error("too large for a glance");
  }
  return await grammarOfSpace(pipeline, space);
}

/** Characters up to which the priors of a space stand in one line. */
const shortLine = 400;

/**
 * The model spaces of a pipeline in words and numbers, before anything runs; nothing of those that
 * their stages will refuse.
 */
export async function describeSpaces(
  pipeline: Pick<ResolvedPipeline, "stages" | "absolutePath">,
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const stage of pipeline.stages.filter(({ kind }) => kind === "model_space")) {
    const { grammarEnvironment } = await import("../gfn/grammar/mod.ts");
    const { describeSpace } = await import("../gfn/spaces/mod.ts");
    try {
      const spec = await glanceAtSpace(pipeline, stage);
      const [count, ...priors] = describeSpace(spec, grammarEnvironment(spec).count!);
      const all = priors.join("; ");
      const shown = all.length <= shortLine ? all : `${all.slice(0, shortLine)} …`;
      lines.push(`${count}; priors: ${shown}`);
    } catch {
      continue; // the stage reports its fault with its place
    }
  }
  return lines;
}
