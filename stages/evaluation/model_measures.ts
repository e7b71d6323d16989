/** How close a policy came where spellings of one model are one object, their probabilities summed. */
import { exp } from "../../src/numerics/math/mod.ts";
import type { EnumeratedTarget } from "../../src/gfn/evaluation/mod.ts";
import { candidatesOf } from "./candidates.ts";
import { exactly, type Measure, measuresOf } from "./measure.ts";
import { policySubject } from "./subjects.ts";

/**
 * `models` and `tv_models`; nothing where every model has one derivation.
 *
 * @param logP `[objects]`: the policy's log probability of each.
 */
export function modelMeasures(
  { environment, objects, logTarget }: EnumeratedTarget,
  logP: Float64Array,
): Measure[] {
  const { candidates } = candidatesOf(environment, objects);
  if (candidates.length === objects.length) return [];
  const places = new Map(objects.map((object, i) => [object, i]));
  const differences = candidates.map(({ members }) => {
    const at = members.map((object) => places.get(object)!);
    return Math.abs(at.reduce((sum, i) => sum + exp(logP[i]) - exp(logTarget[i]), 0));
  });
  const tv = differences.reduce((sum, one) => sum + one, 0) / 2;
  return measuresOf(policySubject, {
    models: exactly(candidates.length),
    tv_models: exactly(tv),
  });
}
