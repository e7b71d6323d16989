/** The grammar that a model space of a pipeline expands to, before any stage runs. */
import { inputError } from "../base/diagnostic.ts";
import type { DatasetRequest } from "../data/read_dataset.ts";
import type { GrammarSpec } from "../gfn/grammar/spec.ts";
import type { SpaceSpec } from "../gfn/spaces/space.ts";
import type { ResolvedPipeline, ResolvedStage } from "../pipeline/read/resolved.ts";

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
  const { spaceGrammar } = await import("../gfn/spaces/space.ts");
  const dataset = await readDataset(source.params as unknown as DatasetRequest);
  return spaceGrammar(dataset, params as unknown as SpaceSpec);
}
