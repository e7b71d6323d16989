/** Integrals of several functions at once, by bisection where the integrand is not smooth. */
import { exp, log } from "../math/elementary.ts";

/** Writes log f_i(points[i]) of every function i into `out`. */
export type LogIntegrands = (points: Float64Array, out: Float64Array) => void;

/** Kronrod's nodes on [0, 1] and weights, and Gauss's weights at every second node from 1 on
 * (Piessens et al. 1983, QUADPACK, qk15). */
const nodes = [
  ...[0.9914553711208126, 0.9491079123427585, 0.8648644233597691, 0.7415311855993945],
  ...[0.5860872354676911, 0.4058451513773972, 0.20778495500789848, 0],
];
const kronrod = [
  ...[0.022935322010529224, 0.06309209262997856, 0.10479001032225019, 0.14065325971552592],
  ...[0.1690047266392679, 0.19035057806478542, 0.20443294007529889, 0.20948214108472782],
];
const gauss = [
  ...[0, 0.1294849661688697, 0, 0.27970539148927664],
  ...[0, 0.3818300505051189, 0, 0.4179591836734694],
];

/** First intervals, in scales from the centre. */
const edges = [-1000, -30, -6, 0, 6, 30, 1000];
/** Relative error that is asked for, and intervals that may be spent on it. */
const tolerance = 1e-4;
const maxIntervals = 60;

interface Interval {
  readonly from: number;
  readonly to: number;
  readonly value: number;
  readonly error: number;
}

/** One function: intervals that are done, and those that are to be looked at. */
class Task {
  readonly done: Interval[] = [];
  readonly pending: { from: number; to: number }[] = [];

  constructor(readonly index: number, readonly level: number, centre: number, scale: number) {
    for (let k = 0; k + 1 < edges.length; k++) {
      this.pending.push({ from: centre + edges[k] * scale, to: centre + edges[k + 1] * scale });
    }
  }

  get total(): number {
    return this.done.reduce((sum, { value }) => sum + value, 0);
  }

  /** The next interval to look at; the worst is halved. `undefined` if the error is small. */
  next(): { from: number; to: number } | undefined {
    if (this.pending.length > 0) return this.pending.pop();
    const error = this.done.reduce((sum, one) => sum + one.error, 0);
    if (!(error > tolerance * this.total) || this.done.length >= maxIntervals) return undefined;
    let worst = 0;
    this.done.forEach((one, k) => this.done[worst].error < one.error && (worst = k));
    const [{ from, to }] = this.done.splice(worst, 1);
    const middle = 0.5 * (from + to);
    this.pending.push({ from, to: middle });
    return { from: middle, to };
  }
}

/**
 * log ∫ f_i of the functions `which`, by Gauss and Kronrod's pair of rules (7 and 15 nodes) on
 * intervals that are halved until they agree to 10⁻⁴. The first reach 6, 30 and 1,000 scales to both
 * sides of the centre, which is where a function may have a kink or a peak; beyond, nothing is seen.
 *
 * @param logs of all functions at one point each.
 * @param centre near the peak of each function, `scale` about its width, `level` about its height.
 */
export function integrateLogs(
  logs: LogIntegrands,
  which: readonly number[],
  centre: Float64Array,
  scale: Float64Array,
  level: Float64Array,
): Float64Array {
  const points = Float64Array.from(centre);
  const values = new Float64Array(centre.length);
  const out = new Float64Array(which.length);
  let open = which.map((i) => new Task(i, level[i], centre[i], scale[i]));
  const all = open;
  while (open.length > 0) {
    const jobs = open.flatMap((task) => {
      const interval = task.next();
      return interval ? [{ task, ...interval, kronrod: 0, gauss: 0 }] : [];
    });
    for (let node = -7; node <= 7; node++) {
      const k = 7 - Math.abs(node);
      for (const { task, from, to } of jobs) {
        const shift = node < 0 ? -nodes[k] : nodes[k];
        points[task.index] = 0.5 * (from + to) + 0.5 * (to - from) * shift;
      }
      logs(points, values);
      for (const job of jobs) {
        const value = exp(values[job.task.index] - job.task.level);
        job.kronrod += kronrod[k] * value;
        job.gauss += gauss[k] * value;
      }
    }
    for (const { task, from, to, ...sums } of jobs) {
      const half = 0.5 * (to - from);
      const error = half * Math.abs(sums.kronrod - sums.gauss);
      task.done.push({ from, to, value: half * sums.kronrod, error });
    }
    open = jobs.map(({ task }) => task);
  }
  all.forEach((task, k) => out[k] = task.level + log(task.total));
  return out;
}
