/** A reward by densities of measurements has no bound unless the step they were recorded to is known. */
import { type Dataset, responseColumn } from "../../src/base/dataset.ts";
import { type InputError, inputError } from "../../src/base/diagnostic.ts";
import { builtInJudges } from "../../src/engine/score/judges/mod.ts";

/**
 * The error for a target that rewards densities of a response of measurements without a declared
 * recording step, whose values do not show one.
 */
export function unboundedReward(data: Dataset, judges: readonly string[]): InputError | undefined {
  const response = responseColumn(data);
  const judge = judges.find((name) => builtInJudges.get(name)?.byDensity);
  if (!judge || response?.type !== "real" || response.resolution !== undefined) return undefined;
  const { name } = response;
  return inputError(
    "data/resolution",
    `Cannot reward by ${judge}: nothing says to what step "${name}" was recorded, and its values do ` +
      "not lie on one decimal grid with ties; a density without a step has no bound",
    undefined,
    `in the stage that reads the data write ${name} = { role = "response", resolution = 0.01 } with ` +
      'the step that it was rounded to, or resolution = "continuous" if it was not',
  );
}

/**
 * The remark on rewards by densities of a response that was declared continuous: a narrow peak on a
 * value can earn any amount.
 */
export function unboundedRemark(data: Dataset, judges: readonly string[]): string | undefined {
  const response = responseColumn(data);
  const judge = judges.find((name) => builtInJudges.get(name)?.byDensity);
  if (!judge || response?.resolution !== "continuous") return undefined;
  return `rewards by ${judge} are not bounded: "${response.name}" is declared continuous, so that a ` +
    "density that is narrow enough at its values is worth as much as one likes";
}
