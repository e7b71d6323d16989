/** Adam (Kingma and Ba 2015) on flat vectors of the host, in f64 arithmetic. */

/** First and second moments of one vector of parameters. */
export interface Moments {
  readonly first: Float32Array | Float64Array;
  readonly second: Float32Array | Float64Array;
}

const beta1 = 0.9;
const beta2 = 0.999;
const epsilon = 1e-8;

/** base^n by repeated squaring, for integers n ≥ 0: the same bits everywhere. */
function integerPower(base: number, n: number): number {
  let [result, square] = [1, base];
  for (let rest = n; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result *= square;
    square *= square;
  }
  return result;
}

/** 1 − β₁ⁿ and 1 − β₂ⁿ, the divisors of the moments of step n, from 1. */
export function biasCorrections(step: number): readonly [number, number] {
  return [1 - integerPower(beta1, step), 1 - integerPower(beta2, step)];
}

/** Factor of a gradient of this norm that brings its norm to at most `clipNorm`. */
export function clipScale(norm: number, clipNorm: number): number {
  return norm > clipNorm ? clipNorm / norm : 1;
}

/**
 * One step of Algorithm 1 of Kingma and Ba 2015 (arXiv 1412.6980), with β₁ = 0.9, β₂ = 0.999 and
 * ε = 1e-8, in place. Parameters and moments are rounded to their arrays' precision.
 *
 * @param step Number of this step, from 1.
 * @param scale Factor on the gradient, from clipping.
 * @param factors Factor on the learning rate of each parameter; 1 if left out.
 */
export function adamStep(
  parameters: Float32Array | Float64Array,
  gradient: Float64Array,
  moments: Moments,
  step: number,
  learningRate: number,
  scale: number,
  factors?: Float32Array,
): void {
  const { first, second } = moments;
  const [correction1, correction2] = biasCorrections(step);
  for (let i = 0; i < parameters.length; i++) {
    const g = gradient[i] * scale;
    const m = beta1 * first[i] + (1 - beta1) * g;
    const v = beta2 * second[i] + (1 - beta2) * g * g;
    first[i] = m;
    second[i] = v;
    const size = Math.sqrt(v / correction2) + epsilon;
    const rate = factors ? learningRate * factors[i] : learningRate;
    parameters[i] -= rate * (m / correction1) / size;
  }
}

/** √Σ g². */
export function norm(gradient: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < gradient.length; i++) sum += gradient[i] * gradient[i];
  return Math.sqrt(sum);
}
