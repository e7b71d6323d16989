/** Network from the summary of a data set of growth to a log flow of each of its programs. */
import { place, type Slot } from "../../parameters/parameter_layout.ts";
import { type Flows, type Learnable, mapPlan, Pass } from "../network_pass.ts";
import type { NetworkShape } from "../network_shape.ts";
import { growthSizes } from "./growth_sizes.ts";
import type { GrowthSummary } from "./growth_summary.ts";

/**
 * A program is the sum of a map of its own numbers and of one of the data's; its log flow is the
 * prediction of `curve_programs.ts` plus a term of the layers.
 */
export class GrowthNetwork {
  readonly #slots: ReadonlyMap<string, Slot>;

  constructor(readonly shape: NetworkShape) {
    this.#slots = new Map(growthLayout(shape).map((slot) => [slot.name, slot]));
  }

  /** Log flows of these programs; with a gradient among the parameters `back` may be called. */
  flows(parameters: Learnable, summary: GrowthSummary): Flows {
    const { foretold, features, data } = summary;
    const count = foretold.length;
    const pass = new Pass(this.#slots, parameters);
    const { tape } = pass;
    const own = pass.map(tape.constant(count, growthSizes.program, features), "program");
    const whole = pass.map(tape.constant(count, growthSizes.data, repeated(data, count)), "data");
    let x = tape.relu(pass.map(tape.relu(tape.add(own, whole)), "mix"));
    for (let l = 0; l < this.shape.layers; l++) x = tape.relu(pass.map(x, `deep.${l}`));
    return pass.flows(x, foretold);
  }
}

function repeated(values: Float64Array, count: number): Float64Array {
  const all = new Float64Array(count * values.length);
  for (let m = 0; m < count; m++) all.set(values, m * values.length);
  return all;
}

/** Places of the parameters; the last map is 0, so that flows begin at the prediction. */
export function growthLayout({ layers, width, hidden }: NetworkShape): Slot[] {
  return place([
    ...mapPlan("program", growthSizes.program, width),
    ...mapPlan("data", growthSizes.data, width),
    ...mapPlan("mix", width, hidden),
    ...Array.from({ length: layers }, (_, l) => mapPlan(`deep.${l}`, hidden, hidden)).flat(),
    ...mapPlan("flow", hidden, 2),
  ]);
}
