/** Baselines that are policies: uniform choice, the environment's prior, and those in `compare`. */
import {
  evaluateExactly,
  logPriorOf,
  logUniform,
  policyMass,
} from "../../../src/gfn/evaluation/mod.ts";
import type { ScoredTarget } from "../../evaluation/enumerated.ts";
import { divergenceMeasures } from "../../evaluation/evaluation_rows.ts";
import type { Measure } from "../../evaluation/measure.ts";
import { comparedSubject, priorSubject, uniformSubject } from "../../evaluation/subjects.ts";
import type { TrainedPolicy } from "../../ports/values.ts";

/** Divergences of the uniform distribution, the prior and compared policies, which may have any name, `prior` too. */
export async function policyMeasures(
  scored: ScoredTarget,
  compare: Readonly<Record<string, TrainedPolicy>>,
): Promise<Measure[]> {
  const measures = [
    ...divergenceMeasures(uniformSubject, evaluateExactly(scored, logUniform(scored))),
    ...divergenceMeasures(priorSubject, evaluateExactly(scored, logPriorOf(scored))),
  ];
  for (const [key, { policy }] of Object.entries(compare)) {
    const mass = await policyMass(policy, scored);
    measures.push(...divergenceMeasures(comparedSubject(key), evaluateExactly(scored, mass)));
  }
  return measures;
}
