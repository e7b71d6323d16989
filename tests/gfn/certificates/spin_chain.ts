/** Thirty bits with a field and a coupling of neighbours: 2^30 objects, whose truth is a sum of products. */
import { RandomStream } from "../../../src/base/random.ts";
import type { Environment } from "../../../src/gfn/environments/environment.ts";
import { maskOf, treeEnvironment } from "../../../src/gfn/environments/tree.ts";
import type { CertifiedPolicy } from "../../../src/gfn/certificates/policy_mass.ts";
import type { Trajectory } from "../../../src/gfn/trajectories/trajectory.ts";

/** Bits. */
export const bits = 30;

/** log R = Σ field[j] x_j + Σ coupling[j] x_j x_{j+1}; a field of −Infinity keeps a bit at 0. */
export interface Chain {
  readonly field: readonly number[];
  readonly coupling: readonly number[];
}

/** Fields of a strength, half of them upwards, and couplings of half of it. */
export function chainOf(strength: number, seed: number): Chain {
  const random = new RandomStream("chain", seed);
  const draw = () => strength * (2 * random.uniform() - 1);
  return {
    field: Array.from({ length: bits }, draw),
    coupling: Array.from({ length: bits - 1 }, () => 0.5 * draw()),
  };
}

/** log R of a text of bits. */
export function logRewardOf({ field, coupling }: Chain, text: string): number {
  let sum = 0;
  for (let j = 0; j < bits; j++) {
    if (text[j] !== "1") continue;
    sum += field[j];
    if (text[j + 1] === "1") sum += coupling[j];
  }
  return sum;
}

/** One decision per bit, in order. */
export function chainEnvironment(chain: Chain): Environment {
  const masks = [maskOf(3, [0, 1]), maskOf(3, [2])];
  return treeEnvironment<string>({
    kind: "spin_chain",
    spec: chain,
    actionNames: ["0", "1", "exit"],
    maxActions: bits + 1,
    count: 2 ** bits,
    initial: "",
    after: (text, action) => `${text}${action}`,
    legal: ({ length }) => masks[length === bits ? 1 : 0],
    object: (text) => ({ text, features: [] }),
    logReward: (text) => logRewardOf(chain, text),
  }) as Environment;
}

/** `[bits][bit before]`: log of the sum of weights from a bit on; and log Z. */
function messages(
  { field, coupling }: Chain,
): { readonly from: number[][]; readonly logZ: number } {
  const from = Array.from({ length: bits + 1 }, () => [0, 0]);
  for (let j = bits - 1; j >= 0; j--) {
    for (const before of [0, 1]) {
      const one = field[j] + (before === 1 && j > 0 ? coupling[j - 1] : 0) + from[j + 1][1];
      from[j][before] = logAdd(from[j + 1][0], one);
    }
  }
  return { from, logZ: from[0][0] };
}

function logAdd(a: number, b: number): number {
  const most = Math.max(a, b);
  return most === -Infinity ? most : most + Math.log(Math.exp(a - most) + Math.exp(b - most));
}

/** A policy whose objects are as R of a chain, exactly, and its log Z. */
export function chainPolicy(chain: Chain): {
  readonly policy: CertifiedPolicy;
  readonly logZ: number;
  readonly logP: (text: string) => number;
} {
  const { from, logZ } = messages(chain);
  const { field, coupling } = chain;
  const logOne = (j: number, before: number) =>
    field[j] + (before === 1 && j > 0 ? coupling[j - 1] : 0) + from[j + 1][1] - from[j][before];
  const rowOf = (j: number, before: number) => {
    const one = logOne(j, before);
    return [from[j + 1][0] - from[j][before], one];
  };
  const policy: CertifiedPolicy = {
    sample: (environment, { count, random, epsilon, temperature, given }) =>
      Promise.resolve(Array.from({ length: count }, (_, i): Trajectory => {
        const actions: number[] = [];
        let logPf = 0;
        for (let j = 0; j < bits; j++) {
          const row = rowOf(j, j > 0 ? actions[j - 1] : 0);
          const asked = given?.[i]?.[j];
          const warm = row.map((one) => Math.exp(one / temperature));
          const p = epsilon / 2 + (1 - epsilon) * warm[1] / (warm[0] + warm[1]);
          const action = asked ?? (random.uniform() < p ? 1 : 0);
          logPf += row[action];
          actions.push(action);
        }
        if (given?.[i]?.length !== bits + 1) random.uniform();
        const text = actions.join("");
        const { logPrior } = environment.terminal(
          actions.reduce((state, one) => environment.step(state, one), environment.initialState()),
        );
        return { actions: [...actions, 2], logPf, logPb: 0, logPrior, text };
      })),
    score: (batch) => {
      const logPf = new Float64Array(batch.B * batch.T);
      for (let b = 0; b < batch.B; b++) {
        for (let j = 0; j < Math.min(bits, batch.lengths[b]); j++) {
          const at = b * batch.T + j;
          logPf[at] = rowOf(j, j > 0 ? batch.actions[at - 1] : 0)[batch.actions[at]];
        }
      }
      const zeros = new Float64Array(logPf.length);
      return Promise.resolve({ logPf, logExit: zeros, logFlow: zeros, handle: 0 });
    },
    logProbabilities: () => Promise.reject(new Error("internal: nobody lists 2^30 objects")),
  };
  return { policy, logZ, logP: (text) => logRewardOf(chain, text) - logZ };
}

/** TV(P, π) = E_π[(1 − P / π)₊] by draws of the target, with its standard error. */
export async function distance(
  target: Chain,
  policy: Chain,
  environment: Environment,
  draws = 20_000,
): Promise<{ readonly value: number; readonly mcse: number }> {
  const [of, by] = [chainPolicy(target), chainPolicy(policy)];
  const random = new RandomStream("distance");
  const own = { count: draws, random, epsilon: 0, temperature: 1 };
  const walks = await of.policy.sample(environment, own);
  const shares = walks.map(({ text }) => Math.max(0, 1 - Math.exp(by.logP(text) - of.logP(text))));
  const value = shares.reduce((sum, one) => sum + one, 0) / draws;
  const squares = shares.reduce((sum, one) => sum + (one - value) ** 2, 0);
  return { value, mcse: Math.sqrt(squares) / draws };
}
