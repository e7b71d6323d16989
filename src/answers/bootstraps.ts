/** Bayesian bootstraps of the rows: the target under other weights of the data. */
import { fillNormal, log, normalQuantile } from "../numerics/math/mod.ts";
import type { RandomStream } from "../base/random.ts";
import type { ScoredSpace } from "./scored_space.ts";
import { normalised, summedBy, totalVariation } from "./weights.ts";

/** Replicates where programs and rows are few, and the least of them where they are many. */
const replicatesRange = { most: 1000, least: 200 };
/** Products that all replicates together may take, about a second. */
const mostProducts = 1e9;
/** Replicates that are computed in one pass over the rows of all programs. */
const abreast = 4;

/** Probabilities of answers and of groups of programs, by replicate. */
export interface Probabilities {
  /** Probabilities of answers, by question `[replicates, answers]`. */
  readonly answers: readonly Float64Array[];
  /** `[replicates, groups]`: probabilities of groups of programs. */
  readonly groups: Float64Array;
}

/** Results of all replicates of a bootstrap. */
export interface Bootstraps {
  readonly replicates: number;
  /** Under weights of the rows alone. */
  readonly ofRows: Probabilities;
  /** Under these weights, with the errors of fits added. */
  readonly whole: Probabilities;
  /** `[replicates]`: total variation from the target. */
  readonly tv: Float64Array;
  /** `[programs]`: mean weight, which is pseudo-BMA+ where priors are equal. */
  readonly mean: Float64Array;
  /** Share of replicates in which the program of largest weight is that of the target. */
  readonly sameWinner: number;
  /**
   * Mean nats of fit by which the program that wins a replicate does better in it than on the data:
   * the optimism of selection (Efron 1983, JASA 78:316-331).
   */
  readonly optimism: number;
  /** Draws of effects, `[replicates]` or fewer each: one of the term, from a program that has it. */
  readonly effects: readonly Float64Array[];
}

/** Groups of programs that are summed beside the answers of the questions. */
export interface Groups {
  /** `[programs]`. */
  readonly of: Int32Array;
  readonly count: number;
}

/** Streams of rows' weights, of errors of fits and of effects: none disturbs another. */
interface BootstrapStreams {
  readonly rows: RandomStream;
  readonly fits: RandomStream;
  readonly effects: RandomStream;
}

/** Number of replicates for a space of this size. */
function replicatesOf({ logReward, rows }: Pick<ScoredSpace, "logReward" | "rows">): number {
  const affordable = Math.floor(mostProducts / Math.max(1, logReward.length * rows));
  return Math.max(replicatesRange.least, Math.min(replicatesRange.most, affordable));
}

/**
 * The target under Bayesian bootstraps (Newton and Raftery 1994, J. Royal Statistical Society B
 * 56:3-48; for weights of models Yao et al. 2018, section 3.4): rows, or groups of rows, are weighted by n times a draw of
 * the flat Dirichlet distribution, and so is the term of each in the log reward. That moves the
 * difference of two programs by its standard error over rows; probabilities get the part that rows
 * cannot show as well, a normal draw for each answer (`difference.ts`).
 *
 * @param weights `[programs]`, the target itself.
 * @param parameters by question, the number by which its likeliest answers differ.
 */
export function bootstrap(
  space: ScoredSpace & { readonly pointwise: Float64Array },
  weights: Float64Array,
  { groups, parameters }: { readonly groups: Groups; readonly parameters: readonly number[] },
  random: BootstrapStreams,
): Bootstraps {
  const { logReward, questions, effects } = space;
  const programs = logReward.length;
  const replicates = replicatesOf(space);
  const [ofRows, whole] = [1, 2].map(() => ({
    answers: questions.map((one) => new Float64Array(replicates * one.answers.length)),
    groups: new Float64Array(replicates * groups.count),
  }));
  const keep = ({ answers, groups: summed }: Probabilities, given: Float64Array, b: number) => {
    questions.forEach(({ given: of, answers: { length } }, q) =>
      answers[q].set(summedBy(given, of, length), b * length)
    );
    summed.set(summedBy(given, groups.of, groups.count), b * groups.count);
  };
  const tv = new Float64Array(replicates);
  const mean = new Float64Array(programs);
  const winner = largest(logReward);
  let [sameWinner, optimism] = [0, 0];
  const drawn = effects.map(() => new Float64Array(replicates));
  const without = effects.map(() => 0);
  const starts = effects.map(() => [random.effects.uniform(), random.effects.uniform()] as const);
  const ahead = Array.from({ length: abreast }, () => new Float64Array(programs));
  const own = new Float64Array(programs);
  const wider = new Float64Array(programs);
  for (let b = 0; b < replicates; b++) {
    if (b % abreast === 0) reweighted(space, random.rows, ahead);
    const logs = ahead[b % abreast];
    normalised(logs, own);
    normalised(withErrorsOfFits(logs, questions, parameters, random.fits), wider);
    keep(ofRows, own, b);
    keep(whole, wider, b);
    tv[b] = totalVariation(own, weights);
    for (let k = 0; k < programs; k++) mean[k] += own[k] / replicates;
    const best = largest(logs);
    const gained = (k: number) => logs[k] - logReward[k];
    if (best === winner) sameWinner += 1 / replicates;
    optimism += (gained(best) - gained(winner)) / replicates;
    effects.forEach((effect, e) => {
      const draw = drawOf(effect, own, evenly(starts[e], b));
      if (draw === undefined) without[e]++;
      else drawn[e][b - without[e]] = draw;
    });
  }
  const kept = drawn.map((draws, e) => draws.subarray(0, replicates - without[e]));
  const found = { replicates, ofRows, whole, tv, mean, sameWinner, optimism };
  return { ...found, effects: kept };
}

/**
 * Log rewards of the next replicates, each into its own of `out`. They go side by side, for a sum waits
 * for its last addition; each adds in the order of the rows.
 */
function reweighted(
  { logReward, pointwise, rows }:
    & { readonly pointwise: Float64Array }
    & Pick<
      ScoredSpace,
      "logReward" | "rows"
    >,
  random: RandomStream,
  [one, two, three, four]: readonly Float64Array[],
): void {
  const [r, s, t, u] = Array.from({ length: abreast }, () => surplusOf(rows, random));
  for (let k = 0; k < logReward.length; k++) {
    let [a, b, c, d] = [logReward[k], logReward[k], logReward[k], logReward[k]];
    for (let i = 0, at = k * rows; i < rows; i++, at++) {
      const own = pointwise[at];
      a += r[i] * own;
      b += s[i] * own;
      c += t[i] * own;
      d += u[i] * own;
    }
    one[k] = a;
    two[k] = b;
    three[k] = c;
    four[k] = d;
  }
}

/** Log rewards, moved by a normal draw for each answer: two answers come apart by `parameters`. */
function withErrorsOfFits(
  logs: Float64Array,
  questions: ScoredSpace["questions"],
  parameters: readonly number[],
  random: RandomStream,
): Float64Array {
  const moved = logs.slice();
  questions.forEach(({ given, answers }, q) => {
    const moves = new Float64Array(answers.length);
    fillNormal(random, moves);
    const size = Math.sqrt(parameters[q] / 2);
    for (let k = 0; k < moved.length; k++) moved[k] += size * moves[given[k]];
  });
  return moved;
}

/** n times a draw of the flat Dirichlet distribution, less 1: how much more each row counts. */
export function surplusOf(n: number, random: RandomStream): Float64Array {
  const out = new Float64Array(n);
  let sum = 0;
  for (let i = 0; i < n; i++) sum += out[i] = -log(random.uniform());
  return out.map((x) => n * x / sum - 1);
}

function largest(weights: Float64Array): number {
  let best = 0;
  for (let k = 1; k < weights.length; k++) if (weights[k] > weights[best]) best = k;
  return best;
}

/**
 * The point of replicate `b` of a sequence that fills the unit square evenly from a random start (Richtmyer 1951;
 * Cranley and Patterson 1976): quantiles of such draws have a smaller error than those of independent ones.
 */
function evenly([first, second]: readonly [number, number], b: number): readonly [number, number] {
  return [(first + b * Math.SQRT2) % 1, (second + b * Math.sqrt(3)) % 1];
}

/** Draws of a term under the target itself, for rewards that no bootstrap reweighs. */
export function effectDraws(
  effect: ScoredSpace["effects"][number],
  weights: Float64Array,
): Float64Array {
  const draw = (b: number) => drawOf(effect, weights, evenly([0, 0.5], b))!;
  return Float64Array.from({ length: replicatesRange.most }, (_, b) => draw(b));
}

/** The 95 % quantile of the standard normal distribution. */
export const z95 = 1.6448536269514722;

/**
 * A draw of a term: a program by its weight among those that have it, then of its posterior, which is taken to
 * be normal on each side of the mean, with the quantiles that the program has: ends of intervals then
 * respect bounds of parameters.
 */
function drawOf(
  { programs, mean, q05, q95 }: ScoredSpace["effects"][number],
  weights: Float64Array,
  [u, v]: readonly [number, number],
): number | undefined {
  let total = 0;
  for (const k of programs) total += weights[k];
  if (!(total > 0)) return undefined;
  let left = u * total;
  let chosen = 0;
  for (let j = 0; j < programs.length; j++) {
    chosen = j;
    left -= weights[programs[j]];
    if (left <= 0) break;
  }
  const z = normalQuantile(Math.max(v, 1e-9));
  const width = z < 0 ? mean[chosen] - q05[chosen] : q95[chosen] - mean[chosen];
  return mean[chosen] + z / z95 * Math.max(0, width);
}
