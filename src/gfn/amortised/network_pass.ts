/** One way through a network that gives programs log flows: a tape, and maps by the names of parameters. */
import type { Slot } from "../parameters/parameter_layout.ts";
import { type Node, Tape } from "./tape.ts";

/** Log flows of programs, and what the way back needs. */
export interface Flows {
  /** `[programs]`: log F, nats; log Z of the data set is their log sum of exponentials. */
  readonly values: Float64Array;
  /** Adds to the gradient of the parameters what `force`, the gradient in the log flows, means. */
  back(force: Float64Array): void;
}

/** Parameters of a network, and where their gradient is summed up. */
export interface Learnable {
  /** Laid out as `programLayout` says. */
  readonly values: Float64Array;
  /** As long as `values`; left out where no gradient is wanted. */
  readonly gradient?: Float64Array;
}

/** One way through the network: a tape, and maps by the names of their parameters. */
export class Pass {
  readonly tape: Tape;

  constructor(readonly slots: ReadonlyMap<string, Slot>, readonly parameters: Learnable) {
    this.tape = new Tape(parameters.gradient !== undefined);
  }

  /** x W + b. */
  map(x: Node, name: string): Node {
    return this.tape.affine(x, this.node(name), this.node(`${name}.bias`));
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
