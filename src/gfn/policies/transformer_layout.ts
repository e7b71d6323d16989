/** The parameters of a transformer policy: names, shapes, places in one vector, first values. */
import { RandomStream } from "../../base/random.ts";
import { fillNormal } from "../../math/random_normal.ts";

/** Sizes of a transformer policy. */
export interface TransformerShape {
  readonly layers: number;
  /** Width of the residual stream; a multiple of `heads`. */
  readonly width: number;
  readonly heads: number;
  /** Number of actions. */
  readonly actions: number;
  /** Most actions of a trajectory, exit included: the number of positions. */
  readonly positions: number;
}

/** One tensor and its place in the flat vector. */
export interface Slot {
  readonly name: string;
  readonly shape: readonly number[];
  readonly offset: number;
  readonly size: number;
  /** Standard deviation at the start; gains start at 1 and have none. */
  readonly deviation: number | "ones";
}

type Plan = readonly (readonly [string, readonly number[], Slot["deviation"]])[];

/**
 * Names, shapes and initial scales. Matrices keep the variance of what passes through them; those
 * that write to the residual stream are shrunk by √(2 layers) (Radford et al. 2019); the head
 * starts at 0, so that the first policy is uniform over legal actions and every log flow 0.
 */
export function layout(shape: TransformerShape): Slot[] {
  const { layers, width, actions, positions } = shape;
  const inner = 4 * width;
  const into = 1 / Math.sqrt(width);
  const shrink = 1 / Math.sqrt(2 * layers);
  const layer = (i: number): Plan => [
    [`layers.${i}.attention_norm`, [width], "ones"],
    [`layers.${i}.query_key_value`, [width, 3 * width], into],
    [`layers.${i}.attention_out`, [width, width], into * shrink],
    [`layers.${i}.mlp_norm`, [width], "ones"],
    [`layers.${i}.mlp_in`, [width, inner], into],
    [`layers.${i}.mlp_out`, [inner, width], shrink / Math.sqrt(inner)],
  ];
  return place([
    ["action_embedding", [actions + 1, width], 0.5],
    ["position_embedding", [positions, width], 0.5],
    ...Array.from({ length: layers }, (_, i) => layer(i)).flat(),
    ["final_norm", [width], "ones"],
    ["head", [width, actions + 1], 0],
    ["head_bias", [actions + 1], 0],
  ]);
}

function place(plan: Plan): Slot[] {
  let offset = 0;
  return plan.map(([name, shape, deviation]) => {
    const size = shape.reduce((product, n) => product * n, 1);
    offset += size;
    return { name, shape, deviation, size, offset: offset - size };
  });
}

/** Number of parameters. */
export function parameterCount(slots: readonly Slot[]): number {
  return slots.reduce((sum, slot) => sum + slot.size, 0);
}

/** Normal with the slot's standard deviation; each tensor has a stream of its own. */
export function initialise(slots: readonly Slot[], seedKey: string): Float32Array {
  const parameters = new Float32Array(parameterCount(slots));
  for (const { name, offset, size, deviation } of slots) {
    const values = parameters.subarray(offset, offset + size);
    if (deviation === "ones") values.fill(1);
    else {
      const draws = new Float64Array(size);
      fillNormal(new RandomStream(seedKey, "initialise", name), draws);
      values.set(draws.map((z) => deviation * z));
    }
  }
  return parameters;
}
