/** Parts of networks that give programs log flows: maps by the names of parameters, and their initial values. */
import type { Plan, Slot } from "../parameters/parameter_layout.ts";
import { type Node, Tape } from "./tape.ts";

/** Log flows of programs, with their backward pass. */
export interface Flows {
  /** `[programs]`: log F, nats; log Z of the data set is their log sum of exponentials. */
  readonly values: Float64Array;
  /** Adds the gradient of the parameters, given `force`, that of the log flows. */
  back(force: Float64Array): void;
}

/** Parameters of a network, and where their gradient is summed up. */
export interface Learnable {
  /** Numbers in the places of the network's slots. */
  readonly values: Float64Array;
  /** Gradient, as long as `values`; left out where none is wanted. */
  readonly gradient?: Float64Array;
}

/** One forward pass of the network: a tape, and maps by the names of their parameters. */
export class Pass {
  readonly tape: Tape;

  constructor(readonly slots: ReadonlyMap<string, Slot>, readonly parameters: Learnable) {
    this.tape = new Tape(parameters.gradient !== undefined);
  }

  /** x W + b. */
  map(x: Node, name: string): Node {
    return this.tape.affine(x, this.node(name), this.node(`${name}.bias`));
  }

  /**
   * Log flows that the map `flow` adds to the initial ones, `[programs]`, nats: a number, and one in
   * proportion to the initial flow.
   */
  flows(x: Node, begun: Float64Array): Flows {
    const out = this.map(x, "flow");
    const slope = (m: number) => begun[m] / 8;
    const values = begun.map((one, m) => one + out.value[2 * m] + slope(m) * out.value[2 * m + 1]);
    const back = (force: Float64Array) => {
      force.forEach((one, m) => {
        out.gradient[2 * m] = one;
        out.gradient[2 * m + 1] = one * slope(m);
      });
      this.tape.backward();
    };
    return { values, back };
  }

  node(name: string): Node {
    const slot = this.slots.get(name);
    if (!slot) throw new Error(`internal: no parameter ${name}`);
    const { offset, size, shape: [rows, columns] } = slot;
    const { values, gradient = new Float64Array(0) } = this.parameters;
    const part = (all: Float64Array) => all.subarray(offset, offset + size);
    return { rows, columns, value: part(values), gradient: part(gradient) };
  }
}

/** Places of a map, normal by its fan in; of `flow` all are 0, so that a network begins without it. */
export function mapPlan(name: string, rows: number, columns: number): Plan {
  return [
    [name, [rows, columns], name === "flow" ? 0 : 1 / Math.sqrt(rows)],
    [`${name}.bias`, [1, columns], 0],
  ];
}
