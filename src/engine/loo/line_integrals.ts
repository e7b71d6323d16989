/** Integrals over the real line, many at once: the trapezoidal rule on a sinh-spaced grid. */
import { exp, exponentials, log } from "../../numerics/math/mod.ts";
import { type LogFunctions, ModeSearch, type Peaks } from "./line_modes.ts";
import { thresholds } from "./thresholds.ts";

/** How often the spacing is halved at most. A round number: 32 times the nodes. */
const maxSpacingHalvings = 5;

/**
 * Takes the integrals of as many functions, again and again: buffers are kept.
 *
 * With z = centre + scale · sinh(t) the trapezoidal rule converges faster than any power of its
 * spacing for smooth integrands (Takahasi and Mori 1974; Trefethen and Weideman 2014), has its
 * nodes close together where a kink is most likely, at the mode, and reaches far tails with few. It
 * is compared with itself at twice the spacing: for functions for which they differ by more than
 * 0.002 nats the spacing is halved. For smooth integrands the error is then about the square of
 * that; where the integrand has a kink, a tenth of it, and at worst twice as much.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { LineIntegrals } from "./line_integrals.ts";
 * const integrals = new LineIntegrals((z, logs) => {
 *   logs[0] = -0.5 * z[0] * z[0]; // a normal distribution
 *   logs[1] = -Math.abs(z[1] - 3); // a Laplace distribution
 * }, 2);
 * const out = new Float64Array(2);
 * integrals.write({ centre: Float64Array.of(5, 0), scale: Float64Array.of(1, 10) }, out, 0);
 * assert.ok(Math.abs(out[0] - 0.9189385332046727) < 1e-6); // log sqrt(2 pi)
 * assert.ok(Math.abs(out[1] - 0.6931471805599453) < 2e-3); // log 2
 * ```
 */
export class LineIntegrals {
  readonly #modes: ModeSearch;
  readonly #rule: TrapezoidalRule;

  /**
   * @param functions writes as many values as there is room for, those of `along` last.
   * @param count of functions with a mode of their own to be sought.
   * @param along functions beside these, each taken at the points of one of them.
   */
  constructor(functions: LogFunctions, count: number, along: Int32Array = new Int32Array(0)) {
    this.#modes = new ModeSearch(functions, count);
    this.#rule = new TrapezoidalRule(functions, count, along);
  }

  /**
   * Writes log ∫ f_i(z) dz of every function into `out[outOffset …)`. `peaks` has the starting
   * points and is left at the modes.
   */
  write(peaks: Peaks, out: Float64Array, outOffset: number): void {
    this.#modes.seek(peaks);
    const rule = this.#rule;
    rule.begin(peaks);
    for (let halving = 0; halving < maxSpacingHalvings && !rule.agrees(); halving++) {
      rule.halve();
    }
    rule.write(out, outOffset);
  }

  /** How far the last integrals are off, nats: added up over those with kinks, at worst; smooth ones are not. */
  get error(): number {
    return this.#rule.error;
  }
}

/** sinh t and log cosh t. */
interface Node {
  readonly sinh: number;
  readonly logCosh: number;
}

function nodeAt(t: number): Node {
  const [grown, shrunk] = [exp(t), exp(-t)];
  return { sinh: 0.5 * (grown - shrunk), logCosh: log(0.5 * (grown + shrunk)) };
}

/** The nodes of a first spacing, from the left end to the right. */
interface Grid {
  readonly spacing: number;
  /** Nodes to both sides of the centre, and those that may be added at either end. */
  readonly reach: number;
  readonly extension: number;
  readonly nodes: readonly Node[];
}

let grid: Grid | undefined;

/** Grid of the thresholds; kept while they are unchanged. */
function firstGrid(): Grid {
  const { gridSpacing: spacing, gridReach: reach, maxExtension: extension } = thresholds;
  const kept = grid;
  if (kept?.spacing === spacing && kept.reach === reach && kept.extension === extension) {
    return kept;
  }
  const most = reach + extension;
  const nodes = Array.from({ length: 2 * most + 1 }, (_, j) => nodeAt((j - most) * spacing));
  return grid = { spacing, reach, extension, nodes };
}

/** Sums of one rule over all functions; each is kept relative to its largest term. */
class TrapezoidalRule {
  readonly #grid = firstGrid();
  readonly #endFall = thresholds.endFall;
  readonly #agreement = thresholds.spacingAgreement;
  readonly #functions: LogFunctions;
  readonly #count: number;
  /** Line at whose points a function is evaluated `[functions]`. */
  readonly #lineOf: Int32Array;
  #peaks: Peaks = { centre: new Float64Array(0), scale: new Float64Array(0) };
  readonly #points: Float64Array;
  readonly #logs: Float64Array;
  /** Logarithms of the terms of the first spacing `[nodes, functions]`, in the order of evaluation. */
  readonly #terms: Float64Array;
  /** Whether those nodes count for twice the spacing as well `[nodes]`. */
  readonly #even: Uint8Array;
  #evaluated = 0;
  readonly #edge: Float64Array;
  readonly #top: Float64Array;
  readonly #sum: Float64Array;
  /** The sum with twice the spacing. */
  readonly #coarse: Float64Array;
  /** Change by the last halving of the spacing, of functions that needed it `[functions]`. */
  readonly #changed: Float64Array;
  /** By how much two spacings differed before that `[functions]`. */
  readonly #wanted: Float64Array;
  #spacing = this.#grid.spacing;
  #nodes = this.#grid.reach;

  constructor(functions: LogFunctions, lines: number, along: Int32Array) {
    const count = lines + along.length;
    this.#functions = functions;
    this.#count = count;
    this.#lineOf = Int32Array.from({ length: count }, (_, i) => i < lines ? i : along[i - lines]);
    this.#points = new Float64Array(lines);
    const { nodes } = this.#grid;
    this.#terms = new Float64Array(nodes.length * count);
    this.#even = new Uint8Array(nodes.length);
    const make = () => new Float64Array(count);
    [this.#logs, this.#edge] = [make(), make()];
    [this.#changed, this.#wanted] = [make(), make()];
    [this.#sum, this.#coarse, this.#top] = [make(), make(), make()];
  }

  /** The first nodes, and more at both ends until every integrand has fallen there. */
  begin(peaks: Peaks): void {
    this.#peaks = peaks;
    const { spacing, reach, extension } = this.#grid;
    this.#spacing = spacing;
    this.#nodes = reach;
    this.#evaluated = 0;
    this.#top.fill(-Infinity);
    this.#changed.fill(0);
    for (let j = 1 - reach; j < reach; j++) this.#addFirst(j);
    this.#addEnds();
    while (this.#nodes < reach + extension && !this.#hasFallen()) {
      this.#nodes++;
      this.#addEnds();
    }
    this.#addUp();
  }

  #addEnds(): void {
    this.#addFirst(-this.#nodes);
    this.#edge.set(this.#logs);
    this.#addFirst(this.#nodes);
    for (let i = 0; i < this.#count; i++) this.#edge[i] = Math.max(this.#edge[i], this.#logs[i]);
  }

  #hasFallen(): boolean {
    for (let i = 0; i < this.#count; i++) {
      if (this.#edge[i] > this.#top[i] - this.#endFall && this.#top[i] < Infinity) {
        return false;
      }
    }
    return true;
  }

  /** Whether all sums are what they are with twice the spacing. */
  agrees(): boolean {
    for (let i = 0; i < this.#count; i++) if (!this.#agrees(i)) return false;
    return true;
  }

  #agrees(i: number): boolean {
    const [sum, coarse] = [this.#sum[i], 2 * this.#coarse[i]];
    return !(Math.abs(sum - coarse) > this.#agreement * sum);
  }

  /** Adds the nodes half-way between the present ones, for functions that need them. */
  halve(): void {
    const open: number[] = [];
    for (let i = 0; i < this.#count; i++) if (!this.#agrees(i)) open.push(i);
    for (const i of open) this.#wanted[i] = Math.abs(1 - 2 * this.#coarse[i] / this.#sum[i]);
    this.#coarse.set(this.#sum);
    // The sums of all others are taken for what they would be.
    for (let i = 0; i < this.#count; i++) this.#sum[i] *= 2;
    for (const i of open) this.#sum[i] /= 2;
    const last = this.#nodes * this.#grid.spacing;
    const count = Math.round(2 * last / this.#spacing);
    for (let k = 0; k < count; k++) {
      this.#evaluate(nodeAt((k + 0.5) * this.#spacing - last));
      for (const i of open) this.#addTerm(i, this.#logs[i]);
    }
    for (const i of open) this.#changed[i] = Math.abs(1 - 2 * this.#coarse[i] / this.#sum[i]);
    this.#spacing /= 2;
  }

  write(out: Float64Array, outOffset: number): void {
    for (let i = 0; i < this.#count; i++) {
      const size = this.#sum[i] * this.#spacing * this.#peaks.scale[this.#lineOf[i]];
      out[outOffset + i] = Math.abs(this.#top[i]) < Infinity
        ? this.#top[i] + log(size)
        : this.#top[i];
    }
  }

  /**
   * Where a function has a kink: twice what halving changed last, over all functions, and of each at least what two
   * spacings may differ by, for some with kinks agree at once by chance. Halving squares the difference of a smooth
   * function (Trefethen and Weideman 2014, section 5) and leaves a quarter of it at a kink: the power 3/2 is between.
   */
  get error(): number {
    const isKinked = this.#changed.some((one, i) =>
      one > this.#wanted[i] * Math.sqrt(this.#wanted[i]) && one < Infinity
    );
    if (!isKinked) return 0;
    const own = (changed: number) =>
      changed < Infinity ? Math.max(2 * changed, this.#agreement) : 0;
    return this.#changed.reduce((sum, one) => sum + own(one), 0);
  }

  /** A node of the first spacing, whose terms are added up with the others. */
  #addFirst(j: number): void {
    this.#evaluate(this.#grid.nodes[j + this.#grid.reach + this.#grid.extension]);
    this.#even[this.#evaluated] = j % 2 === 0 ? 1 : 0;
    const at = this.#evaluated * this.#count;
    this.#evaluated++;
    const logs = this.#logs;
    const terms = this.#terms;
    const top = this.#top;
    for (let i = 0; i < logs.length; i++) {
      terms[at + i] = logs[i];
      if (logs[i] > top[i]) top[i] = logs[i];
    }
  }

  /** The logarithms of the terms at a node. */
  #evaluate({ sinh, logCosh }: Node): void {
    const { centre, scale } = this.#peaks;
    const points = this.#points;
    const logs = this.#logs;
    for (let i = 0; i < points.length; i++) points[i] = centre[i] + scale[i] * sinh;
    this.#functions(points, logs);
    for (let i = 0; i < logs.length; i++) logs[i] += logCosh;
  }

  /** The sums of the first spacing. */
  #addUp(): void {
    const n = this.#count;
    const length = this.#evaluated * n;
    const terms = this.#terms;
    const top = this.#top;
    const sum = this.#sum;
    const coarse = this.#coarse;
    for (let at = 0; at < length; at += n) {
      // Where all terms are 0, or one is infinite, the sum is not used.
      for (let i = 0; i < n; i++) if (Math.abs(top[i]) < Infinity) terms[at + i] -= top[i];
    }
    exponentials(terms.subarray(0, length), 0, terms);
    sum.fill(0);
    coarse.fill(0);
    for (let at = 0, k = 0; at < length; at += n, k++) {
      for (let i = 0; i < n; i++) sum[i] += terms[at + i];
      if (this.#even[k] === 1) { for (let i = 0; i < n; i++) coarse[i] += terms[at + i]; }
    }
  }

  #addTerm(i: number, term: number): void {
    if (term > this.#top[i]) {
      this.#sum[i] *= exp(this.#top[i] - term);
      this.#coarse[i] *= exp(this.#top[i] - term);
      this.#top[i] = term;
    }
    this.#sum[i] += term === -Infinity ? 0 : exp(term - this.#top[i]);
  }
}
