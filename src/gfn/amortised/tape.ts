/** Reverse-mode gradients of a few maps of matrices, in doubles: each records its backward pass. */
import { exp } from "../../numerics/math/mod.ts";

/** A matrix by rows, and the gradient of the loss in it. */
export interface Node {
  readonly rows: number;
  readonly columns: number;
  readonly value: Float64Array;
  readonly gradient: Float64Array;
}

const noGradient = new Float64Array(0);

/** Maps in the order of the forward pass; `backward` runs through them in reverse. */
export class Tape {
  readonly #back: (() => void)[] = [];

  /** @param keeps False where no gradient will be asked for. */
  constructor(readonly keeps: boolean) {}

  /** Numbers that are not learned. */
  constant(rows: number, columns: number, value: Float64Array): Node {
    return { rows, columns, value, gradient: noGradient };
  }

  /** x W + b. */
  affine(x: Node, weight: Node, bias: Node): Node {
    const y = this.#node(x.rows, weight.columns);
    multiply(x, weight, bias.value, y.value);
    return this.#after(y, () => {
      addWeightGradient(x, y, weight.gradient, bias.gradient);
      if (x.gradient.length > 0) addInputGradient(y, weight, x.gradient);
    });
  }

  /** max(x, 0). */
  relu(x: Node): Node {
    const y = this.#node(x.rows, x.columns);
    for (let i = 0; i < y.value.length; i++) y.value[i] = x.value[i] > 0 ? x.value[i] : 0;
    return this.#after(y, () => {
      for (let i = 0; i < y.value.length; i++) if (x.value[i] > 0) x.gradient[i] += y.gradient[i];
    });
  }

  /** a + b. */
  add(a: Node, b: Node): Node {
    const y = this.#node(a.rows, a.columns);
    for (let i = 0; i < y.value.length; i++) y.value[i] = a.value[i] + b.value[i];
    return this.#after(y, () => {
      for (let i = 0; i < y.value.length; i++) {
        a.gradient[i] += y.gradient[i];
        b.gradient[i] += y.gradient[i];
      }
    });
  }

  /** Each row over the root of its mean square, times a gain per column (Zhang and Sennrich 2019). */
  normalise(x: Node, gain: Node): Node {
    const [n, m] = [x.rows, x.columns];
    const y = this.#node(n, m);
    const scales = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      let square = 0;
      for (let c = 0; c < m; c++) square += x.value[i * m + c] * x.value[i * m + c];
      scales[i] = 1 / Math.sqrt(square / m + 1e-6);
      for (let c = 0; c < m; c++) {
        y.value[i * m + c] = x.value[i * m + c] * scales[i] * gain.value[c];
      }
    }
    return this.#after(y, () => {
      for (let i = 0; i < n; i++) {
        let along = 0;
        for (let c = 0, at = i * m; c < m; c++, at++) {
          along += y.gradient[at] * gain.value[c] * x.value[at] * scales[i];
          gain.gradient[c] += y.gradient[at] * x.value[at] * scales[i];
        }
        for (let c = 0, at = i * m; c < m; c++, at++) {
          const unit = x.value[at] * scales[i];
          x.gradient[at] += scales[i] * (y.gradient[at] * gain.value[c] - unit * along / m);
        }
      }
    });
  }

  /** The rows of both, one behind the other. */
  stack(a: Node, b: Node): Node {
    const y = this.#node(a.rows + b.rows, a.columns);
    y.value.set(a.value);
    y.value.set(b.value, a.value.length);
    return this.#after(y, () => {
      for (let i = 0; i < a.value.length; i++) a.gradient[i] += y.gradient[i];
      for (let i = 0; i < b.value.length; i++) b.gradient[i] += y.gradient[a.value.length + i];
    });
  }

  /** The columns of both, side by side. */
  beside(a: Node, b: Node): Node {
    const [n, k, m] = [a.rows, a.columns, b.columns];
    const y = this.#node(n, k + m);
    for (let i = 0; i < n; i++) {
      y.value.set(a.value.subarray(i * k, i * k + k), i * (k + m));
      y.value.set(b.value.subarray(i * m, i * m + m), i * (k + m) + k);
    }
    return this.#after(y, () => {
      for (let i = 0; i < n; i++) {
        const at = i * (k + m);
        if (a.gradient.length > 0) {
          for (let c = 0; c < k; c++) a.gradient[i * k + c] += y.gradient[at + c];
        }
        if (b.gradient.length > 0) {
          for (let c = 0; c < m; c++) b.gradient[i * m + c] += y.gradient[at + k + c];
        }
      }
    });
  }

  /**
   * Attention of several heads over all rows: softmax(q kᵀ / √d + bias) v, where q, k and v stand
   * side by side in `x`, `[n, 3 heads d]`, and `bias` is `[n · n, heads]`.
   */
  attention(x: Node, bias: Node, heads: number): Node {
    const n = x.rows;
    const width = x.columns / 3;
    const d = width / heads;
    const scale = 1 / Math.sqrt(d);
    const y = this.#node(n, width);
    const shares = new Float64Array(heads * n * n);
    const at = (i: number, part: number, h: number) => i * 3 * width + part * width + h * d;
    for (let h = 0; h < heads; h++) {
      for (let i = 0; i < n; i++) {
        const row = (h * n + i) * n;
        let most = -Infinity;
        for (let j = 0; j < n; j++) {
          let dot = 0;
          const [q, k] = [at(i, 0, h), at(j, 1, h)];
          for (let c = 0; c < d; c++) dot += x.value[q + c] * x.value[k + c];
          shares[row + j] = scale * dot + bias.value[(i * n + j) * heads + h];
          most = Math.max(most, shares[row + j]);
        }
        let total = 0;
        for (let j = 0; j < n; j++) total += shares[row + j] = exp(shares[row + j] - most);
        for (let j = 0; j < n; j++) {
          const share = shares[row + j] /= total;
          const v = at(j, 2, h);
          for (let c = 0; c < d; c++) y.value[i * width + h * d + c] += share * x.value[v + c];
        }
      }
    }
    return this.#after(y, () => {
      const ds = new Float64Array(n);
      for (let h = 0; h < heads; h++) {
        for (let i = 0; i < n; i++) {
          const row = (h * n + i) * n;
          const out = i * width + h * d;
          let along = 0;
          for (let j = 0; j < n; j++) {
            const v = at(j, 2, h);
            let dot = 0;
            for (let c = 0; c < d; c++) {
              dot += y.gradient[out + c] * x.value[v + c];
              x.gradient[v + c] += shares[row + j] * y.gradient[out + c];
            }
            ds[j] = dot;
            along += shares[row + j] * dot;
          }
          const q = at(i, 0, h);
          for (let j = 0; j < n; j++) {
            const force = shares[row + j] * (ds[j] - along);
            bias.gradient[(i * n + j) * heads + h] += force;
            const k = at(j, 1, h);
            for (let c = 0; c < d; c++) {
              x.gradient[q + c] += scale * force * x.value[k + c];
              x.gradient[k + c] += scale * force * x.value[q + c];
            }
          }
        }
      }
    });
  }

  /**
   * `[sets, columns]`: for each set of rows the first row of `singles`, the sum of its own rows after
   * that, and the sum of `pairs`, `[n · n, columns]`, over its pairs j < k, both ways.
   */
  sumSets(singles: Node, pairs: Node, sets: readonly (readonly number[])[]): Node {
    const m = singles.columns;
    const n = singles.rows;
    const y = this.#node(sets.length, m);
    const visit = (s: number, add: (part: Node, row: number) => void) => {
      const set = sets[s];
      add(singles, 0);
      for (const j of set) add(singles, j + 1);
      for (const j of set) for (const k of set) if (k !== j) add(pairs, (j + 1) * n + k + 1);
    };
    sets.forEach((_, s) =>
      visit(s, ({ value }, row) => {
        for (let c = 0; c < m; c++) y.value[s * m + c] += value[row * m + c];
      })
    );
    return this.#after(y, () => {
      sets.forEach((_, s) =>
        visit(s, ({ gradient }, row) => {
          for (let c = 0; c < m; c++) gradient[row * m + c] += y.gradient[s * m + c];
        })
      );
    });
  }

  /** Runs the backward pass from the gradients that were written into nodes. */
  backward(): void {
    for (let i = this.#back.length - 1; i >= 0; i--) this.#back[i]();
  }

  #node(rows: number, columns: number): Node {
    const value = new Float64Array(rows * columns);
    const gradient = this.keeps ? new Float64Array(rows * columns) : noGradient;
    return { rows, columns, value, gradient };
  }

  #after(node: Node, back: () => void): Node {
    if (this.keeps) this.#back.push(back);
    return node;
  }
}

/** y = x W + b; zeros of x, of which rectifiers make many, cost nothing. */
function multiply(x: Node, weight: Node, bias: Float64Array, y: Float64Array): void {
  const [n, k, m] = [x.rows, x.columns, weight.columns];
  const [from, w] = [x.value, weight.value];
  for (let i = 0; i < n; i++) {
    const to = i * m;
    for (let c = 0; c < m; c++) y[to + c] = bias[c];
    for (let a = 0; a < k; a++) {
      const one = from[i * k + a];
      if (one === 0) continue;
      const row = a * m;
      for (let c = 0; c < m; c++) y[to + c] += one * w[row + c];
    }
  }
}

/** Adds xᵀ dy to the weight's gradient, and the sums of dy to the bias's. */
function addWeightGradient(x: Node, y: Node, weight: Float64Array, bias: Float64Array): void {
  const [n, k, m] = [x.rows, x.columns, y.columns];
  const [from, force] = [x.value, y.gradient];
  for (let i = 0; i < n; i++) {
    const to = i * m;
    for (let c = 0; c < m; c++) bias[c] += force[to + c];
    for (let a = 0; a < k; a++) {
      const one = from[i * k + a];
      if (one === 0) continue;
      const row = a * m;
      for (let c = 0; c < m; c++) weight[row + c] += one * force[to + c];
    }
  }
}

/** Adds dy Wᵀ to the input's gradient. */
function addInputGradient(y: Node, weight: Node, gradient: Float64Array): void {
  const [n, k, m] = [y.rows, weight.rows, y.columns];
  const [force, w] = [y.gradient, weight.value];
  for (let i = 0; i < n; i++) {
    const to = i * m;
    for (let a = 0; a < k; a++) {
      const row = a * m;
      let sum = 0;
      for (let c = 0; c < m; c++) sum += force[to + c] * w[row + c];
      gradient[i * k + a] += sum;
    }
  }
}
