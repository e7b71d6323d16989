/** Mixtures of a posterior with those that lack an observation each. */
import type { MixturePart } from "../math/log_density.ts";
import type { AssembledProgram } from "./assemble.ts";
import type { Backend } from "./backend.ts";
import { ExtendedModule } from "./extended.ts";

/**
 * log p(θ, y) + log(e^a + Σ_u e^(c_u) / L_u) for the likelihood L_u of the rows of part u; the
 * logarithms a and c_u, which must be finite, are the further inputs.
 */
export function mixtureModule(
  assembled: AssembledProgram,
  backend: Backend,
  parts: readonly MixturePart[],
): ExtendedModule {
  const { g, dimension, pointwise, logPrior } = assembled;
  const rows = Int32Array.from(parts.flatMap((part) => part.rows));
  const partOfRow = Int32Array.from(parts.flatMap((part, u) => part.rows.map(() => u)));
  const own = g.gather(pointwise, rows, [rows.length]);
  const likelihoods = rows.length === parts.length
    ? own
    : g.scatter(own, partOfRow, [parts.length]);
  const whole = g.input(dimension, []);
  const lacking = g.sub(g.input(dimension + 1, [parts.length]), likelihoods);
  const lackingOne = g.log(g.sum(g.exp(lacking)));
  const components = g.log(g.add(g.exp(whole), g.exp(lackingOne)));
  const value = g.add(g.add(logPrior, g.sum(pointwise)), components);
  return new ExtendedModule(assembled, backend, value, 1 + parts.length);
}
