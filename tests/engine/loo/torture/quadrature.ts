/** Leave-one-out by sums over fine grids of a few coordinates: nothing of the engine is used. */

/** Log densities at one point: log p(θ, y), and log p(θ, y_-i) of every row. */
export interface Given {
  readonly whole: number;
  readonly without: Float64Array;
}

/** A posterior of up to three coordinates, everything else summed out. */
export interface Summed {
  /** Where its coordinates may lie. */
  readonly ranges: readonly (readonly [number, number])[];
  readonly rows: number;
  given(theta: readonly number[]): Given;
}

/** Points of each axis of the last grid to begin with, by the number of axes; odd, so that every other makes a grid too. */
const points = [1, 45, 37, 31];
/** Nats by which the sum over rows may differ from that of every other point: it errs by about the square. */
const agreement = 0.02;
/** Times that the distance of points is halved for that. */
const halvings = 4;
/** Points of each axis of the grids that find where the last one has to lie. */
const glances = [1, 15, 15, 11];
/** Nats below the largest value, of the posterior or one without a row, that a grid reaches. */
const depth = 28;

type Range = readonly [number, number];

/** A point of a grid, and whether it is one of every other along all axes. */
interface GridPoint {
  readonly at: readonly number[];
  readonly coarse: boolean;
}

/** All points of a grid. */
function* grid(ranges: readonly Range[], count: number): Generator<GridPoint> {
  const total = count ** ranges.length;
  for (let number = 0; number < total; number++) {
    let rest = number;
    let coarse = true;
    const at = ranges.map(([from, to]) => {
      const k = rest % count;
      rest = Math.floor(rest / count);
      coarse &&= k % 2 === 0;
      return from + (to - from) * k / (count - 1);
    });
    yield { at, coarse };
  }
}

/** A smaller box with everything in it that matters. */
function closer(summed: Summed, ranges: readonly Range[], count: number): Range[] {
  const found = [...grid(ranges, count)].map(({ at }) => ({ at, ...summed.given(at) }));
  let top = -Infinity;
  const tops = new Float64Array(summed.rows).fill(-Infinity);
  for (const { whole, without } of found) {
    top = Math.max(top, whole);
    without.forEach((v, i) => tops[i] = Math.max(tops[i], v));
  }
  const near = found.filter(({ whole, without }) =>
    whole > top - depth || without.some((v, i) => v > tops[i] - depth)
  );
  return ranges.map(([from, to], k): Range => {
    const step = (to - from) / (count - 1);
    const own = near.map(({ at }) => at[k]);
    return [Math.max(from, Math.min(...own) - step), Math.min(to, Math.max(...own) + step)];
  });
}

/** A sum of exponentials that grows. */
class LogSum {
  #top = -Infinity;
  #sum = 0;

  add(value: number): void {
    if (value <= this.#top) this.#sum += Math.exp(value - this.#top);
    else {
      this.#sum = this.#sum * Math.exp(this.#top - value) + 1;
      this.#top = value;
    }
  }

  get value(): number {
    return this.#top + Math.log(this.#sum);
  }
}

/** log p(y_i | y_-i) of every row. */
export function leaveOneOut(summed: Summed): Float64Array {
  const axes = summed.ranges.length;
  let ranges = summed.ranges;
  if (axes > 0) {
    for (let zoom = 0; zoom < 2; zoom++) ranges = closer(summed, ranges, glances[axes]);
  }
  for (let halving = 0, count = points[axes];; halving++, count = 2 * count - 1) {
    const { fine, coarse } = summedOver(summed, ranges, count);
    const apart = fine.reduce((sum, one, i) => sum + one - coarse[i], 0);
    if (axes === 0 || Math.abs(apart) < agreement) return fine;
    if (halving === halvings) throw new Error(`a grid of ${count} points an axis is too coarse`);
  }
}

/** log p(y_i | y_-i) of every row by all points of a grid, and by every other one. */
function summedOver(summed: Summed, ranges: readonly Range[], count: number) {
  const sums = () => Array.from({ length: summed.rows + 1 }, () => new LogSum());
  const all = { fine: sums(), coarse: sums() };
  for (const { at, coarse } of grid(ranges, count)) {
    const { whole, without } = summed.given(at);
    if (!(whole > -Infinity)) continue;
    for (const own of coarse ? [all.fine, all.coarse] : [all.fine]) {
      own[0].add(whole);
      without.forEach((v, i) => own[i + 1].add(v));
    }
  }
  const terms = ([whole, ...rest]: readonly LogSum[]) =>
    Float64Array.from(rest, (one) => whole.value - one.value);
  return { fine: terms(all.fine), coarse: terms(all.coarse) };
}

/** A density of each row given a latent. */
export type RowDensity = (row: number, latent: number) => number;

/** Distance of these nodes. */
const nodeStep = 0.08;
/** Nodes of integrals over standard normal latents: 8.4 standard deviations to either side. */
const nodes = Float64Array.from({ length: 211 }, (_, k) => (k - 105) * nodeStep);
const logWeights = nodes.map((z) =>
  -0.5 * z * z - 0.5 * Math.log(2 * Math.PI) + Math.log(nodeStep)
);

/** Rows in groups that share a standard normal latent: log p(y) and log p(y_-i). */
export function inGroups(groups: readonly (readonly number[])[], density: RowDensity): Given {
  const count = groups.reduce((sum, one) => sum + one.length, 0);
  const without = new Float64Array(count);
  let whole = 0;
  for (const rows of groups) {
    const all = new LogSum();
    const rest = rows.map(() => new LogSum());
    for (let k = 0; k < nodes.length; k++) {
      const own = rows.map((i) => density(i, nodes[k]));
      const sum = own.reduce((a, b) => a + b, logWeights[k]);
      all.add(sum);
      own.forEach((one, j) => rest[j].add(sum - one));
    }
    whole += all.value;
    rows.forEach((i, j) => without[i] = rest[j].value - all.value);
  }
  return { whole, without: without.map((one) => one + whole) };
}

/** A chain of latents, each normal around a multiple of the one before. */
export interface Markov {
  readonly first: { readonly mean: number; readonly sd: number };
  readonly factor: number;
  readonly sd: number;
}

/** Threshold below which messages are 0: arithmetic on subnormal numbers is slow. */
const negligible = 1e-120;

/**
 * Rows that see one latent each of a chain: log p(y) and log p(y_-i), from messages forwards and
 * backwards over a grid.
 *
 * @param spacing largest distance of its points: a fraction of the width of a row's likelihood.
 */
export function alongChain(
  chain: Markov,
  rows: number,
  spacing: number,
  density: RowDensity,
): Given {
  const step = Math.min(spacing, 0.9 * chain.sd);
  const [low, high] = reach(chain, rows, density);
  const count = Math.ceil((high - low) / step) + 1;
  const at = (k: number) => low + k * step;
  const width = Math.ceil(8.5 * chain.sd / step);
  const kernel = (from: number, to: number) => {
    const z = (at(to) - chain.factor * at(from)) / chain.sd;
    return Math.exp(-0.5 * z * z) * step / (chain.sd * Math.sqrt(2 * Math.PI));
  };
  const table = Array.from({ length: count }, (_, from) => {
    const centre = Math.round((chain.factor * at(from) - low) / step);
    const begin = Math.max(0, centre - width);
    const end = Math.min(count, centre + width + 1);
    const values = Float64Array.from(
      { length: Math.max(0, end - begin) },
      (_, k) => kernel(from, begin + k),
    );
    return { begin, values };
  });
  const likelihood = Array.from({ length: rows }, (_, i) => {
    const logs = Float64Array.from({ length: count }, (_, k) => density(i, at(k)));
    const top = Math.max(...logs);
    return { values: logs.map((v) => v < top - 276 ? 0 : Math.exp(v - top)), top };
  });
  const begin = Float64Array.from({ length: count }, (_, k) => {
    const z = (at(k) - chain.first.mean) / chain.first.sd;
    return Math.abs(z) > 23
      ? 0
      : Math.exp(-0.5 * z * z) * step / (chain.first.sd * Math.sqrt(2 * Math.PI));
  });
  // Forwards: messages to latent i from the rows before its own; backwards: from all rows behind it.
  const before = [begin];
  const scales = [0];
  for (let i = 0; i + 1 < rows; i++) {
    const next = new Float64Array(count);
    for (let k = 0; k < count; k++) {
      const own = before[i][k] * likelihood[i].values[k];
      if (own < negligible) continue;
      const { begin, values } = table[k];
      for (let m = 0; m < values.length; m++) next[begin + m] += own * values[m];
    }
    const sum = next.reduce((a, b) => a + b, 0);
    before.push(next.map((v) => v < negligible * sum ? 0 : v / sum));
    scales.push(scales[i] + Math.log(sum) + likelihood[i].top);
  }
  const without = new Float64Array(rows);
  let behind = new Float64Array(count).fill(1);
  let scale = 0;
  let whole = NaN;
  for (let i = rows - 1; i >= 0; i--) {
    let rest = 0;
    let all = 0;
    for (let k = 0; k < count; k++) {
      const own = before[i][k] * behind[k];
      rest += own;
      all += own * likelihood[i].values[k];
    }
    without[i] = scales[i] + scale + Math.log(rest);
    whole = scales[i] + scale + Math.log(all) + likelihood[i].top;
    const next = new Float64Array(count);
    for (let k = 0; k < count; k++) {
      const { begin, values } = table[k];
      let sum = 0;
      for (let m = 0; m < values.length; m++) {
        sum += values[m] * likelihood[i].values[begin + m] * behind[begin + m];
      }
      next[k] = sum;
    }
    const top = Math.max(...next);
    behind = next.map((v) => v < negligible * top ? 0 : v / top);
    scale += Math.log(top) + likelihood[i].top;
  }
  return { whole, without };
}

/** Where latents of a chain may lie: where its prior and some row have weight. */
function reach({ first, factor, sd }: Markov, rows: number, density: RowDensity) {
  let variance = first.sd ** 2;
  let most = variance;
  for (let i = 1; i < rows; i++) {
    variance = factor * factor * variance + sd * sd;
    most = Math.max(most, variance);
  }
  const wide = 7 * Math.sqrt(most);
  let [low, high] = [first.mean, first.mean];
  for (let i = 0; i < rows; i++) {
    const values: [number, number][] = [];
    for (let z = first.mean - wide; z <= first.mean + wide; z += wide / 100) {
      values.push([z, density(i, z)]);
    }
    const top = Math.max(...values.map(([, v]) => v));
    for (const [z, v] of values) {
      if (v > top - 6) [low, high] = [Math.min(low, z), Math.max(high, z)];
    }
  }
  const more = 6 * Math.max(sd, 0.5);
  return [Math.max(first.mean - wide, low - more), Math.min(first.mean + wide, high + more)];
}
