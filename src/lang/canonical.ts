/** Puts a graph into the one order that names, spelling and the order of statements do not change. */
import { digestOf } from "../base/digest.ts";
import type { CheckedProgram, Distribution, GraphNode, NodeId, Parameter } from "./graph.ts";
import { commutative, type GraphBuilder, numberKey } from "./graph_builder.ts";
import { refineColours, type Vertex } from "./refinement.ts";
import type { Likelihood } from "./checking.ts";

/** The parts of a program that are put into order. */
export interface Parts {
  readonly parameters: readonly Parameter[];
  readonly deterministics: CheckedProgram["deterministics"];
}

/** A checked program without its findings, and the parameters that nothing depends on. */
export interface Canonical {
  readonly checked: Omit<CheckedProgram, "diagnostics">;
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
  const core = reachable(graph, parameters, scoredRoots(graph, parameters, likelihood));
  const ordered = orderCore(graph, parameters, likelihood, core);
  const order = [...ordered, ...orderExtra(graph, parameters, deterministics, ordered)];
  const renamed = new Renaming(graph, order);
  const checked = renamed.program(parameters, deterministics, likelihood);
  const hash = hashOf({ ...checked, nodes: checked.nodes.slice(0, ordered.length) });
  const influential = reachable(graph, parameters, likelihood.arguments);
  const unused = parameters.flatMap((_, i) => influential.has(graph.parameter(i)) ? [] : [i]);
  return { checked: { ...checked, hash }, unused };
}

function scoredRoots(
  graph: GraphBuilder,
  parameters: readonly Parameter[],
  likelihood: Distribution,
): readonly NodeId[] {
  return [...likelihood.arguments, ...parameters.map((_, i) => graph.parameter(i))];
}

/** Arguments of a node; a parameter's are those of its prior. */
function argumentsOf(node: GraphNode, parameters: readonly Parameter[]): readonly NodeId[] {
  switch (node.kind) {
    case "unary":
      return [node.argument];
    case "binary":
      return [node.left, node.right];
    case "parameter":
      return parameters[node.parameter].prior.arguments;
    default:
      return [];
  }
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
  switch (node.kind) {
    case "constant":
      return `constant ${numberKey(node.value)}`;
    case "column":
      return `column ${JSON.stringify(node.column)}`;
    case "parameter": {
      const { prior, transform } = parameters[node.parameter];
      return `parameter ${prior.family} ${transform.kind}`;
    }
    default:
      return node.op;
  }
}

function orderCore(
  graph: GraphBuilder,
  parameters: readonly Parameter[],
  likelihood: Distribution,
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
      unordered: node.kind === "binary" && commutative.has(node.op),
    };
  });
  vertices.push({
    label: `999999 likelihood ${likelihood.family}`,
    arguments: likelihood.arguments.map(at),
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
  deterministics: CheckedProgram["deterministics"],
  ordered: readonly NodeId[],
): NodeId[] {
  const place = new Map(ordered.map((id, i) => [id, i]));
  const all = reachable(graph, parameters, deterministics.map(({ node }) => node));
  let left = [...all].filter((id) => !place.has(id));
  const extra: NodeId[] = [];
  while (left.length > 0) {
    const ready = left.filter((id) => extraArguments(graph, id).every((a) => place.has(a)));
    const keyed = ready.map((id) => ({ id, key: extraKey(graph, parameters, place, id) }));
    keyed.sort((a, b) => (a.key < b.key ? -1 : 1));
    for (const { id } of keyed) place.set(id, ordered.length + extra.push(id) - 1);
    left = left.filter((id) => !place.has(id));
  }
  return extra;
}

function extraArguments(graph: GraphBuilder, id: NodeId): readonly NodeId[] {
  return argumentsOf(graph.nodes[id], []);
}

function extraKey(
  graph: GraphBuilder,
  parameters: readonly Parameter[],
  place: ReadonlyMap<NodeId, number>,
  id: NodeId,
): string {
  const node = graph.nodes[id];
  const places = extraArguments(graph, id).map((a) => `${place.get(a)}`.padStart(6, "0"));
  if (node.kind === "binary" && commutative.has(node.op)) places.sort();
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
    deterministics: CheckedProgram["deterministics"],
    likelihood: Likelihood,
  ) {
    const renumbered: Parameter[] = [];
    for (const [before, after] of this.parameter) {
      renumbered[after] = this.prior(parameters[before]);
    }
    return {
      nodes: this.order.map((id) => this.rewrite(this.graph.nodes[id])),
      parameters: renumbered,
      deterministics: deterministics.map(({ name, node }) => ({ name, node: this.at(node) }))
        .sort((a, b) => a.node - b.node),
      likelihood: { ...likelihood, arguments: likelihood.arguments.map((id) => this.at(id)) },
    };
  }

  private at(id: NodeId): NodeId {
    const found = this.node.get(id);
    if (found === undefined) throw new Error(`internal: node ${id} has no place in the order`);
    return found;
  }

  private prior({ name, prior, transform }: Parameter): Parameter {
    const moved = transform.kind === "interval"
      ? { ...transform, lower: this.at(transform.lower), upper: this.at(transform.upper) }
      : transform;
    const nodes = prior.arguments.map((id) => this.at(id));
    return { name, prior: { family: prior.family, arguments: nodes }, transform: moved };
  }

  private rewrite(node: GraphNode): GraphNode {
    switch (node.kind) {
      case "parameter":
        return { ...node, parameter: this.parameter.get(node.parameter) ?? -1 };
      case "unary":
        return { ...node, argument: this.at(node.argument) };
      case "binary": {
        const [left, right] = [this.at(node.left), this.at(node.right)];
        const swap = commutative.has(node.op) && left > right;
        return { ...node, left: swap ? right : left, right: swap ? left : right };
      }
      default:
        return node;
    }
  }
}

/** SHA-256 of nodes, parameters and likelihood without their names. */
function hashOf(program: Pick<CheckedProgram, "nodes" | "parameters" | "likelihood">): string {
  const { family, arguments: nodes, column } = program.likelihood;
  return digestOf({
    nodes: program.nodes.map((node) =>
      node.kind === "constant" ? { ...node, value: numberKey(node.value) } : node
    ),
    parameters: program.parameters.map(({ prior, transform }) => ({ prior, transform })),
    likelihood: { family, arguments: nodes, column },
  });
}
