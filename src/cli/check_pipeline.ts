/** Checks a pipeline beyond its own text: data, programs, policies, plug-ins, SQL. */
import { fileURLToPath } from "node:url";
import { builtInKindFile, builtInKinds } from "../../stages/mod.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import { projectRootOf } from "../pipeline/project/mod.ts";
import { checkStages, type StageAsks } from "../pipeline/plan/mod.ts";
import { codeFindings } from "./check_codes.ts";
import { modelFindings } from "./check_models.ts";
import type { ResolvedPipeline, ResolvedStage, Wires } from "../pipeline/read/mod.ts";

/** All findings. Stages that read outside the project are left to the run, which asks first. */
export async function checkPipeline(
  pipeline: ResolvedPipeline,
  asked: readonly StageAsks[],
): Promise<readonly Diagnostic[]> {
  const outside = asked.filter(readsOutside);
  const projectRoot = projectRootOf(pipeline.absolutePath);
  const leaveOut = new Set(outside.map(({ stage }) => stage));
  const [stages, sql, models, codes] = await Promise.all([
    checkStages(pipeline, {
      projectRoot,
      builtInKindFile: (kind) => fileURLToPath(builtInKindFile(kind)),
      leaveOut,
      moreInputs: (stage) => dataOfPrograms(stage, pipeline),
    }),
    sqlFindings(pipeline),
    modelFindings(pipeline, projectRoot),
    codeFindings(pipeline, leaveOut),
  ]);
  return [...stages, ...models, ...sql, ...codes];
}

/** Servers of built-in kinds are asked in a run alone, so that such stages can be checked. */
function readsOutside({ kind, asks }: StageAsks): boolean {
  const ofServers = builtInKinds.has(kind) ? ["net", "env", "run"] : [];
  return asks.some(({ outside, permission }) => outside && !ofServers.includes(permission));
}

/** A grammar is checked on the data of the target that rewards its programs. */
function dataOfPrograms({ kind, name }: ResolvedStage, { stages }: ResolvedPipeline): Wires {
  if (kind !== "grammar") return {};
  const target = stages.find((one) =>
    one.kind === "target" && one.inputs.environment?.stage === name
  );
  return target?.inputs.data ? { data: target.inputs.data } : {};
}

async function sqlFindings({ checks }: ResolvedPipeline): Promise<readonly Diagnostic[]> {
  if (checks.length === 0) return [];
  const { checkSql } = await import("../pipeline/store/sql/mod.ts");
  return await checkSql(checks.map(({ sql, name, sqlSpan }) => ({ sql, name, span: sqlSpan })));
}
