/** Laws made of laws: mixtures, truncations, and the Cholesky factor of a covariance. */
import type { GraphBuilder } from "../graph/builder.ts";
import type { NodeId } from "../graph/node.ts";
import type { Law } from "../graph/program.ts";
import { describeShape, sizeOf } from "../graph/shape.ts";
import { numberOf } from "./arrays.ts";
import type { Arguments, GivenValue } from "./bind.ts";
import type { Checking } from "./checking.ts";
import type { LawRequest } from "./make_law.ts";
import type { NumericValue, Value } from "./values.ts";

/** Completes a request whose laws need to be rearranged; undefined, with a finding, if they cannot. */
export function structuredLaw(
  checking: Checking,
  args: Arguments,
  request: LawRequest,
  given: ReadonlyMap<string, GivenValue>,
): LawRequest | undefined {
  const family: string = request.family;
  if (family === "mixture") return mixtureOf(checking, args, request, given);
  if (family === "truncated") return truncationOf(request);
  return request;
}

/** One law with a component axis becomes one law for each component. */
function mixtureOf(
  checking: Checking,
  args: Arguments,
  request: LawRequest,
  given: ReadonlyMap<string, GivenValue>,
): LawRequest | undefined {
  const { graph } = checking;
  const [name, laws] = [...request.laws ?? []].find(([, found]) => found.length > 0) ?? [];
  const weights = request.given.get("w");
  if (!name || !laws || weights === undefined) return request;
  const count = graph.shapeOf(weights).at(-1) ?? 1;
  const parts = laws.length === 1 && count > 1 ? splitLaw(graph, laws[0], count) : laws;
  if (parts?.length === count) return { ...request, laws: new Map([[name, parts]]) };
  const found = laws.length === 1 ? describeShape(laws[0].shape) : `${laws.length} distributions`;
  const message = `Cannot mix ${found} by ${count} weights`;
  const place = given.get(name)?.place ?? args.call;
  const hint = "the last axis of the weights and of the components must be equally long";
  checking.error("shapes/mixture", message, place, hint);
  return undefined;
}

/** The components of a law whose last axis tells them apart. */
export function splitLaw(g: GraphBuilder, law: Law, count: number): Law[] | undefined {
  if (law.shape.at(-1) !== count || law.components) return undefined;
  const batch = law.shape.slice(0, -1);
  const size = sizeOf(batch);
  return Array.from({ length: count }, (_, k) => {
    const index = Int32Array.from({ length: size }, (_, i) => i * count + k);
    const args = law.args.map((node) => {
      const shape = g.shapeOf(node);
      if (shape.length === 0) return node;
      return g.gather(g.broadcast(node, law.shape), index, batch);
    });
    return { ...law, args, shape: batch };
  });
}

/** A truncated normal has its own family, as in PyMC. */
function truncationOf(request: LawRequest): LawRequest {
  const [base] = [...request.laws?.values() ?? []].flat();
  if (base?.family !== "normal") return request;
  const [mu, sigma] = base.args;
  const { laws: _, ...rest } = request;
  const given = new Map([["mu", mu], ["sigma", sigma], ...request.given]);
  const shape = request.shape ?? (request.size ? undefined : base.shape);
  return { ...rest, family: "truncated_normal", given, ...shape ? { shape } : {} };
}

/** What `pm.LKJCholeskyCov` gives: `(chol, corr, stds)`; other variables are what they are. */
export function structuredValue(
  checking: Checking,
  _args: Arguments,
  law: Law,
  value: NumericValue,
  options: ReadonlyMap<string, GivenValue>,
): Value {
  if ((law.family as string) !== "lkj_cholesky_cov") return value;
  const computed = options.get("compute_corr");
  if (computed && numberOf(checking, computed.value) === 0) return value;
  return { kind: "sequence", form: "tuple", items: factorParts(checking, law, value) };
}

function factorParts({ graph: g }: Checking, law: Law, packed: NumericValue): NumericValue[] {
  const [n] = law.sizes ?? [1];
  const chol = unpack(g, packed.node, n);
  const covariance = g.matmul(chol, transposed(g, chol, n));
  const stds = g.map("sqrt", g.sum(g.mul(chol, chol), [1]));
  const scale = g.mul(g.reshape(stds, [n, 1]), g.reshape(stds, [1, n]));
  const tensor = (node: NodeId): NumericValue => ({ ...packed, node });
  return [tensor(chol), tensor(g.div(covariance, scale)), tensor(stds)];
}

/** The lower triangle, packed row by row, as a matrix with zeros above. */
export function unpack(g: GraphBuilder, packed: NodeId, n: number): NodeId {
  const index = Int32Array.from({ length: n * n }, (_, flat) => {
    const [i, j] = [Math.floor(flat / n), flat % n];
    return j <= i ? i * (i + 1) / 2 + j : -1;
  });
  return g.gather(packed, index, [n, n]);
}

function transposed(g: GraphBuilder, x: NodeId, n: number): NodeId {
  const index = Int32Array.from(
    { length: n * n },
    (_, flat) => flat % n * n + Math.floor(flat / n),
  );
  return g.gather(x, index, [n, n]);
}
