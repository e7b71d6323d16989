/** Mixtures of a posterior with a tempered one and with those that lack observations. */
import type { NodeId } from "../../language/ir/node.ts";
import type { MixtureComponents } from "../../../numerics/math/mod.ts";
import type { AssembledProgram } from "./assemble.ts";
import type { Backend } from "./backend.ts";
import { ExtendedModule } from "./extended.ts";
import { fewRows } from "./few_rows.ts";

/** The logarithm of a mixture; weights and power are its further inputs. */
export function mixtureModule(
  assembled: AssembledProgram,
  backend: Backend,
  parts: MixtureComponents["parts"],
): ExtendedModule {
  const { g, dimension, likelihood, logPrior } = assembled;
  const [whole, tempered, power] = [0, 1, 2].map((k) => g.input(dimension + k, []));
  const lacking = g.sub(g.input(dimension + 3, [parts.length]), partLikelihoods(assembled, parts));
  const components = [
    whole,
    g.sub(tempered, g.mul(power, likelihood.whole)),
    g.log(g.sum(g.exp(lacking))),
  ];
  const mixture = g.log(components.map((one) => g.exp(one)).reduce((a, b) => g.add(a, b)));
  const value = g.add(g.add(logPrior, likelihood.whole), mixture);
  return new ExtendedModule(assembled, backend, value, 3 + parts.length);
}

/** The further inputs of these components. */
export function furtherInputs({ whole, tempered, parts }: MixtureComponents): Float64Array {
  const { logWeight, power } = tempered;
  return Float64Array.of(whole, logWeight, power, ...parts.map((part) => part.logWeight));
}

/** log L_u of every part. */
function partLikelihoods(
  { g, likelihood, observations }: AssembledProgram,
  parts: MixtureComponents["parts"],
): NodeId {
  if (parts.every(({ rows }) => rows.length === 1)) {
    return fewRows(g, likelihood.ofEach, Int32Array.from(parts, ({ rows: [i] }) => i));
  }
  const partOfRow = new Int32Array(observations).fill(parts.length);
  parts.forEach(({ rows }, u) => rows.forEach((i) => partOfRow[i] = u));
  const all = likelihood.ofUnits(partOfRow, parts.length + 1);
  return g.gather(all, Int32Array.from(parts, (_, u) => u), [parts.length]);
}
