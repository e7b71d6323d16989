/** The pipeline that `sluice rank` runs for a data file and a formula. */
import type { ResolvedPipeline } from "../../pipeline/read/mod.ts";
import { inspectFile } from "../inspect_file.ts";
import type { AskedSpace } from "../asked_space.ts";
import { formulaFindings } from "../formula_findings.ts";
import { spacePipeline } from "../space_pipeline.ts";
import { pipelineOfText } from "./ranked_files.ts";
import { pathForFamily } from "./policy_path.ts";
import { budgetEntries, type RankBudget } from "./ranked_pipeline.ts";

/** What the command line says beside the file. */
export interface FormulaOptions extends AskedSpace {
  readonly response: string;
  readonly budget: RankBudget;
}

/** The pipeline, and columns that could be asked about, and are not. */
export interface FormulaPipeline {
  readonly pipeline: ResolvedPipeline;
  readonly leftOut: readonly string[];
  /** What columns were taken for, and may not be. */
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
  const written = spacePipeline({ name: "rank", path: file, columns, ...asked });
  const { toml, leftOut, formula } = written;
  const remarks = [
    ...written.remarks,
    ...formulaFindings(read, { ...asked, formula }, written.families),
  ];
  const { policy } = budget;
  const type = columns.find(({ role }) => role === "response")?.type;
  const own = policy === undefined ? {} : { policy: policyOf(policy, written, type) };
  const lines = budgetLines({ ...budget, ...own });
  return { pipeline: await pipelineOfText(toml + lines), leftOut, remarks };
}

/** The file of the one family, or of the first that the response suggests. */
function policyOf(
  policy: string,
  { families, formula }: {
    readonly families: readonly string[] | undefined;
    readonly formula: string;
  },
  type: string | undefined,
): string {
  if (families?.length === 1) return pathForFamily(policy, families[0]);
  const usual = / \| *trials\(/.test(formula) ? "binomial" : usualOf[type ?? ""];
  return families || !usual ? policy : pathForFamily(policy, usual);
}

const usualOf: Readonly<Record<string, string>> = { binary: "bernoulli", count: "poisson" };

/** Lines of the stage `rank`, which comes last. */
function budgetLines(budget: RankBudget): string {
  return budgetEntries(budget).map(([key, value]) => `${key} = ${value}\n`).join("");
}
