/** A program whose groups have more levels than its data: parameters of new levels are drawn from the population. */
import type { Dataset } from "../../../base/dataset.ts";
import { inputError } from "../../../base/diagnostic.ts";
import { families } from "../../language/distributions/table.ts";
import type { GatherNode, GraphNode, NodeId } from "../../language/ir/node.ts";
import type { CheckedProgram } from "../../language/ir/program.ts";
import { type Shape, stridesOf } from "../../language/ir/shape.ts";
import { neededNodes, nodesOfDistribution } from "./interpreter.ts";

type Columns = ReadonlyMap<string, Float64Array>;

/** A program for new rows whose groups may have levels that its data do not have. */
interface ProgramForLevels {
  /** The program; parameters that have an element for each level have more of them. */
  readonly program: CheckedProgram;
  /** The new rows, new levels numbered on from those of the data. */
  readonly columns: Columns;
  /** How many levels each of these parameters has more than before, by its index. */
  readonly grown: ReadonlyMap<number, number>;
}

/** Levels of a column: those of the data, and those that only the new rows have. */
interface Levels {
  readonly known: number;
  readonly more: number;
}

/**
 * Lets the parameters of groups grow along their first axis by as many levels as only the new rows
 * have. Predictions draw their new elements from their prior, given the other parameters: an unseen
 * level is one more draw from the population (Gelman and Hill 2007, section 12.8).
 *
 * @throws InputError, if a program does anything with such a level but to pick a group's element by it.
 */
export function forNewLevels(
  program: CheckedProgram,
  dataset: Dataset,
  at: Columns,
): ProgramForLevels {
  const targets = nodesOfDistribution(program.likelihood.distribution);
  const needed = neededNodes(program.nodes, targets);
  const { levels, columns } = levelsOf(program, needed, dataset, at);
  if (levels.size === 0) return { program, columns: at, grown: new Map() };
  const grower = new Grower(program, levels);
  const nodes = grower.grow(needed);
  if (targets.some((id) => grower.hasLevels(id))) refuse("the response has a row for each of them");
  return { program: { ...program, nodes }, columns, grown: grower.parameters };
}

/** Columns of groups with new levels, and their numbers at the new rows. */
function levelsOf(
  { nodes }: CheckedProgram,
  needed: readonly NodeId[],
  dataset: Dataset,
  at: Columns,
): { readonly levels: ReadonlyMap<string, Levels>; readonly columns: Columns } {
  const picking = columnsThatPick(nodes, needed);
  const levels = new Map<string, Levels>();
  const columns = new Map(at);
  for (const { name, categories, values } of dataset.columns) {
    const asked = at.get(name);
    if (!asked || !(categories || picking.has(name))) continue;
    const known = categories?.length ?? values.reduce((a, b) => Math.max(a, b), -1) + 1;
    const strange = [...new Set(asked)].filter((code) => code >= known).sort((a, b) => a - b);
    if (strange.length === 0) continue;
    levels.set(name, { known, more: strange.length });
    const number = (code: number) => code < known ? code : known + strange.indexOf(code);
    columns.set(name, asked.map(number));
  }
  return { levels, columns };
}

/** Names of the columns from which an index is made. */
function columnsThatPick(nodes: readonly GraphNode[], needed: readonly NodeId[]): Set<string> {
  const indices = needed.flatMap((id) => nodes[id].kind === "take" ? [nodes[id].args[1]] : []);
  return new Set(
    neededNodes(nodes, indices).flatMap((id) => {
      const node = nodes[id];
      return node.kind === "column" ? [node.column] : [];
    }),
  );
}

class Grower {
  readonly #nodes: readonly GraphNode[];
  /** Of each node with an axis of levels: how many that axis has and is to have. */
  readonly #grown = new Map<NodeId, Levels>();
  /** Nodes that are numbers of levels, and of which column. */
  readonly #numbers = new Map<NodeId, Levels>();
  readonly #wanted = new Map<number, Levels>();
  readonly parameters = new Map<number, number>();

  constructor(readonly program: CheckedProgram, readonly levels: ReadonlyMap<string, Levels>) {
    this.#nodes = program.nodes;
  }

  hasLevels(id: NodeId): boolean {
    return this.#grown.has(id) || this.#numbers.has(id);
  }

  grow(needed: readonly NodeId[]): GraphNode[] {
    for (const id of needed) this.#number(id);
    for (const id of needed) this.#want(id);
    const nodes = [...this.#nodes];
    for (const id of needed) nodes[id] = this.#grow(id, nodes);
    return nodes;
  }

  /** Marks what is computed from numbers of levels and constants alone. */
  #number(id: NodeId): void {
    const node = this.#nodes[id];
    const own = node.kind === "column" ? this.levels.get(node.column) : undefined;
    if (own) this.#numbers.set(id, own);
    if (node.kind === "column" || node.kind === "take") return;
    const from = node.args.map((arg) => this.#numbers.get(arg)).filter((one) => one !== undefined);
    const others = node.args.filter((arg) => !this.#numbers.has(arg));
    if (from.length === 0 || others.some((arg) => this.#nodes[arg].kind !== "constant")) return;
    this.#numbers.set(id, from[0]);
  }

  /** Finds the parameters from which an element is picked by a number of a level. */
  #want(id: NodeId): void {
    const node = this.#nodes[id];
    const levels = node.kind === "take" ? this.#numbers.get(node.args[1]) : undefined;
    if (!levels) return;
    for (const parameter of this.#parametersAlong(node.args[0], levels)) {
      const other = this.#wanted.get(parameter);
      if (other && other !== levels) refuse("two columns pick from the same effects");
      this.#wanted.set(parameter, levels);
    }
  }

  /** Parameters whose first axis becomes that of a node. */
  #parametersAlong(id: NodeId, levels: Levels): Set<number> {
    const found = new Set<number>();
    const open = [id];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const node = this.#nodes[at];
      const rank = node.kind === "reshape" || node.kind === "gather" ? 1 : node.shape.length;
      if (node.kind === "parameter" && node.shape[0] === levels.known) found.add(node.parameter);
      const along = node.kind === "matmul" ? node.args.slice(0, 1) : node.args;
      open.push(...along.filter((arg) => {
        const { shape } = this.#nodes[arg];
        return shape[0] === levels.known && shape.length >= rank;
      }));
    }
    return found;
  }

  #grow(id: NodeId, nodes: readonly GraphNode[]): GraphNode {
    const node = nodes[id];
    if (node.kind === "parameter") return this.#parameter(id, node);
    if (node.kind === "take") return this.#take(node);
    if (!this.#numbers.has(id) && node.args.some((arg) => this.#numbers.has(arg))) {
      refuse("it is no group's number there: the effect of such a level was not estimated");
    }
    const levels = node.args.map((arg) => this.#grown.get(arg)).find((one) => one);
    return levels ? this.#along(id, node, levels) : node;
  }

  #parameter(id: NodeId, node: Extract<GraphNode, { kind: "parameter" }>): GraphNode {
    const levels = this.#wanted.get(node.parameter);
    if (!levels) return node;
    const { prior } = this.program.parameters[node.parameter];
    const isAlike = prior.args.every((arg) => {
      const { shape } = this.#nodes[arg];
      return shape.length < node.shape.length || shape[0] === 1;
    });
    if (families[prior.family].eventRank > 0 || prior.components || !isAlike) {
      refuse("effects of its levels are not drawn one by one from one population");
    }
    this.parameters.set(node.parameter, levels.more);
    return this.#longer(id, node, levels);
  }

  /** Refuses picks that need as many numbers as levels; the picked value itself has no levels. */
  #take(node: Extract<GraphNode, { kind: "take" }>): GraphNode {
    const [from, index] = node.args;
    const levels = this.#numbers.get(index);
    if (this.#grown.has(index) || (levels && this.#grown.get(from) !== levels)) {
      refuse("it indexes by that column a vector with one number per level of the data");
    }
    return node;
  }

  /** A node whose argument has an axis of levels, the first. */
  #along(id: NodeId, node: GraphNode, levels: Levels): GraphNode {
    if (node.kind === "gather") return this.#gather(id, node, levels);
    const isFirst = node.shape[0] === levels.known && node.args.every((arg, k) => {
      const { shape } = this.#nodes[arg];
      if (this.#grown.has(arg)) {
        return this.#grown.get(arg) === levels && (node.kind !== "matmul" || k === 0) &&
          (node.kind === "reshape" || shape.length === node.shape.length);
      }
      return node.kind === "matmul" || shape.length < node.shape.length || shape[0] === 1;
    });
    const keeps = node.kind === "map" || node.kind === "reshape" || node.kind === "matmul";
    if (!isFirst || !keeps) refuse(`it has a ${node.kind} over the levels`);
    return this.#longer(id, node, levels);
  }

  /** Gathers equal elements of every level, or elements of some levels, which stay where they are. */
  #gather(id: NodeId, node: GatherNode, levels: Levels): GraphNode {
    const { known, more } = levels;
    const [out, from] = [stridesOf(node.shape)[0], stridesOf(this.#nodes[node.args[0]].shape)[0]];
    const isRegular = node.shape[0] === known && node.index.every((at, k) => {
      const level = Math.floor(k / out);
      return at >= 0 && at === node.index[k - level * out] + level * from &&
        node.index[k - level * out] < from;
    });
    if (!isRegular) return node;
    const grown = this.#longer(id, node, levels) as GatherNode;
    const index = Int32Array.from({ length: (known + more) * out }, (_, k) => {
      return node.index[k % out] + Math.floor(k / out) * from;
    });
    return { ...grown, index };
  }

  #longer(id: NodeId, node: GraphNode, levels: Levels): GraphNode {
    this.#grown.set(id, levels);
    const shape: Shape = [levels.known + levels.more, ...node.shape.slice(1)];
    return { ...node, shape };
  }
}

function refuse(why: string): never {
  throw inputError(
    "predict/level",
    `Cannot predict at levels that the data do not have: ${why}`,
    undefined,
    "leave rows with such levels out, or write the group as effects of one population",
  );
}
