/** The parameters of a transformer policy: names, shapes and initial scales. */
import { place, type Plan, type Slot } from "../parameters/parameter_layout.ts";

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

/**
 * Names, shapes and initial scales. Matrices keep the variance of their inputs; those
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
