/** The parameters of a multilayer perceptron: names, shapes and initial scales. */
import { place, type Plan, type Slot } from "../parameters/parameter_layout.ts";
import { type OutputSizes, outputWidth } from "./network.ts";

/** Sizes of an mlp policy. */
export interface MlpNetworkShape extends OutputSizes {
  /** Features of a state. */
  readonly inputs: number;
  readonly layers: number;
  /** Width of each hidden layer. */
  readonly width: number;
  readonly activation: Activation;
}

/** `leaky_relu` has slope 0.01 below 0. */
type Activation = "relu" | "leaky_relu";

/** Both are max(x, slope · x). */
export const slopes: Readonly<Record<Activation, number>> = { relu: 0, leaky_relu: 0.01 };

/**
 * Names, shapes and initial scales: hidden matrices keep the variance of their inputs
 * (He et al. 2015); the head starts at 0, so that the first policy is uniform over legal actions,
 * backwards too, and every log flow 0.
 */
export function mlpLayout(shape: MlpNetworkShape): Slot[] {
  const { inputs, layers, width } = shape;
  const outputs = outputWidth(shape);
  const layer = (i: number): Plan => {
    const from = i === 0 ? inputs : width;
    return [
      [`layers.${i}.weight`, [from, width], Math.sqrt(2 / from)],
      [`layers.${i}.bias`, [width], 0],
    ];
  };
  return place([
    ...Array.from({ length: layers }, (_, i) => layer(i)).flat(),
    ["head", [width, outputs], 0],
    ["head_bias", [outputs], 0],
  ]);
}
