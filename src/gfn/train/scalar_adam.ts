/** Adam (Kingma and Ba 2015, algorithm 1) for a single number: the learner's log Z. */

/** Moments and step count. */
interface Moments {
  readonly first: number;
  readonly second: number;
  readonly decay1: number;
  readonly decay2: number;
}

/** Keeps the moments between steps. */
interface ScalarAdam {
  /** Returns the increment of the parameter for this gradient. */
  step(gradient: number, learningRate: number): number;
  save(): unknown;
  load(saved: unknown): void;
}

/** β1 = 0.9, β2 = 0.999, ε = 1e-8; powers of β by repeated products, so no `pow`. */
export function makeScalarAdam(): ScalarAdam {
  let moments: Moments = { first: 0, second: 0, decay1: 1, decay2: 1 };
  return {
    step(gradient, learningRate) {
      const first = 0.9 * moments.first + 0.1 * gradient;
      const second = 0.999 * moments.second + 0.001 * gradient * gradient;
      moments = { first, second, decay1: moments.decay1 * 0.9, decay2: moments.decay2 * 0.999 };
      const scale = Math.sqrt(second / (1 - moments.decay2)) + 1e-8;
      return (-learningRate * first) / (1 - moments.decay1) / scale;
    },
    save: () => ({ ...moments }),
    load(saved) {
      moments = { ...(saved as Moments) };
    },
  };
}
