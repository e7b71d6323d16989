/** Finds the free variable of which every observation sees one element that is its own. */
import type { GraphNode, NodeId } from "../../language/ir/node.ts";
import type { CheckedProgram, Distribution } from "../../language/ir/program.ts";
import { families } from "../../language/distributions/table.ts";
import { broadcastIndex, sizeOf } from "../../language/ir/shape.ts";
import { Interpreter, neededNodes, nodesOfDistribution } from "./interpreter.ts";

/** A free variable and which of its elements each observation depends on. */
export interface RowLatent {
  /** Index among the program's parameters. */
  readonly parameter: number;
  /** Element of each observation `[observations]`. */
  readonly elementOfRow: Int32Array;
}

/** Transforms with one unconstrained coordinate per element. */
const elementwise: ReadonlySet<string> = new Set(["identity", "log", "logodds", "interval"]);

/** Elements of one parameter on which each element of a node depends; −1: on none. */
type Dependence = Int32Array | "mixed" | undefined;

/**
 * The vector parameter that can be integrated out of each observation's likelihood: its elements
 * are independent given the other parameters, no other prior depends on it, and every observation
 * depends on exactly one element. Of several the longest; `undefined` if there is none, or if a
 * discrete variable is summed out, which ties observations together.
 */
export function rowLatent(
  program: CheckedProgram,
  columns: ReadonlyMap<string, Float64Array>,
): RowLatent | undefined {
  if (program.parameters.some(({ transform }) => transform.kind === "summed")) return undefined;
  let best: RowLatent | undefined;
  for (const [parameter, { shape }] of program.parameters.entries()) {
    if (shape.length !== 1 || sizeOf(shape) < 2) continue;
    if (best && sizeOf(program.parameters[best.parameter].shape) >= sizeOf(shape)) continue;
    const elementOfRow = elementsSeen(program, columns, parameter);
    if (elementOfRow) best = { parameter, elementOfRow };
  }
  return best;
}

/** The element of this parameter that each observation depends on, if it is one for every one of them. */
export function elementsSeen(
  program: CheckedProgram,
  columns: ReadonlyMap<string, Float64Array>,
  parameter: number,
): Int32Array | undefined {
  const own = program.parameters[parameter];
  if (families[own.prior.family].eventRank > 0 || own.prior.components) return undefined;
  if (!elementwise.has(own.transform.kind)) return undefined;
  const { likelihood } = program;
  if (
    likelihood.distribution.components || families[likelihood.distribution.family].eventRank > 0
  ) return undefined;
  const trace = new Tracer(program, columns, parameter);
  const priors = program.parameters.flatMap(({ prior }) => nodesOfDistribution(prior));
  if (priors.some((id) => trace.of(id) !== undefined)) return undefined;
  return trace.ofDistribution(likelihood.distribution);
}

/** Follows one parameter's elements through the graph. */
class Tracer {
  readonly #found = new Map<NodeId, Dependence>();

  constructor(
    readonly program: CheckedProgram,
    readonly columns: ReadonlyMap<string, Float64Array>,
    readonly parameter: number,
  ) {}

  /** The element of each observation, if every one depends on exactly one. */
  ofDistribution(distribution: Distribution): Int32Array | undefined {
    const out = new Int32Array(sizeOf(distribution.shape)).fill(-1);
    const ranks = families[distribution.family].parameterRanks;
    for (const [k, id] of distribution.args.entries()) {
      const one = this.of(id);
      if (one === "mixed") return undefined;
      const { shape } = this.program.nodes[id];
      const batch = shape.slice(0, shape.length - ranks[k]);
      const own = one && ofEvents(one, sizeOf(shape.slice(batch.length)));
      if (one && !(own && merge(out, spread(own, batch, distribution.shape)))) return undefined;
    }
    return out.every((element) => element >= 0) ? out : undefined;
  }

  /** Dependence of a node; found bottom-up so that deep graphs do not overflow the stack. */
  of(id: NodeId): Dependence {
    for (const needed of neededNodes(this.program.nodes, [id])) {
      if (!this.#found.has(needed)) {
        this.#found.set(needed, this.#follow(this.program.nodes[needed]));
      }
    }
    return this.#found.get(id);
  }

  #follow(node: GraphNode): Dependence {
    if (node.kind === "parameter" && node.parameter === this.parameter) {
      return Int32Array.from({ length: sizeOf(node.shape) }, (_, i) => i);
    }
    const args = node.args.map((arg) => this.#found.get(arg));
    if (args.every((arg) => arg === undefined)) return undefined;
    if (args.includes("mixed")) return "mixed";
    switch (node.kind) {
      case "map":
        return this.#ofMap(node, args);
      case "reshape":
        return args[0];
      case "gather": {
        const from = args[0] as Int32Array;
        return node.index.map((at) => at < 0 ? -1 : from[at]);
      }
      case "take":
        return this.#ofTake(node, args[0] as Int32Array | undefined);
      case "join":
        return this.#ofJoin(node, args);
      default:
        return "mixed";
    }
  }

  #ofMap(node: GraphNode, args: readonly Dependence[]): Dependence {
    const out = new Int32Array(sizeOf(node.shape)).fill(-1);
    for (const [k, arg] of args.entries()) {
      if (!arg) continue;
      const shape = this.program.nodes[node.args[k]].shape;
      if (!merge(out, spread(arg as Int32Array, shape, node.shape))) return "mixed";
    }
    return out;
  }

  #ofTake(node: GraphNode, from: Int32Array | undefined): Dependence {
    if (!from) return "mixed";
    const index = new Interpreter(this.program.nodes, this.columns, [node.args[1]])
      .value(node.args[1]).values;
    return Int32Array.from(index, (at) => from[at]);
  }

  #ofJoin(node: GraphNode, args: readonly Dependence[]): Dependence {
    const parts = args.map((arg, k) =>
      arg ?? new Int32Array(sizeOf(this.program.nodes[node.args[k]].shape)).fill(-1)
    );
    return Int32Array.from(parts.flatMap((part) => [...(part as Int32Array)]));
  }
}

/** The element that each event of `size` numbers depends on, if it is one for every event. */
function ofEvents(from: Int32Array, size: number): Int32Array | undefined {
  const out = new Int32Array(from.length / size).fill(-1);
  const known = from.every((element, at) => {
    const event = Math.floor(at / size);
    if (element < 0) return true;
    if (out[event] >= 0 && out[event] !== element) return false;
    out[event] = element;
    return true;
  });
  return known ? out : undefined;
}

function spread(
  from: Int32Array,
  shape: readonly number[],
  to: readonly number[],
): Int32Array {
  return broadcastIndex(shape, to).map((at) => from[at]);
}

/** Adds the dependences of `from`; false if some element would depend on two. */
function merge(into: Int32Array, from: Int32Array): boolean {
  for (let i = 0; i < into.length; i++) {
    if (from[i] < 0) continue;
    if (into[i] >= 0 && into[i] !== from[i]) return false;
    into[i] = from[i];
  }
  return true;
}
