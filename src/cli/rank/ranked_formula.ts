/** The pipeline that `sluice rank` runs for a data file and a formula. */
import type { ResolvedPipeline } from "../../pipeline/read/mod.ts";
import { inspectFile } from "../inspect_file.ts";
import type { AskedSpace } from "../asked_space.ts";
import { formulaFindings } from "../formula_findings.ts";
import { spacePipeline } from "../space_pipeline.ts";
import { pipelineOfText } from "./ranked_files.ts";
import { isTrainedOn, pathForFamily } from "./policy_path.ts";
import { budgetEntries, type RankBudget } from "./ranked_pipeline.ts";

/** Flags of the command line beside the file. */
export interface FormulaOptions extends AskedSpace {
  readonly response: string;
  readonly budget: RankBudget;
}

/** The pipeline, and columns that could be asked about, and are not. */
export interface FormulaPipeline {
  readonly pipeline: ResolvedPipeline;
  readonly leftOut: readonly string[];
  /** Remarks on columns whose kind was inferred, perhaps wrongly. */
  readonly remarks: readonly string[];
}

/**
 * The pipeline that `sluice init` would write, with what may be spent.
 *
 * @throws InputError if the file cannot be read, or formula and families do not suit it.
 */
export async function pipelineOfFormula(
  file: string,
  { response, budget, ...asked }: FormulaOptions,
): Promise<FormulaPipeline> {
  const read = await inspectFile(file, response, asked);
  const { columns } = read;
  const proposed = spacePipeline({ name: "rank", path: file, columns, ...asked });
  const { policy } = budget;
  const trained = policy === undefined || asked.families
    ? undefined
    : proposed.families?.find((one) => isTrainedOn(policy, one));
  const isNarrowed = trained !== undefined && proposed.families!.length > 1;
  const written = isNarrowed
    ? spacePipeline({ name: "rank", path: file, columns, ...asked, families: [trained] })
    : proposed;
  const { toml, leftOut, formula } = written;
  const remarks = [
    ...written.remarks,
    ...formulaFindings(read, { ...asked, formula }, written.families),
    ...(isNarrowed ? [`--families ${trained}: the policy was trained on no other`] : []),
  ];
  const [family] = written.families ?? [];
  const own = policy && family ? { policy: pathForFamily(policy, family) } : {};
  const lines = budgetLines({ ...budget, ...own });
  return { pipeline: await pipelineOfText(toml + lines), leftOut, remarks };
}

/** Lines of the stage `rank`, which comes last. */
function budgetLines(budget: RankBudget): string {
  return budgetEntries(budget).map(([key, value]) => `${key} = ${value}\n`).join("");
}
