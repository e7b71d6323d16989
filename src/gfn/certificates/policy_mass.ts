/** log P of given objects under a policy: exact on trees, and on graphs whose paths can be enumerated. */
import { makeBatch } from "../trajectories/batch.ts";
import type { Environment, TerminalObject } from "../environments/environment.ts";
import { policyFlow, terminalLogProbability } from "../evaluation/policy_flow.ts";
import type { Policy } from "../policies/policy.ts";
import { ancestorGraph, endOf } from "./ancestor_graph.ts";

/** The part of a policy that a certificate asks. */
export type CertifiedPolicy = Pick<Policy, "sample" | "score" | "logProbabilities">;

/** Objects per call of `policy.score`, which bounds memory. */
const chunk = 1024;

/** States of a graph beyond which its paths are not enumerated. */
const mostStates = 200_000;

/**
 * `[objects]`: log P(x).
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { createPolicy } from "../policies/create_policy.ts";
 * import { logMassOf } from "./policy_mass.ts";
 * const environment = environmentNamed("numbers", { max: 9, base: 10 });
 * const policy = await createPolicy({ kind: "table" }, environment, "seed");
 * const logP = await logMassOf(policy, environment, [...environment.enumerate()]);
 * assert(Math.abs(logP!.reduce((sum, one) => sum + Math.exp(one), 0) - 1) < 1e-6);
 * ```
 *
 * @returns Undefined where too many paths lead to the objects.
 */
export async function logMassOf(
  policy: CertifiedPolicy,
  environment: Environment,
  objects: readonly Pick<TerminalObject, "actions">[],
): Promise<Float64Array | undefined> {
  if (!environment.backward) return await logProbabilityOfWalks(policy, environment, objects);
  const sequences = objects.map(({ actions }) => actions);
  const graph = ancestorGraph(environment, sequences, mostStates);
  if (!graph) return undefined;
  const logP = terminalLogProbability(await policyFlow(policy, graph));
  return Float64Array.from(sequences, (actions) => {
    return logP[graph.index.get(environment.stateKey!(endOf(environment, actions)))!];
  });
}

/** `[walks]`: Σ log P_F of each sequence of actions. */
export async function logProbabilityOfWalks(
  policy: CertifiedPolicy,
  environment: Environment,
  walks: readonly Pick<TerminalObject, "actions">[],
): Promise<Float64Array> {
  const result = new Float64Array(walks.length);
  for (let begin = 0; begin < walks.length; begin += chunk) {
    const batch = makeBatch(environment, walks.slice(begin, begin + chunk));
    const { logPf } = await policy.score(batch, { grad: false });
    for (let b = 0; b < batch.B; b++) {
      const row = logPf.subarray(b * batch.T, b * batch.T + batch.lengths[b]);
      result[begin + b] = row.reduce((sum, one) => sum + one, 0);
    }
  }
  return result;
}
