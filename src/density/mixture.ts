/** Mixtures of a posterior with those that lack an observation each. */
import type { AssembledProgram } from "./assemble.ts";
import type { Backend } from "./backend.ts";
import { ExtendedModule } from "./extended.ts";

/**
 * log p(θ, y) + log(e^a + Σ_u e^(c_u) / L_u) for the likelihood L_u of unit u; the logarithms a and
 * c_u, which must be finite, are the further inputs.
 *
 * @param unitOfRow the unit 0, 1, … of every observation; each is one of its own if left out.
 */
export function mixtureModule(
  assembled: AssembledProgram,
  backend: Backend,
  unitOfRow?: Int32Array,
): ExtendedModule {
  const { g, dimension, observations, likelihood, logPrior } = assembled;
  const units = unitOfRow ? 1 + unitOfRow.reduce((a, b) => Math.max(a, b)) : observations;
  const likelihoods = unitOfRow ? likelihood.ofUnits(unitOfRow, units) : likelihood.ofEach;
  const whole = g.input(dimension, []);
  const lacking = g.sub(g.input(dimension + 1, [units]), likelihoods);
  const lackingOne = g.log(g.sum(g.exp(lacking)));
  const components = g.log(g.add(g.exp(whole), g.exp(lackingOne)));
  const value = g.add(g.add(logPrior, likelihood.whole), components);
  return new ExtendedModule(assembled, backend, value, 1 + units);
}
