/** Puts a graph into the one order that names, spelling and the order of statements do not change. */
import { sha256 } from "../../../base/digest.ts";
import { type GraphBuilder, nodeLabel } from "./builder.ts";
import type { GraphNode, NodeId, TakeNode } from "./node.ts";
import { commutative } from "./operations.ts";
import type {
  CheckedProgram,
  Deterministic,
  Distribution,
  Likelihood,
  Parameter,
  Transform,
} from "./program.ts";
import { refineColours, type Vertex } from "./refinement.ts";

/** The parts of a program that are put into order. */
interface Parts {
  readonly parameters: readonly Parameter[];
  readonly deterministics: readonly Deterministic[];
}

/** A checked program without its findings, and the parameters that nothing depends on. */
interface Canonical {
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
  const core = new Core(graph, parameters, likelihood);
  const order = core.programOrder();
  order.push(...orderExtra(graph, parameters, deterministics, order));
  const checked = new Renaming(graph, order, core).program(parameters, deterministics, likelihood);
  const influential = reachable(graph, parameters, distributionNodes(likelihood.distribution));
  const unused = parameters.flatMap(({ shape }, i) =>
    influential.has(graph.parameter(i, shape)) ? [] : [i]
  );
  return { checked: { ...checked, hash: core.hash() }, unused };
}

/** All nodes of a distribution and of the distributions inside of it, in order. */
export function distributionNodes(distribution: Distribution): readonly NodeId[] {
  if (!distribution.components) return distribution.args;
  return [...distribution.args, ...distribution.components.flatMap(distributionNodes)];
}

/** Nodes of a transform: bounds of intervals. */
export function transformNodes(transform: Transform): readonly NodeId[] {
  if (transform.kind === "interval") return [transform.lower, transform.upper];
  return transform.kind === "chain" ? transform.parts.flatMap(transformNodes) : [];
}

/** Label of a distribution, without its nodes. */
function distributionLabel({ family, shape, components, sizes, args }: Distribution): string {
  const inner = components ? `[${components.map(distributionLabel).join(" ")}]` : "";
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
    case "summed":
      return `summed ${transform.lower} ${transform.count}`;
    default:
      return transform.kind;
  }
}

/** Arguments of a node; a parameter's are those of its prior and transform. */
function argumentsOf(node: GraphNode, parameters: readonly Parameter[]): readonly NodeId[] {
  if (node.kind !== "parameter") return node.args;
  const { prior, transform } = parameters[node.parameter];
  const bounds = transformNodes(transform);
  return bounds.length === 0 ? distributionNodes(prior) : [...distributionNodes(prior), ...bounds];
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
    for (const arg of argumentsOf(graph.nodes[id], parameters)) pending.push(arg);
  }
  return seen;
}

/** Label of a node, without its arguments. */
function label(node: GraphNode, parameters: readonly Parameter[]): string {
  if (node.kind !== "parameter") return `${nodeLabel(node)} (${node.shape})`;
  const { prior, transform, shape } = parameters[node.parameter];
  return `parameter ${distributionLabel(prior)} ${transformLabel(transform)} (${shape})`;
}

function isUnordered(node: GraphNode): boolean {
  return node.kind === "map" && commutative.has(node.op);
}

/**
 * The scored part of a graph. Expressions of data alone are leaves, distinguished by their values, so that it
 * does not matter whether the checker or NumPy has computed them; of equal ones the first stands for all.
 */
class Core {
  /** Nodes in canonical order. */
  readonly ordered: readonly NodeId[];
  readonly #labels = new Map<NodeId, string>();
  readonly #first = new Map<string, NodeId>();
  readonly #position: ReadonlyMap<NodeId, number>;

  constructor(
    readonly graph: GraphBuilder,
    readonly parameters: readonly Parameter[],
    readonly likelihood: Likelihood,
  ) {
    const roots = parameters.map(({ shape }, i) => graph.parameter(i, shape));
    const members = this.#reach([...distributionNodes(likelihood.distribution), ...roots]);
    this.ordered = this.#order([...members].sort((a, b) => a - b));
    this.#position = new Map(this.ordered.map((id, i) => [id, i]));
  }

  /** The node that stands for this one. */
  standIn(id: NodeId): NodeId {
    const label = this.#leaf(id);
    if (label === undefined) return id;
    const first = this.#first.get(label) ?? id;
    this.#first.set(label, first);
    return first;
  }

  /** Label of a leaf made of data, by its values; undefined for other nodes. */
  #leaf(id: NodeId): string | undefined {
    const { graph } = this;
    const { kind, shape } = graph.nodes[id];
    if (kind === "constant" || kind === "column" || !graph.isHost(id)) return undefined;
    const known = this.#labels.get(id);
    if (known !== undefined) return known;
    const values = graph.valueOf(id)?.values;
    if (!values) return undefined;
    const label = `${nodeLabel({ kind: "constant", args: [], shape, values })} (${shape})`;
    this.#labels.set(id, label);
    return label;
  }

  /** Arguments in the core: none of leaves; an index into an array belongs to what a node is. */
  #arguments(id: NodeId): NodeId[] {
    if (this.#leaf(id) !== undefined) return [];
    const node = this.graph.nodes[id];
    const args = this.#isKnownTake(node) ? [node.args[0]] : argumentsOf(node, this.parameters);
    return args.map((arg) => this.standIn(arg));
  }

  #label(id: NodeId): string {
    const node = this.graph.nodes[id];
    return this.#leaf(id) ??
      label(this.#isKnownTake(node) ? this.#asGather(node) : node, this.parameters);
  }

  /** An index is known from data, unless a discrete variable is the index. */
  #isKnownTake(node: GraphNode): node is TakeNode {
    return node.kind === "take" && this.graph.isHost(node.args[1]);
  }

  /** Elements taken at places that data say are elements gathered from there. */
  #asGather({ args, shape }: TakeNode): GraphNode {
    const places = this.graph.valueOf(args[1]);
    if (!places) throw new Error("internal: an index that is not known from data");
    return { kind: "gather", args: [args[0]], index: Int32Array.from(places.values), shape };
  }

  #reach(roots: readonly NodeId[]): Set<NodeId> {
    const seen = new Set<NodeId>();
    const pending = roots.map((id) => this.standIn(id));
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      for (const arg of this.#arguments(id)) pending.push(arg);
    }
    return seen;
  }

  #order(ids: readonly NodeId[]): NodeId[] {
    const { graph, likelihood } = this;
    const position = new Map(ids.map((id, i) => [id, i]));
    const at = (id: NodeId) => position.get(id) ?? -1;
    const below = new Map(ids.map((id) => [id, this.#arguments(id)]));
    const levels = levelsOf(ids, below);
    const vertices: Vertex[] = ids.map((id) => ({
      label: `${`${levels.get(id)}`.padStart(6, "0")} ${this.#label(id)}`,
      arguments: (below.get(id) ?? []).map(at),
      unordered: this.#leaf(id) === undefined && isUnordered(graph.nodes[id]),
    }));
    vertices.push({
      label: `999999 likelihood ${distributionLabel(likelihood.distribution)}`,
      arguments: distributionNodes(likelihood.distribution).map((id) => at(this.standIn(id))),
      unordered: false,
    });
    const ranks = refineColours(vertices);
    return ids.map((id, i) => ({ id, rank: ranks[i] })).sort((a, b) => a.rank - b.rank)
      .map(({ id }) => id);
  }

  /** The canonical order, after what leaves are computed from. */
  programOrder(): NodeId[] {
    const inner = new Set<NodeId>();
    const pending = this.ordered.flatMap((id) => this.#hidden(id));
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      if (inner.has(id)) continue;
      inner.add(id);
      for (const arg of this.graph.nodes[id].args) pending.push(arg);
    }
    const rest = this.ordered.filter((id) => !inner.has(id));
    return [...orderOfData(this.graph, inner), ...rest];
  }

  /** Sources of a node that the canonical order does not read. */
  #hidden(id: NodeId): readonly NodeId[] {
    const node = this.graph.nodes[id];
    if (this.#leaf(id) !== undefined) return node.args;
    return this.#isKnownTake(node) ? [node.args[1]] : [];
  }

  /** SHA-256 of nodes, parameters and likelihood without their names. */
  hash(): string {
    const { graph, likelihood: { distribution, column, transform, from } } = this;
    const at = (id: NodeId) => this.#position.get(this.standIn(id)) ?? -1;
    const distributionText = (one: Distribution) =>
      `${distributionLabel(one)} ${distributionNodes(one).map(at)}`;
    const lines = this.ordered.map((id) => {
      const node = graph.nodes[id];
      if (node.kind !== "parameter") {
        const args = this.#arguments(id).map(at);
        if (this.#leaf(id) === undefined && isUnordered(node)) args.sort((a, b) => a - b);
        return `${this.#label(id)} ${args}`;
      }
      const { prior, transform, shape } = this.parameters[node.parameter];
      const bounds = transformNodes(transform).map(at);
      return `parameter ${distributionText(prior)} ${
        transformLabel(transform)
      } ${bounds} (${shape})`;
    });
    const rows = from ? ` from ${from}` : "";
    const response = `${JSON.stringify(column)}${rows} ${distributionText(distribution)}`;
    const observed = transform ? `${response} of ${JSON.stringify(transform)}` : response;
    return sha256(JSON.stringify([...lines, observed]));
  }
}

/** Expressions of data alone in an order that their spelling does not change. */
function orderOfData(graph: GraphBuilder, members: ReadonlySet<NodeId>): NodeId[] {
  const keys = new Map<NodeId, { readonly level: number; readonly key: string }>();
  for (const id of [...members].sort((a, b) => a - b)) {
    const node = graph.nodes[id];
    const below = node.args.map((arg) => keys.get(arg) ?? { level: 0, key: "" });
    const args = below.map(({ key }) => key);
    if (isUnordered(node)) args.sort();
    const text = `${nodeLabel(node)} (${node.shape}) [${args.join(" ")}]`;
    const level = Math.max(0, ...below.map((one) => one.level + 1));
    keys.set(id, { level, key: text.length > 256 ? sha256(text) : text });
  }
  return [...keys].sort(([, a], [, b]) => a.level - b.level || (a.key < b.key ? -1 : 1))
    .map(([id]) => id);
}

/** Longest path down to a leaf: arguments are on lower levels than the nodes that use them. */
function levelsOf(
  ascending: readonly NodeId[],
  below: ReadonlyMap<NodeId, readonly NodeId[]>,
): Map<NodeId, number> {
  const levels = new Map<NodeId, number>();
  for (const id of ascending) {
    let level = 0;
    // A leaf that stands for an earlier one may come later: its level is 0.
    for (const arg of below.get(id) ?? []) level = Math.max(level, 1 + (levels.get(arg) ?? 0));
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

  constructor(
    private readonly graph: GraphBuilder,
    private readonly order: readonly NodeId[],
    private readonly core: Core,
  ) {
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
        prior: this.distribution(parameter.prior),
        transform: this.transform(parameter.transform),
      };
    }
    return {
      nodes: this.order.map((id) => this.rewrite(this.graph.nodes[id])),
      parameters: renumbered,
      deterministics: deterministics.map((one) => ({ ...one, node: this.at(one.node) })),
      likelihood: { ...likelihood, distribution: this.distribution(likelihood.distribution) },
    };
  }

  private at(id: NodeId): NodeId {
    const found = this.node.get(id) ?? this.node.get(this.core.standIn(id));
    if (found === undefined) throw new Error(`internal: node ${id} has no place in the order`);
    return found;
  }

  private distribution(distribution: Distribution): Distribution {
    const args = distribution.args.map((id) => this.at(id));
    if (!distribution.components) return { ...distribution, args };
    return {
      ...distribution,
      args,
      components: distribution.components.map((component) => this.distribution(component)),
    };
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
