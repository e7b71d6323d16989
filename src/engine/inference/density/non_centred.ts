/** The non-centred parametrisation of a hierarchy: the same posterior over coordinates without a funnel. */
import { families } from "../../language/distributions/table.ts";
import type { NodeId } from "../../language/ir/node.ts";
import type { CheckedProgram, Parameter } from "../../language/ir/program.ts";
import { dependsOnDiscrete } from "./over_values.ts";
import { sizeOf } from "../../language/ir/shape.ts";

/**
 * The program with vectors of a location and a scale that depends on other parameters moved on the
 * scale of (value − location) / scale, which is independent of both a priori (Papaspiliopoulos,
 * Roberts, Sköld 2007, Statistical Science 22(1)). The value and its distribution are the same;
 * only the unconstrained coordinate is another. `undefined` if there is no such vector.
 */
export function nonCentred(program: CheckedProgram): CheckedProgram | undefined {
  const discrete = dependsOnDiscrete(program);
  const parameters = program.parameters.map((one) =>
    one.prior.args.some((id) => discrete[id]) ? one : moved(program, one)
  );
  return parameters.some((one, k) => one !== program.parameters[k])
    ? { ...program, parameters }
    : undefined;
}

function moved(program: CheckedProgram, parameter: Parameter): Parameter {
  const { prior, shape, transform } = parameter;
  if (prior.family === "gaussian_random_walk") return movedWalk(program, parameter);
  if (prior.family === "mv_normal") return movedRows(program, parameter);
  const at = families[prior.family].location;
  const distinct = new Set(prior.args).size === prior.args.length;
  const suits = at !== undefined && distinct && transform.kind === "identity" && sizeOf(shape) > 1;
  if (!suits || !isFree(program, prior.args[at + 1])) return parameter;
  const [location, scale] = [prior.args[at], prior.args[at + 1]];
  return { ...parameter, transform: { kind: "affine", location, scale } };
}

/** A walk whose steps have a free scale, by its first value and its steps. */
function movedWalk(program: CheckedProgram, parameter: Parameter): Parameter {
  const { prior, shape, transform } = parameter;
  const [location, scale] = prior.args;
  const single = [location, scale].every((id) => program.nodes[id].shape.length === 0);
  const suits = single && location !== scale && transform.kind === "identity" &&
    (shape.at(-1) ?? 0) > 2;
  if (!suits || !isFree(program, scale)) return parameter;
  return { ...parameter, transform: { kind: "walk", location, scale } };
}

/** Rows of a multivariate normal with a free factor, by standard normal numbers. */
function movedRows(program: CheckedProgram, parameter: Parameter): Parameter {
  const { prior, shape, transform } = parameter;
  const [location, factor] = prior.args;
  const suits = shape.length === 2 && shape[0] > 1 && transform.kind === "identity" &&
    program.nodes[factor].shape.length === 2;
  if (!suits || !isFree(program, factor)) return parameter;
  return { ...parameter, transform: { kind: "linear", location, factor } };
}

/** Whether a node depends on a parameter. */
function isFree({ nodes }: CheckedProgram, id: NodeId): boolean {
  const seen = new Set<NodeId>();
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (nodes[next].kind === "parameter") return true;
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...nodes[next].args);
  }
  return false;
}
