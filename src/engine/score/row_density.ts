/** A function of the response's distribution, row by row, at one set of its arguments after the other. */
import { GraphBuilder } from "../language/ir/builder.ts";
import type { NodeId } from "../language/ir/node.ts";
import type { Distribution } from "../language/ir/program.ts";
import { sizeOf } from "../language/ir/shape.ts";
import { CompiledNodes } from "../inference/density/compiled_nodes.ts";
import { nodesOfDistribution } from "../inference/predict/interpreter.ts";

/** Builds what is to be computed of a distribution whose arguments are parameters of the graph. */
type Formula = (g: GraphBuilder, distribution: Distribution) => NodeId;

/** A compiled formula: arguments are set, and values read. */
export class RowDensity {
  readonly #ids: readonly NodeId[];
  readonly #compiled: CompiledNodes;
  readonly #value: NodeId;

  /**
   * @param shapes of the nodes that the distribution is made of, by their ids.
   * @param shape that the formula's values are broadcast to; the distribution's if left out.
   * @param fixed values of nodes that are the same at every set of arguments.
   */
  constructor(
    distribution: Distribution,
    shapes: readonly (readonly number[])[],
    formula: Formula,
    shape: readonly number[] = distribution.shape,
    fixed: (id: NodeId) => Float64Array | undefined = () => undefined,
  ) {
    const g = new GraphBuilder();
    const ids = [...new Set(nodesOfDistribution(distribution))];
    this.#ids = ids.filter((id) => !fixed(id));
    const placed = new Map(ids.map((id) => {
      const values = fixed(id);
      return [
        id,
        values ? g.array(values, shapes[id]) : g.parameter(this.#ids.indexOf(id), shapes[id]),
      ];
    }));
    this.#value = g.broadcast(formula(g, place(distribution, placed)), shape);
    this.size = sizeOf(shape);
    this.#compiled = new CompiledNodes(g.nodes, new Map(), [this.#value]);
  }

  /** How many values there are. */
  readonly size: number;

  /** The values; overwritten when other code runs. */
  at(valuesOf: (id: NodeId) => Float64Array): Float64Array {
    for (const [k, id] of this.#ids.entries()) this.#compiled.setParameter(k, valuesOf(id));
    this.#compiled.run();
    return this.#compiled.value(this.#value).values;
  }
}

function place(distribution: Distribution, placed: ReadonlyMap<NodeId, NodeId>): Distribution {
  const args = distribution.args.map((id) => placed.get(id)!);
  const components = distribution.components?.map((one) => place(one, placed));
  return { ...distribution, args, ...(components && { components }) };
}
