/** Numbers that a model carries, whatever its text did to them: constants of its graph, and what they are made of. */
import { distributionNodes } from "../ir/canonical.ts";
import type { NodeId } from "../ir/node.ts";
import { memoryIn, refuseMemory } from "./literals.ts";
import { fewest, isRegular } from "./memorised.ts";
import type { ModelState } from "./model_state.ts";

/** Refuses a model whose constants hold the response, and returns whether it did. */
export function checkCarriedNumbers(checking: ModelState): boolean {
  const constants = carriedConstants(checking);
  const lists = constants.map((id) => valuesOf(checking, id)).filter(({ length }) => length > 1);
  const all = constants.flatMap((id) => valuesOf(checking, id).map((value) => ({ id, value })));
  const numbers = all.map(({ value }) => value);
  const found = memoryIn(checking, { numbers, lists });
  if (!found) return false;
  const ids = constants.filter((id) => valuesOf(checking, id).length > 1);
  const node = "number" in found ? all[found.number].id : ids[found.list];
  refuseMemory(checking, checking.placeOf(node) ?? checking.modelPlace ?? { start: 0, end: 0 });
  return true;
}

function valuesOf({ graph }: ModelState, id: NodeId): readonly number[] {
  const node = graph.nodes[id];
  return node.kind === "constant" ? [...node.values] : [];
}

/** Constants that are not regular, as grids are, and not computed from columns alone. */
function carriedConstants(checking: ModelState): NodeId[] {
  const { graph } = checking;
  const members = sourcesOfModel(checking);
  const long = (id: NodeId) => {
    const values = valuesOf(checking, id);
    return values.length >= fewest && !isRegular(values);
  };
  const ofColumns = new Set<NodeId>();
  for (const id of members) {
    const sources = [...graph.sourcesOf(id)].filter((one) => one < id); // later ones made equal numbers again
    const made = sources.some((one) => ofColumns.has(one)) &&
      sources.every((one) => ofColumns.has(one) || !long(one));
    if (made || graph.nodes[id].kind === "column") ofColumns.add(id);
  }
  return members.filter((id) => {
    const node = graph.nodes[id];
    if (node.kind !== "constant" || ofColumns.has(id)) return false;
    return node.values.length === 1 || !isRegular(valuesOf(checking, id));
  });
}

/** All nodes that the distributions of a model are made of. */
function sourcesOfModel({ graph, parameters, likelihood }: ModelState): NodeId[] {
  const distributions = parameters.map(({ prior }) => prior);
  if (likelihood) distributions.push(likelihood.distribution);
  const pending = distributions.flatMap(distributionNodes);
  const seen = new Set<NodeId>();
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    for (const source of graph.sourcesOf(id)) pending.push(source);
  }
  return [...seen].sort((a, b) => a - b);
}
