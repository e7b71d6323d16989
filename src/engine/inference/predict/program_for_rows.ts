/** A program over other rows than those it was checked against, with the constants that those gave it. */
import type { GraphNode, NodeId } from "../../language/ir/node.ts";
import type { CheckedProgram, Distribution, Transform } from "../../language/ir/program.ts";
import { sizeOf } from "../../language/ir/shape.ts";
import type { Dataset } from "../../../base/dataset.ts";
import { inputError } from "../../../base/diagnostic.ts";
import { columnsOf } from "./draws.ts";
import { Interpreter, neededNodes, nodesOfDistribution } from "./interpreter.ts";
import { graphForRows } from "./new_rows.ts";

type Columns = ReadonlyMap<string, Float64Array>;

/**
 * The program over the rows of other columns; priors, and what is computed from columns without a row axis, stay what
 * they were. Deterministics are gone.
 *
 * @param from the data that the program was checked against.
 * @param to the other rows.
 * @throws InputError, if the program ties something to the rows of its data, or has no element for a level of the others.
 */
export function programForRows(
  program: CheckedProgram,
  from: Dataset,
  to: Dataset,
): CheckedProgram {
  const columns = columnsOf(from);
  const { nodes, distribution } = graphForRows(program, columns, from.rows, to.rows);
  const graph = new JoinedGraph();
  const ofPriors = program.parameters.flatMap(({ prior, transform }) => [
    ...nodesOfDistribution(prior),
    ...boundsOf(transform),
  ]);
  const priors = graph.add(folded(program, columns, ofPriors), ofPriors);
  const likelihood = graph.add(nodes, nodesOfDistribution(distribution));
  requireLevels(graph.nodes, columnsOf(to));
  const { origins: _, ...rest } = program;
  return {
    ...rest,
    nodes: graph.nodes,
    parameters: program.parameters.map((one) => ({
      ...one,
      prior: placed(one.prior, priors),
      transform: bounded(one.transform, priors),
    })),
    deterministics: [],
    likelihood: { ...program.likelihood, distribution: placed(distribution, likelihood) },
  };
}

/** Generated code reads whatever lies behind an array: an index has to be of an element. */
function requireLevels(nodes: readonly GraphNode[], columns: Columns): void {
  const takes = nodes.filter(({ kind }) => kind === "take");
  const indices = new Interpreter(nodes, columns, takes.map(({ args }) => args[1]));
  const isWithin = takes.every(({ args: [of, index] }) => {
    const size = sizeOf(nodes[of].shape);
    return indices.value(index).values.every((at) => at >= 0 && at < size);
  });
  if (!isWithin) throw inputError("predict/level", "Cannot predict at levels that no effect is of");
}

/** The nodes of the program, those that depend on data alone as constants. */
function folded(
  { nodes }: CheckedProgram,
  columns: Columns,
  targets: readonly NodeId[],
): readonly GraphNode[] {
  const interpreter = new Interpreter(nodes, columns, targets);
  const out = [...nodes];
  for (const id of neededNodes(nodes, targets)) {
    const values = interpreter.fixed(id);
    if (values) out[id] = { kind: "constant", args: [], shape: nodes[id].shape, values };
  }
  return out;
}

/** Parts of graphs, one after another; a parameter has one node. */
class JoinedGraph {
  readonly nodes: GraphNode[] = [];
  readonly #parameters = new Map<number, NodeId>();

  /** Adds what the targets need, and returns where it is. */
  add(nodes: readonly GraphNode[], targets: readonly NodeId[]): ReadonlyMap<NodeId, NodeId> {
    const places = new Map<NodeId, NodeId>();
    for (const id of neededNodes(nodes, targets)) {
      const node = nodes[id];
      const known = node.kind === "parameter" ? this.#parameters.get(node.parameter) : undefined;
      const at = known ?? this.nodes.length;
      places.set(id, at);
      if (known !== undefined) continue;
      this.nodes.push({ ...node, args: node.args.map((arg) => places.get(arg)!) } as GraphNode);
      if (node.kind === "parameter") this.#parameters.set(node.parameter, at);
    }
    return places;
  }
}

function placed(
  distribution: Distribution,
  places: ReadonlyMap<NodeId, NodeId>,
): Distribution {
  const { args, components } = distribution;
  return {
    ...distribution,
    args: args.map((id) => places.get(id)!),
    ...(components && { components: components.map((one) => placed(one, places)) }),
  };
}

/** Nodes of the bounds of a transform that a program names. */
function boundsOf(transform: Transform): readonly NodeId[] {
  if (transform.kind === "interval") return [transform.lower, transform.upper];
  return transform.kind === "chain" ? transform.parts.flatMap(boundsOf) : [];
}

function bounded(transform: Transform, places: ReadonlyMap<NodeId, NodeId>): Transform {
  if (transform.kind === "interval") {
    const [lower, upper] = [transform.lower, transform.upper].map((id) => places.get(id)!);
    return { ...transform, lower, upper };
  }
  if (transform.kind !== "chain") return transform;
  return { ...transform, parts: transform.parts.map((one) => bounded(one, places)) };
}
