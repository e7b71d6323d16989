/** Checks the programs of a space on its data, whose rows may follow each other in time. */
import type { Dataset } from "../../src/base/dataset.ts";
import { inTimeOrder } from "../../src/data/time_order.ts";
import type { Environment } from "../../src/gfn/environments/mod.ts";
import type { SpaceName } from "../../src/gfn/spaces/mod.ts";
import { defaultSchedule } from "../../src/engine/score/execution/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { checkAgainstData } from "../grammar/check_programs.ts";

/** @throws InputError with every distinct finding in the first program of each production. */
export async function checkSpacePrograms(
  context: StageContext,
  environment: Environment,
  dataset: Dataset,
  space: SpaceName,
): Promise<void> {
  const clock = dataset.columns.find(({ role }) => role === "time");
  if (space !== "time_series" || !clock) {
    return await checkAgainstData(context, environment, { dataset });
  }
  const { dataset: ordered, time } = inTimeOrder(dataset, { column: clock.name });
  const schedule = { ...defaultSchedule, rows: "ordered", time } as const;
  await checkAgainstData(context, environment, { dataset: ordered, schedule });
}
