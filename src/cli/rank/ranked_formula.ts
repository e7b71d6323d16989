/** The pipeline that `sluice rank` runs for a data file and a formula. */
import type { ResolvedPipeline } from "../../pipeline/read/resolved.ts";
import { inspectFile } from "../inspect_file.ts";
import { spacePipeline } from "../space_pipeline.ts";
import { pipelineOfText } from "./ranked_files.ts";
import type { RankBudget } from "./ranked_pipeline.ts";

/** What the command line says beside the file. */
export interface FormulaOptions {
  readonly response: string;
  /** Every predictor is in question, if left out. */
  readonly formula?: string;
  readonly families?: string;
  readonly budget: RankBudget;
}

/**
 * The pipeline that `sluice init` would write, with what may be spent.
 *
 * @throws InputError if the file cannot be read, or formula and families do not suit it.
 */
export async function pipelineOfFormula(
  file: string,
  { response, formula, families, budget }: FormulaOptions,
): Promise<ResolvedPipeline> {
  const { columns } = await inspectFile(file, response);
  const asked = { formula, families: families?.split(",").map((name) => name.trim()) };
  const { toml } = spacePipeline({ name: "rank", path: file, columns, ...asked });
  return await pipelineOfText(toml + budgetLines(budget));
}

/** Lines of the stage `rank`, which comes last. */
function budgetLines({ seconds, executions, atMost }: RankBudget): string {
  return Object.entries({ seconds, executions, at_most: atMost })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key} = ${value}\n`).join("");
}
