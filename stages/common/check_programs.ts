/** Has programs checked by workers of the executor: no stage reads a program in its own process. */
import { type Dataset, datasetToJson } from "../../src/base/dataset.ts";
import { defaultSchedule, type Schedule } from "../../src/engine/score/execution/mod.ts";
import type { CheckedLikelihood, CheckedText } from "../../src/executor/checks.ts";
import type { CheckRequest } from "../../src/executor/service.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";

/** Data and rules that programs are checked by. */
export interface CheckedOn {
  readonly dataset: Dataset;
  /** Its rules of rows and time are the check's; that of the executions, so that workers are shared. */
  readonly schedule?: Schedule;
}

/** Findings of the check in each text, by text. */
export async function checkTexts(
  context: Pick<StageContext, "ask">,
  texts: readonly string[],
  on: CheckedOn,
): Promise<ReadonlyMap<string, CheckedText>> {
  const distinct = [...new Set(texts)];
  if (distinct.length === 0) return new Map();
  const request: CheckRequest = { op: "check", programs: distinct, ...common(on) };
  const found = await context.ask<CheckedText[]>("executor", { ...request });
  return new Map(distinct.map((text, i) => [text, found[i]]));
}

/** Whether each likelihood is a distribution, at so many draws of the parameters from their prior. */
export async function checkLikelihoods(
  context: Pick<StageContext, "ask">,
  programs: readonly string[],
  draws: number,
  on: CheckedOn,
): Promise<CheckedLikelihood[]> {
  if (programs.length === 0) return [];
  const request: CheckRequest = { op: "likelihood", programs, draws, ...common(on) };
  return await context.ask<CheckedLikelihood[]>("executor", { ...request });
}

function common({ dataset, schedule = defaultSchedule }: CheckedOn) {
  const purpose = "check" as const;
  return { dataset: datasetToJson(dataset), schedule, executor: "native", purpose };
}
