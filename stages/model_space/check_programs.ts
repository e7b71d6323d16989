/** Checks the programs of a space on its data, whose rows may follow each other in time. */
import type { Dataset } from "../../src/base/dataset.ts";
import { inTimeOrder } from "../../src/data/time_order.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import type { SpaceName } from "../../src/gfn/spaces/space_names.ts";
import { checkAgainstData } from "../grammar/check_programs.ts";

/** @throws InputError with every distinct finding in the first program of each production. */
export function checkSpacePrograms(
  environment: Environment,
  dataset: Dataset,
  space: SpaceName,
): void {
  const clock = dataset.columns.find(({ role }) => role === "time");
  if (space !== "time_series" || !clock) return checkAgainstData(environment, dataset);
  const ordered = inTimeOrder(dataset, { column: clock.name });
  checkAgainstData(environment, ordered.dataset, { rows: "ordered", time: ordered.time });
}
