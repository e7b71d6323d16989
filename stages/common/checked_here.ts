/** Checks programs in the process that checks a pipeline: it has no workers, no permission, and a minute. */
import { datasetFromJson, type DatasetJson } from "../../src/base/dataset.ts";
import type { Schedule } from "../../src/engine/score/execution/mod.ts";
import type { CheckRequest } from "../../src/executor/service.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";

/**
 * The context of `sluice check` with an answer to what `checkTexts` asks of the executor: nothing may
 * be started there, and that process is ended like a worker if it does not come to an end.
 */
export function checkingHere(context: StageContext): StageContext {
  const ask = async (_service: string, request: Readonly<Record<string, unknown>>) =>
    await checked(request as unknown as CheckRequest);
  return { ...context, ask: ask as StageContext["ask"] };
}

async function checked(request: CheckRequest) {
  if (request.op !== "check") {
    throw new Error(`internal: no check of a pipeline asks ${request.op}`);
  }
  const { checkProgram } = await import("../../src/engine/language/mod.ts");
  const dataset = datasetFromJson(request.dataset as DatasetJson);
  const schedule = request.schedule as Schedule;
  return request.programs.map((text) => checkProgram(text, dataset, undefined, schedule));
}
