/** Fields over the rows whose covariance a program writes out: no factor of it is needed. */
import type { NodeId } from "../../language/ir/node.ts";
import type { CheckedProgram } from "../../language/ir/program.ts";
import { sizeOf } from "../../language/ir/shape.ts";

/** A field that every row has one value of, in its own order and as it is. */
export interface Field {
  /** The node of its values. */
  readonly node: NodeId;
  /** The node of its covariance `[rows, rows]`. */
  readonly covariance: NodeId;
  /** The latent that it is, or is made of. */
  readonly latent: number;
}

/**
 * The field in a likelihood's location μ = f + …, if there is one whose covariance has something added
 * to its diagonal, so that it is positive definite: f itself, or the Cholesky factor of its covariance
 * times standard normal numbers.
 *
 * @param latents what `linearLatents` found.
 */
export function fieldOf(program: CheckedProgram, latents: readonly number[]): Field | undefined {
  const { likelihood: { distribution: { family, args, shape } } } = program;
  if (family !== "normal" || shape.length !== 1) return undefined;
  const [rows] = shape;
  return addends(program, args[0], rows).map((node) => asField(program, latents, node))
    .find((field) => field && isAlone(program, field, args[0]));
}

/** Nodes that μ is a sum of, row by row. */
function addends({ nodes }: CheckedProgram, id: NodeId, rows: number): NodeId[] {
  const node = nodes[id];
  if (sizeOf(node.shape) !== rows) return [];
  if (node.kind === "reshape") return addends({ nodes } as CheckedProgram, node.args[0], rows);
  if (node.kind === "map" && node.op === "add" && node.shape.length === 1) {
    return node.args.flatMap((arg) => addends({ nodes } as CheckedProgram, arg, rows));
  }
  return [id];
}

function asField(
  { nodes, parameters }: CheckedProgram,
  latents: readonly number[],
  id: NodeId,
): Field | undefined {
  const node = nodes[id];
  const covarianceOf = (factor: NodeId) => {
    const found = nodes[factor];
    return found.kind === "cholesky" && hasDiagonal(nodes, found.args[0])
      ? found.args[0]
      : undefined;
  };
  if (node.kind === "parameter") {
    const { prior: { family, args }, shape } = parameters[node.parameter];
    const isVector = family === "mv_normal" && shape.length === 1;
    const covariance = isVector && latents.includes(node.parameter)
      ? covarianceOf(args[1])
      : undefined;
    return covariance === undefined ? undefined : { node: id, covariance, latent: node.parameter };
  }
  if (node.kind !== "matmul") return undefined;
  const white = nodes[node.args[1]].kind === "reshape" ? nodes[node.args[1]].args[0] : node.args[1];
  const source = nodes[white];
  if (source.kind !== "parameter" || !latents.includes(source.parameter)) return undefined;
  const { prior } = parameters[source.parameter];
  const isStandard = prior.family === "normal" &&
    prior.args.every((arg, k) => {
      const known = nodes[arg];
      return known.kind === "constant" && known.values.every((value) => value === k);
    });
  const covariance = isStandard ? covarianceOf(node.args[0]) : undefined;
  return covariance === undefined ? undefined : { node: id, covariance, latent: source.parameter };
}

/** Whether a matrix is something plus a diagonal of positive numbers. */
function hasDiagonal(nodes: CheckedProgram["nodes"], id: NodeId): boolean {
  const node = nodes[id];
  if (node.kind !== "map" || node.op !== "add") return false;
  return node.args.some((arg) => {
    const known = nodes[arg];
    if (known.kind !== "constant" || known.shape.length !== 2) return false;
    const [n] = known.shape;
    return known.values.every((value, at) => at % (n + 1) === 0 ? value > 0 : value === 0);
  });
}

/** Whether only μ itself, once, of the likelihood and of priors depends on the field. */
function isAlone({ nodes, parameters, likelihood }: CheckedProgram, field: Field, mu: NodeId) {
  const latent = nodes.findIndex((node) =>
    node.kind === "parameter" && node.parameter === field.latent
  );
  const usesOf = (id: NodeId) =>
    nodes.reduce(
      (sum, { args }) => sum + args.filter((arg) => arg === id).length,
      0,
    );
  const direct = [
    ...parameters.flatMap(({ prior }) => prior.args),
    ...likelihood.distribution.args.slice(1),
  ];
  let at = field.node;
  if (direct.includes(latent) || direct.includes(at)) return false;
  if (latent !== at && usesOf(latent) !== 1) return false;
  while (at !== mu) {
    if (usesOf(at) !== 1) return false;
    at = nodes.findIndex(({ args }) => args.includes(at));
  }
  return true;
}
