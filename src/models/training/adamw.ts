/** AdamW (Loshchilov and Hutter 2019): moments and values in single precision, arithmetic in double. */
import type { NamedTensor } from "../../base/safetensors.ts";
import { loadTrained, type Trained } from "./trained.ts";
import type { TrainingStep } from "./token_tree.ts";

// Constants are those of PyTorch's AdamW. Only + − × ÷ and √: the same bits on every machine.
const [BETA_1, BETA_2, EPSILON] = [0.9, 0.999, 1e-8];

interface Moments {
  readonly first: Float32Array;
  readonly second: Float32Array;
}

/** The optimiser of some parameters. */
export class AdamW {
  readonly #moments: readonly Moments[];
  readonly #steps = new Int32Array(1);

  constructor(readonly trained: readonly Trained[]) {
    this.#moments = trained.map(({ shape }) => {
      const count = shape.reduce((product, n) => product * n, 1);
      return { first: new Float32Array(count), second: new Float32Array(count) };
    });
  }

  /** Steps so far. */
  get steps(): number {
    return this.#steps[0];
  }

  /**
   * One step, after which gradients are zero. Decay takes `learningRate · weightDecay` of every
   * value, apart from the gradient.
   *
   * @returns The Euclidean norm of all gradients before they were clipped.
   */
  step({ learningRate, clipNorm = Infinity, weightDecay = 0 }: TrainingStep) {
    const gradientNorm = Math.sqrt(this.trained.reduce((sum, one) => sum + squares(one), 0));
    const scale = gradientNorm > clipNorm ? clipNorm / gradientNorm : 1;
    const steps = ++this.#steps[0];
    const rate = learningRate / (1 - BETA_1 ** steps);
    const root = Math.sqrt(1 - BETA_2 ** steps);
    const keep = 1 - learningRate * weightDecay;
    this.trained.forEach((one, index) => {
      const [values, gradient, { first, second }] = [
        one.values(),
        one.gradient(),
        this.#moments[index],
      ];
      for (let i = 0; i < values.length; i++) {
        const g = scale * gradient[i];
        first[i] = BETA_1 * first[i] + (1 - BETA_1) * g;
        second[i] = BETA_2 * second[i] + (1 - BETA_2) * g * g;
        values[i] = keep * values[i] - rate * first[i] / (Math.sqrt(second[i]) / root + EPSILON);
      }
      gradient.fill(0);
    });
    return { gradientNorm };
  }

  /** Moments by the names of their tensors, and the number of steps. */
  tensors(): NamedTensor[] {
    return this.#state().map(({ name, shape, values }) => ({
      name,
      shape,
      values: values.slice(),
    }));
  }

  /** @throws InputError if a tensor is missing or of another shape. */
  load(tensors: readonly NamedTensor[]): void {
    const state = this.#state();
    loadTrained(
      state.map(({ name, shape, values }) => ({
        name,
        shape,
        values: () => values as Float32Array,
        gradient: () => values as Float32Array,
      })),
      tensors,
    );
  }

  #state(): NamedTensor[] {
    const moments = this.trained.flatMap(({ name, shape }, i) => [
      { name: `first_moment.${name}`, shape, values: this.#moments[i].first },
      { name: `second_moment.${name}`, shape, values: this.#moments[i].second },
    ]);
    return [...moments, { name: "steps", shape: [1], values: this.#steps }];
  }
}

function squares({ gradient }: Trained): number {
  let sum = 0;
  for (const one of gradient()) sum += one * one;
  return sum;
}
