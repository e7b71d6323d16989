/** Finds programs that cannot distinguish rows, as most cannot, without reading them a second time. */
import { families } from "../../distributions/table.ts";
import type { GraphNode } from "../../ir/node.ts";
import type { Distribution } from "../../ir/program.ts";
import type { ModelState } from "../model_state.ts";

/**
 * True for vectors and numbers alone, of which those as long as there are rows are made of columns, element
 * by element, with elements of other variables that columns choose. False is no proof of the opposite.
 */
export function isPlainlyAlike(checking: ModelState, rows: number): boolean {
  const { graph, likelihood, parameters, looksAtPlaces } = checking;
  if (looksAtPlaces || graph.placed || !likelihood) return false;
  const distributions = [likelihood.distribution, ...parameters.map(({ prior }) => prior)];
  return distributions.every(isOfNumbers) &&
    parameters.every(({ shape }) => shape[0] !== rows) &&
    checking.dataset.columns.every(({ shape }) => shape === undefined) &&
    graph.nodes.every((node) => isElementwise(node, graph.nodes, rows));
}

/** A family of numbers, with a number for each argument. */
function isOfNumbers({ family, components, shape }: Distribution): boolean {
  const { eventRank, parameterRanks } = families[family];
  return !components && eventRank === 0 && shape.length <= 1 &&
    parameterRanks.every((rank) => rank === 0);
}

function isElementwise(node: GraphNode, nodes: readonly GraphNode[], rows: number): boolean {
  if (node.shape.length > 1) return false;
  switch (node.kind) {
    case "constant":
    case "column":
    case "parameter":
    case "map":
    case "reduce":
    case "reshape":
      return true;
    case "take":
      return nodes[node.args[0]].shape[0] !== rows && nodes[node.args[1]].kind === "column";
    default:
      return false;
  }
}
