/** Distances of a policy from a surrogate's target, where objects can be enumerated though not scored. */
import { exp } from "../../src/numerics/math/mod.ts";
import type { Environment, TerminalObject } from "../../src/gfn/environments/mod.ts";
import { logMassOf } from "../../src/gfn/certificates/mod.ts";
import type { Quantities } from "../evaluation/measure.ts";
import { logMassOf as believed } from "./baselines/known.ts";
import type { Surrogate, TrainedPolicy } from "../ports/values.ts";

/** E|x| of a standard normal number. */
const meanAbsolute = 0.7978846;

/**
 * The total variation between policy and renormalised surrogate. By the triangle inequality that from
 * the target is within TV(surrogate, target), of which the interval has what the surrogate's
 * calibrated deviations expect: it holds as far as those do, and is no bound.
 */
export async function distanceToSurrogate(
  { policy }: TrainedPolicy,
  objects: readonly TerminalObject[] | undefined,
  { environment, surrogate: given }: {
    readonly environment: Environment;
    readonly surrogate?: Surrogate;
  },
): Promise<Quantities> {
  if (!given || !objects) return {};
  const { surrogate } = given;
  const logP = await logMassOf(policy, environment, objects);
  if (!logP) return {};
  const logQ = believed(surrogate, { objects });
  const value = 0.5 * logP.reduce((sum, one, x) => sum + Math.abs(exp(one) - exp(logQ[x])), 0);
  const heavy = [...objects.keys()].filter((x) => surrogate.known(objects[x].text) === undefined)
    .sort((a, b) => logQ[b] - logQ[a] || a - b);
  const looked = heavy.slice(0, mostLooked);
  const rest = heavy.slice(mostLooked).reduce((sum, x) => sum + exp(logQ[x]), 0);
  const predicted = surrogate.predict(looked.map((x) => objects[x]));
  const error = looked.reduce((sum, x, i) => {
    return sum + exp(logQ[x]) * Math.min(1, meanAbsolute * Math.sqrt(predicted[i].variance)) / 2;
  }, rest / 2);
  const interval = [Math.max(0, value - error), Math.min(1, value + error)] as const;
  const n = surrogate.size;
  return { tv_surrogate: { value, mcse: 0, interval, n, method: "against a surrogate" } };
}

/** Unscored objects whose deviation is computed; the others count as wholly unknown. */
const mostLooked = 2048;
