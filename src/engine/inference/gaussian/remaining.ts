/** The parameters that are left beside latents that are integrated out: coordinates, prior, values. */
import type { StartingRegion } from "../../../numerics/math/mod.ts";
import type { AssembledProgram } from "../density/assemble.ts";
import { priorOf } from "../density/assemble.ts";
import type { Evaluator } from "../density/evaluator.ts";
import { startingRegion } from "../density/starting_region.ts";
import type { NodeId } from "../../language/ir/node.ts";
import { sizeOf } from "../../language/ir/shape.ts";

/** A node of the program that depends on them alone, and where its value is kept. */
interface GivenValue {
  /** The node. */
  readonly id: NodeId;
  /** `[sizeOf(shape)]`, as of the last `read`. */
  readonly value: Float64Array;
}

/** Parameters that are left, as parts of the unconstrained vector of a whole program. */
export class RemainingParameters {
  /** Number of their coordinates. */
  readonly dimension: number;
  /** Where their priors have weight. */
  readonly startingRegion: StartingRegion;
  /** Values that other parts of the program need. */
  readonly values: readonly GivenValue[];
  /** Their coordinates in the whole vector. */
  readonly kept: readonly number[];
  readonly #roots: readonly NodeId[];

  /**
   * @param left their indices, rising.
   * @param given nodes of the program whose values are wanted.
   */
  constructor(assembled: AssembledProgram, left: readonly number[], given: readonly NodeId[]) {
    const { g, parameters, placed } = assembled;
    const prior = left.map((k) => priorOf(g, parameters[k]))
      .reduce((sum, one) => g.add(sum, one), g.scalar(0));
    this.#roots = [prior, ...given.map((id) => placed[id])];
    this.values = given.map((id) => (
      { id, value: new Float64Array(sizeOf(g.shapeOf(placed[id]))) }
    ));
    this.kept = left.flatMap((k) => {
      const { offset, size } = parameters[k];
      return Array.from({ length: size }, (_, i) => offset + i);
    });
    this.dimension = this.kept.length;
    const region = startingRegion(assembled);
    this.startingRegion = {
      centre: Float64Array.from(this.kept, (k) => region.centre[k]),
      spread: Float64Array.from(this.kept, (k) => region.spread[k]),
    };
  }

  /** Nodes that an evaluator has to compute for `read`: the log prior, then the values. */
  get roots(): readonly NodeId[] {
    return this.#roots;
  }

  /** Writes a position of these coordinates into the whole vector. */
  place(at: Float64Array, whole: Float64Array): void {
    this.kept.forEach((k, i) => whole[k] = at[i]);
  }

  /** Reads the values from a task that computes `roots`; returns the log prior. */
  read(run: Evaluator, task: number, whole: Float64Array): number {
    const found = run.run(task, whole, 0);
    const places = run.places(task);
    const logPrior = found[places[0]];
    this.values.forEach(({ value }, k) => {
      value.set(found.subarray(places[k + 1], places[k + 1] + value.length));
    });
    return logPrior;
  }
}
