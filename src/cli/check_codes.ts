/** Columns of a pipeline's data that are amounts and may be codes: `sluice check` remarks on them, as `data` and `rank` do. */
import { codesIn } from "../base/codes.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import { remarkOnCodes } from "../data/hints.ts";
import { parseTable } from "../data/raw_table.ts";
import { numericCell } from "../data/typed_dataset.ts";
import type { ResolvedPipeline, ResolvedStage } from "../pipeline/read/mod.ts";
import { readInput } from "./input_file.ts";

interface DatasetParams {
  readonly path: string;
  readonly columns: Readonly<Record<string, { readonly role: string; readonly type?: string }>>;
}

/**
 * A note for each predictor of three to twelve whole numbers that no formula of the pipeline has in `factor(…)` or
 * `mo(…)`. Files outside of the project are left to the run, and a file that cannot be read to other findings.
 */
export async function codeFindings(
  { stages }: ResolvedPipeline,
  leaveOut: ReadonlySet<string>,
): Promise<Diagnostic[]> {
  const formulas = stages.map(({ rawParams }) => JSON.stringify(rawParams)).join("\n");
  const data = stages.filter(({ kind, name }) => kind === "dataset" && !leaveOut.has(name));
  return (await Promise.all(data.map((stage) => codesOf(stage, formulas)))).flat();
}

async function codesOf(stage: ResolvedStage, formulas: string): Promise<Diagnostic[]> {
  const { path, columns } = stage.params as DatasetParams;
  try {
    const table = await parseTable(readInput(path), path);
    return Object.entries(columns).flatMap(([name, { role, type = "real" }]) => {
      const cells = role === "predictor" && type === "real" ? table.columns.get(name) : undefined;
      const values = cells?.map(numericCell).filter(Number.isFinite);
      const isFactor = ["factor", "mo", "C"].some((one) => formulas.includes(`${one}(${name})`));
      const remark = values && !isFactor ? remarkOnCodes(name, codesIn(values)) : undefined;
      if (!remark) return [];
      const span = stage.placeOf?.(["columns", name]) ?? stage.span;
      return [{
        code: "data/codes",
        severity: "note",
        message: `${name}: ${remark.found}`,
        hint: remark.remedy,
        span,
      }];
    });
  } catch {
    return []; // the stage's own check reports faults of its file
  }
}
