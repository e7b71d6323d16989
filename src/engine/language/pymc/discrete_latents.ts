/** Discrete variables that are not observed: one for each datum becomes a mixture, if it can. */
import type { DiscreteLatent } from "./discrete_latent.ts";
import type { GraphBuilder } from "../ir/builder.ts";
import { families } from "../distributions/table.ts";
import type { NodeId } from "../ir/node.ts";
import type { Distribution } from "../ir/program.ts";
import { mapNode } from "../interpreter/arrays.ts";
import type { Arguments } from "../interpreter/bind.ts";
import { distributionNodes } from "../ir/canonical.ts";
import type { ModelState } from "./model_state.ts";
import type { Place } from "../syntax/source.ts";
import type { Value } from "../interpreter/values.ts";

/** Indices of such variables lie beyond those of parameters. */
const firstIndex = 1 << 20;

/** Whether a discrete variable has one element for each datum. */
export function isPerDatum({ responseShape }: ModelState, { shape }: Distribution): boolean {
  return responseShape.length === 1 && `${shape}` === `${responseShape}`;
}

/** `z = pm.Bernoulli("z", p, shape=n)`: a value that only the likelihood may use. */
export function addLatent(
  checking: ModelState,
  args: Arguments,
  name: string,
  distribution: Distribution,
): Value {
  const { graph, latents } = checking;
  const count = countOf(graph, distribution);
  const place = args.call.callee;
  if (count === undefined) {
    const why = "of those with an element for each datum only pm.Bernoulli and pm.Categorical are";
    return refuseLatent(checking, name, place, why);
  }
  const other = latents.find((one) =>
    dependsOn(graph, distributionNodes(distribution), [one]).size > 0
  );
  if (other) return refuseLatent(checking, name, place, `it depends on "${other.name}"`);
  const node = graph.parameter(firstIndex + latents.length, distribution.shape);
  latents.push({ name, place, node, distribution, count, used: false });
  return { kind: "numeric", node, dtype: "int", origin: "tensor" };
}

/** Reports a discrete variable that cannot be summed out. */
export function refuseLatent(checking: ModelState, name: string, place: Place, why: string): Value {
  const message = `Cannot sum out the discrete variable "${name}": ${why}`;
  const hint = "one for each datum that goes into the likelihood alone is summed out, and so are " +
    "those with few values that data share, as a switchpoint; pm.Mixture and " +
    "pm.ZeroInflatedPoisson sum by themselves";
  return checking.error("unsupported/discrete-latent", message, place, hint);
}

function countOf(graph: GraphBuilder, { family, args }: Distribution): number | undefined {
  if (family === "bernoulli") return 2;
  return family === "categorical" ? graph.shapeOf(args[0]).at(-1) : undefined;
}

function dependsOn(
  graph: GraphBuilder,
  roots: readonly NodeId[],
  latents: readonly DiscreteLatent[],
): Set<NodeId> {
  return dependsOnAny(graph, roots, latents.map(({ node }) => node));
}

/** Nodes below the roots that depend on one of these variables. */
export function dependsOnAny(
  graph: GraphBuilder,
  roots: readonly NodeId[],
  variables: readonly NodeId[],
): Set<NodeId> {
  const found = new Set<NodeId>();
  if (variables.length === 0) return found;
  const own = new Set(variables);
  const below = new Set<NodeId>();
  const pending = [...roots];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (below.has(id)) continue;
    below.add(id);
    for (const arg of graph.nodes[id].args) pending.push(arg);
  }
  for (const id of [...below].sort((a, b) => a - b)) {
    if (own.has(id) || graph.nodes[id].args.some((arg) => found.has(arg))) found.add(id);
  }
  return found;
}

/** The likelihood with its discrete variable summed out: a mixture over the variable's values. */
export function sumOut(checking: ModelState, distribution: Distribution): Distribution | undefined {
  const { graph, latents } = checking;
  const used = latents.filter((latent) =>
    dependsOn(graph, distributionNodes(distribution), [latent]).size > 0
  );
  const [latent, other] = used;
  if (!latent) return distribution;
  const refuse = (one: DiscreteLatent, why: string) =>
    void refuseLatent(checking, one.name, one.place, why);
  if (other) return refuse(other, `"${latent.name}" goes into the likelihood too`);
  const path = dependsOn(graph, distributionNodes(distribution), [latent]);
  const plain = families[distribution.family].parameterRanks.every((rank) => rank === 0) &&
    !distribution.components;
  if (!plain || ![...path].every((id) => isElementwise(graph, id, path, latent.node))) {
    return refuse(latent, "data and variable do not go together one by one");
  }
  latent.used = true;
  const components = Array.from({ length: latent.count }, (_, value) => ({
    ...distribution,
    args: distribution.args.map((id) => substituted(graph, id, path, latent.node, value)),
  }));
  return {
    family: "mixture",
    args: [weightsOf(graph, latent)],
    shape: distribution.shape,
    components,
  };
}

/** Whether a node takes element i of the variable to element i of its own. */
function isElementwise(
  graph: GraphBuilder,
  id: NodeId,
  path: ReadonlySet<NodeId>,
  latent: NodeId,
): boolean {
  const node = graph.nodes[id];
  if (id === latent) return true;
  if (node.shape.length !== 1) return false;
  return node.kind === "map" || (node.kind === "take" && !path.has(node.args[0]));
}

/** A node with the variable at one of its values. */
function substituted(
  graph: GraphBuilder,
  root: NodeId,
  path: ReadonlySet<NodeId>,
  latent: NodeId,
  value: number,
): NodeId {
  const made = new Map<NodeId, NodeId>([[latent, graph.scalar(value)]]);
  for (const id of [...path].sort((a, b) => a - b)) {
    if (id === latent) continue;
    const node = graph.nodes[id];
    const args = node.args.map((arg) => made.get(arg) ?? arg);
    made.set(id, node.kind === "map" ? mapNode(graph, node.op, args) : taken(graph, args));
  }
  return made.get(root) ?? root;
}

function taken(graph: GraphBuilder, [x, index]: readonly NodeId[]): NodeId {
  const at = graph.constantOf(index);
  return at === undefined ? graph.take(x, index) : graph.gather(x, Int32Array.of(at), []);
}

/** Probabilities of the values along a last axis. */
function weightsOf(graph: GraphBuilder, { distribution }: DiscreteLatent): NodeId {
  const [p] = distribution.args;
  if (distribution.family === "categorical") return p;
  const shape = graph.shapeOf(p);
  const size = shape.reduce((a, b) => a * b, 1);
  const both = graph.join([graph.sub(graph.scalar(1), p), p]);
  const index = Int32Array.from({ length: 2 * size }, (_, i) => (i % 2) * size + (i >> 1));
  return graph.gather(both, index, [...shape, 2]);
}

/** Deterministics and priors that use such a variable, which has no draws. */
export function refuseUse(checking: ModelState, roots: readonly NodeId[], user: string): boolean {
  const { graph, latents } = checking;
  const used = latents.find((latent) => dependsOn(graph, roots, [latent]).size > 0);
  if (!used) return false;
  refuseLatent(checking, used.name, used.place, `it goes into ${user} too`);
  return true;
}
