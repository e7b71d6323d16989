/** Puts a graph into the one order that names, spelling and the order of statements do not change. */
import { sha256 } from "../base/digest.ts";
import { type GraphBuilder, nodeLabel } from "../graph/builder.ts";
import type { GraphNode, NodeId } from "../graph/node.ts";
import { commutative } from "../graph/operations.ts";
import type {
  CheckedProgram,
  Deterministic,
  Law,
  Likelihood,
  Parameter,
  Transform,
} from "../graph/program.ts";
import { refineColours, type Vertex } from "./refinement.ts";

/** The parts of a program that are put into order. */
export interface Parts {
  readonly parameters: readonly Parameter[];
  readonly deterministics: readonly Deterministic[];
}

/** A checked program without its findings, and the parameters that nothing depends on. */
export interface Canonical {
  readonly checked: Pick<
    CheckedProgram,
    "nodes" | "parameters" | "deterministics" | "likelihood" | "hash"
  >;
  /** Indices into `Parts.parameters`: those without influence on the likelihood. */
  readonly unused: readonly number[];
}

/**
 * Orders nodes and parameters by colour refinement (Weisfeiler and Leman 1968) over the graph,
 * downwards through arguments and priors and upwards through uses, and hashes the result.
 * Deterministics come after everything that is scored and are not part of the hash.
 */
export function canonicalise(
  graph: GraphBuilder,
  { parameters, deterministics }: Parts,
  likelihood: Likelihood,
): Canonical {
  const influential = reachable(graph, parameters, lawNodes(likelihood.law));
  const roots = [
    ...lawNodes(likelihood.law),
    ...parameters.map((parameter, i) => graph.parameter(i, parameter.shape)),
  ];
  const core = reachable(graph, parameters, roots);
  const ordered = orderCore(graph, parameters, likelihood, core);
  const order = [...ordered, ...orderExtra(graph, parameters, deterministics, ordered)];
  const renaming = new Renaming(graph, order);
  const checked = renaming.program(parameters, deterministics, likelihood);
  const hash = hashOf({ ...checked, nodes: checked.nodes.slice(0, ordered.length) });
  const unused = parameters.flatMap(({ shape }, i) =>
    influential.has(graph.parameter(i, shape)) ? [] : [i]
  );
  return { checked: { ...checked, hash }, unused };
}

/** All nodes of a law and of the laws inside of it, in order. */
export function lawNodes(law: Law): readonly NodeId[] {
  if (!law.components) return law.args;
  return [...law.args, ...law.components.flatMap(lawNodes)];
}

/** Nodes of a transform: bounds of intervals. */
function transformNodes(transform: Transform): readonly NodeId[] {
  if (transform.kind === "interval") return [transform.lower, transform.upper];
  return transform.kind === "chain" ? transform.parts.flatMap(transformNodes) : [];
}

/** What a law is, without its nodes. */
function lawLabel({ family, shape, components, sizes, args }: Law): string {
  const inner = components ? `[${components.map(lawLabel).join(" ")}]` : "";
  return `${family}/${args.length}(${shape})${sizes ? `{${sizes}}` : ""}${inner}`;
}

function transformLabel(transform: Transform): string {
  switch (transform.kind) {
    case "chain":
      return `chain(${transform.parts.map(transformLabel).join(" ")})`;
    case "zero_sum":
      return `zero_sum ${transform.axes}`;
    case "cholesky_factor":
      return `cholesky_factor ${transform.n}`;
    default:
      return transform.kind;
  }
}

/** Arguments of a node; a parameter's are those of its prior and transform. */
function argumentsOf(node: GraphNode, parameters: readonly Parameter[]): readonly NodeId[] {
  if (node.kind !== "parameter") return node.args;
  const { prior, transform } = parameters[node.parameter];
  const bounds = transformNodes(transform);
  return bounds.length === 0 ? lawNodes(prior) : [...lawNodes(prior), ...bounds];
}

function reachable(
  graph: GraphBuilder,
  parameters: readonly Parameter[],
  roots: readonly NodeId[],
): Set<NodeId> {
  const seen = new Set<NodeId>();
  const pending = [...roots];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    pending.push(...argumentsOf(graph.nodes[id], parameters));
  }
  return seen;
}

/** What a node is, without its arguments. */
function label(node: GraphNode, parameters: readonly Parameter[]): string {
  if (node.kind !== "parameter") return `${nodeLabel(node)} (${node.shape})`;
  const { prior, transform, shape } = parameters[node.parameter];
  return `parameter ${lawLabel(prior)} ${transformLabel(transform)} (${shape})`;
}

function isUnordered(node: GraphNode): boolean {
  return node.kind === "map" && commutative.has(node.op);
}

function orderCore(
  graph: GraphBuilder,
  parameters: readonly Parameter[],
  likelihood: Likelihood,
  core: ReadonlySet<NodeId>,
): NodeId[] {
  const ids = [...core].sort((a, b) => a - b);
  const position = new Map(ids.map((id, i) => [id, i]));
  const at = (id: NodeId) => position.get(id) ?? -1;
  const levels = levelsOf(graph, parameters, ids);
  const vertices: Vertex[] = ids.map((id) => {
    const node = graph.nodes[id];
    const level = `${levels.get(id)}`.padStart(6, "0");
    return {
      label: `${level} ${label(node, parameters)}`,
      arguments: argumentsOf(node, parameters).map(at),
      unordered: isUnordered(node),
    };
  });
  vertices.push({
    label: `999999 likelihood ${lawLabel(likelihood.law)}`,
    arguments: lawNodes(likelihood.law).map(at),
    unordered: false,
  });
  const ranks = refineColours(vertices);
  return ids.map((id, i) => ({ id, rank: ranks[i] })).sort((a, b) => a.rank - b.rank)
    .map(({ id }) => id);
}

/** Longest way down to a leaf: arguments lie on lower levels than the nodes that use them. */
function levelsOf(
  graph: GraphBuilder,
  parameters: readonly Parameter[],
  ascending: readonly NodeId[],
): Map<NodeId, number> {
  const levels = new Map<NodeId, number>();
  for (const id of ascending) {
    let level = 0;
    for (const argument of argumentsOf(graph.nodes[id], parameters)) {
      level = Math.max(level, 1 + (levels.get(argument) ?? 0));
    }
    levels.set(id, level);
  }
  return levels;
}

/** Nodes that only deterministics need, after their arguments and in order of their arguments. */
function orderExtra(
  graph: GraphBuilder,
  parameters: readonly Parameter[],
  deterministics: readonly Deterministic[],
  ordered: readonly NodeId[],
): NodeId[] {
  const place = new Map(ordered.map((id, i) => [id, i]));
  const all = reachable(graph, parameters, deterministics.map(({ node }) => node));
  let left = [...all].filter((id) => !place.has(id));
  const extra: NodeId[] = [];
  while (left.length > 0) {
    const ready = left.filter((id) => graph.nodes[id].args.every((a) => place.has(a)));
    const keyed = ready.map((id) => ({ id, key: extraKey(graph, parameters, place, id) }));
    keyed.sort((a, b) => (a.key < b.key ? -1 : 1));
    for (const { id } of keyed) place.set(id, ordered.length + extra.push(id) - 1);
    left = left.filter((id) => !place.has(id));
  }
  return extra;
}

function extraKey(
  graph: GraphBuilder,
  parameters: readonly Parameter[],
  place: ReadonlyMap<NodeId, number>,
  id: NodeId,
): string {
  const node = graph.nodes[id];
  const places = node.args.map((a) => `${place.get(a)}`.padStart(6, "0"));
  if (isUnordered(node)) places.sort();
  return `${label(node, parameters)} ${places.join(" ")}`;
}

/** Rewrites node and parameter numbers into a new order. */
class Renaming {
  private readonly node: ReadonlyMap<NodeId, NodeId>;
  private readonly parameter: ReadonlyMap<number, number>;

  constructor(private readonly graph: GraphBuilder, private readonly order: readonly NodeId[]) {
    this.node = new Map(order.map((id, i) => [id, i]));
    const parameters = order.map((id) => graph.nodes[id]).filter((n) => n.kind === "parameter");
    this.parameter = new Map(parameters.map((n, i) => [n.parameter, i]));
  }

  program(
    parameters: readonly Parameter[],
    deterministics: readonly Deterministic[],
    likelihood: Likelihood,
  ): Omit<Canonical["checked"], "hash"> {
    const renumbered: Parameter[] = [];
    for (const [before, after] of this.parameter) {
      const parameter = parameters[before];
      renumbered[after] = {
        ...parameter,
        prior: this.law(parameter.prior),
        transform: this.transform(parameter.transform),
      };
    }
    return {
      nodes: this.order.map((id) => this.rewrite(this.graph.nodes[id])),
      parameters: renumbered,
      deterministics: deterministics.map((one) => ({ ...one, node: this.at(one.node) })),
      likelihood: { ...likelihood, law: this.law(likelihood.law) },
    };
  }

  private at(id: NodeId): NodeId {
    const found = this.node.get(id);
    if (found === undefined) throw new Error(`internal: node ${id} has no place in the order`);
    return found;
  }

  private law(law: Law): Law {
    const args = law.args.map((id) => this.at(id));
    if (!law.components) return { ...law, args };
    return { ...law, args, components: law.components.map((component) => this.law(component)) };
  }

  private transform(transform: Transform): Transform {
    if (transform.kind === "chain") {
      return { ...transform, parts: transform.parts.map((part) => this.transform(part)) };
    }
    if (transform.kind !== "interval") return transform;
    return { ...transform, lower: this.at(transform.lower), upper: this.at(transform.upper) };
  }

  private rewrite(node: GraphNode): GraphNode {
    if (node.kind === "parameter") {
      return { ...node, parameter: this.parameter.get(node.parameter) ?? -1 };
    }
    if (node.args.length === 0) return node;
    const args = node.args.map((id) => this.at(id));
    if (isUnordered(node) && args[0] > args[1]) args.reverse();
    return { ...node, args };
  }
}

/** SHA-256 of nodes, parameters and likelihood without their names. */
function hashOf(program: Pick<CheckedProgram, "nodes" | "parameters" | "likelihood">): string {
  const lawText = (law: Law) => `${lawLabel(law)} ${lawNodes(law)}`;
  const nodes = program.nodes.map((node) => `${nodeLabel(node)} (${node.shape}) ${node.args}`);
  const parameters = program.parameters.map(({ prior, transform, shape }) =>
    `${lawText(prior)} ${transformLabel(transform)} ${transformNodes(transform)} (${shape})`
  );
  const { law, column } = program.likelihood;
  const likelihood = `${JSON.stringify(column)} ${lawText(law)}`;
  return sha256(JSON.stringify({ nodes, parameters, likelihood }));
}
