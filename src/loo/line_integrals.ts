/** Integrals over the real line, many at once: the trapezoidal rule on a sinh-spaced grid. */
import { exp, log } from "../math/elementary.ts";
import { type LogFunctions, modesOf, type Peaks } from "./line_modes.ts";

/** Nodes to both sides of the centre at first, and their distance in t. */
const reach = 9;
const spacing = 0.3;
/** Nodes that are added at either end at most: to sinh(9.9), 10,000 widths. */
const maxExtension = 24;
/** Nats by which the integrand has to fall until the end of the grid. */
const endFall = 14;
/** How often the spacing is halved at most, and where that stops: nats between two spacings. */
const maxHalvings = 5;
const agreement = 0.004;

/**
 * log ∫ f_i(z) dz of every function, into `out[outOffset …)`. `peaks` says where to begin and is
 * left where the modes were found.
 *
 * With z = centre + scale · sinh(t) the trapezoidal rule converges faster than any power of its
 * spacing for smooth integrands (Takahasi and Mori 1974; Trefethen and Weideman 2014), has its nodes
 * close together where a kink is most likely, at the mode, and reaches far tails with few. It is
 * held against itself with twice the spacing: where they differ by more than 0.004 nats the spacing
 * is halved. For smooth integrands the error is then about the square of that; where the integrand
 * has a kink, a third of it.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { integrateLines } from "./line_integrals.ts";
 * const peaks = { centre: Float64Array.of(5, 0), scale: Float64Array.of(1, 10) };
 * const out = new Float64Array(2);
 * const laws = (z: Float64Array, logs: Float64Array) => {
 *   logs[0] = -0.5 * z[0] * z[0]; // a normal law
 *   logs[1] = -Math.abs(z[1] - 3); // a Laplace law
 * };
 * integrateLines(laws, peaks, out, 0);
 * assert.ok(Math.abs(out[0] - 0.9189385332046727) < 1e-6); // log sqrt(2 pi)
 * assert.ok(Math.abs(out[1] - 0.6931471805599453) < 2e-3); // log 2
 * ```
 */
export function integrateLines(
  functions: LogFunctions,
  peaks: Peaks,
  out: Float64Array,
  outOffset: number,
): void {
  modesOf(functions, peaks);
  const rule = new TrapezoidalRule(functions, peaks);
  rule.begin();
  rule.extend();
  for (let halving = 0; halving < maxHalvings && !rule.agrees(); halving++) rule.halve();
  rule.write(out, outOffset);
}

/** Sums of one rule over all functions; each is kept relative to its largest term. */
class TrapezoidalRule {
  readonly #functions: LogFunctions;
  readonly #peaks: Peaks;
  readonly #points: Float64Array;
  readonly #logs: Float64Array;
  readonly #leftEnd: Float64Array;
  readonly #rightEnd: Float64Array;
  readonly #top: Float64Array;
  readonly #sum: Float64Array;
  /** The sum with twice the spacing. */
  readonly #coarse: Float64Array;
  #spacing = spacing;
  #nodes = reach;

  constructor(functions: LogFunctions, peaks: Peaks) {
    const n = peaks.centre.length;
    this.#functions = functions;
    this.#peaks = peaks;
    const make = () => new Float64Array(n);
    [this.#points, this.#logs, this.#leftEnd, this.#rightEnd] = [make(), make(), make(), make()];
    [this.#sum, this.#coarse, this.#top] = [make(), make(), make().fill(-Infinity)];
  }

  begin(): void {
    for (let j = -reach; j <= reach; j++) {
      this.#add(j * spacing, j % 2 === 0);
      if (j === -reach) this.#leftEnd.set(this.#logs);
    }
    this.#rightEnd.set(this.#logs);
  }

  /** Adds nodes at both ends until every integrand has fallen there. */
  extend(): void {
    while (this.#nodes < reach + maxExtension && !this.#hasFallen()) {
      this.#nodes++;
      const even = this.#nodes % 2 === 0;
      this.#add(-this.#nodes * spacing, even);
      this.#leftEnd.set(this.#logs);
      this.#add(this.#nodes * spacing, even);
      this.#rightEnd.set(this.#logs);
    }
  }

  #hasFallen(): boolean {
    for (let i = 0; i < this.#top.length; i++) {
      const edge = Math.max(this.#leftEnd[i], this.#rightEnd[i]);
      if (edge > this.#top[i] - endFall && this.#top[i] < Infinity) return false;
    }
    return true;
  }

  /** Whether the rule is what it is with twice the spacing. */
  agrees(): boolean {
    for (let i = 0; i < this.#top.length; i++) {
      const [sum, coarse] = [this.#sum[i], 2 * this.#coarse[i]];
      if (Math.abs(sum - coarse) > agreement * sum) return false;
    }
    return true;
  }

  /** Adds the nodes half-way between those that are there. */
  halve(): void {
    this.#coarse.set(this.#sum);
    const last = this.#nodes * spacing;
    const count = Math.round(2 * last / this.#spacing);
    for (let k = 0; k < count; k++) this.#add((k + 0.5) * this.#spacing - last, false);
    this.#spacing /= 2;
  }

  write(out: Float64Array, outOffset: number): void {
    for (let i = 0; i < this.#top.length; i++) {
      const size = this.#sum[i] * this.#spacing * this.#peaks.scale[i];
      out[outOffset + i] = Math.abs(this.#top[i]) < Infinity
        ? this.#top[i] + log(size)
        : this.#top[i];
    }
  }

  /** The terms at `t`, whose logarithms stay in `#logs`; `even` ones also count for the coarse sum. */
  #add(t: number, even: boolean): void {
    const [grown, shrunk] = [exp(t), exp(-t)];
    const [sinh, cosh] = [0.5 * (grown - shrunk), 0.5 * (grown + shrunk)];
    const logWeight = log(cosh);
    const { centre, scale } = this.#peaks;
    for (let i = 0; i < centre.length; i++) this.#points[i] = centre[i] + scale[i] * sinh;
    this.#functions(this.#points, this.#logs);
    for (let i = 0; i < centre.length; i++) {
      this.#logs[i] += logWeight;
      this.#addTerm(i, this.#logs[i], even);
    }
  }

  #addTerm(i: number, term: number, even: boolean): void {
    if (term > this.#top[i]) {
      const shrunk = exp(this.#top[i] - term);
      this.#sum[i] *= shrunk;
      this.#coarse[i] *= shrunk;
      this.#top[i] = term;
    }
    const part = term === -Infinity ? 0 : exp(term - this.#top[i]);
    this.#sum[i] += part;
    if (even) this.#coarse[i] += part;
  }
}
