/** The theories that may be true: the programs of an environment, each with its prior probability. */
import { inputError } from "../../src/base/diagnostic.ts";
import { exp } from "../../src/numerics/math/mod.ts";
import type { Environment } from "../../src/gfn/environments/mod.ts";
import type { WeighedTheory } from "../../src/executor/theories/messages.ts";

/** Programs that are theories at once: each turn asks all of them. */
const mostTheories = 200;

/** @throws InputError `play/theories` if there are too many to be asked. */
export function theoriesOf(environment: Environment): readonly WeighedTheory[] {
  const { count } = environment;
  if (count !== undefined && count > mostTheories) {
    const message =
      `Cannot play over ${count} programs: at most ${mostTheories} are weighed at each turn`;
    throw inputError("play/theories", message, undefined, "wire a smaller grammar");
  }
  const theories = Array.from(
    environment.enumerate(),
    ({ text, logPrior }) => ({ text, logPrior }),
  );
  const top = theories.reduce((most, { logPrior }) => Math.max(most, logPrior), -Infinity);
  const weights = theories.map(({ logPrior }) => exp(logPrior - top));
  const total = weights.reduce((a, b) => a + b, 0);
  return theories.map(({ text }, k) => ({ text, prior: weights[k] / total }));
}
