/** The ratio of the normalising constants of two posteriors, from draws of both. */
import { exp, log, logSumExp } from "../../numerics/math/mod.ts";

/** A log ratio with what every draw contributed to it. */
interface BridgeEstimate {
  /** log E_a[L] = −log E_b[1 / L]. */
  readonly logRatio: number;
  /** Influence of the draws of a on `logRatio`, mean 0. */
  readonly influenceA: Float64Array;
  /** Influence of the draws of b on `logRatio`, mean 0. */
  readonly influenceB: Float64Array;
}

/**
 * Estimates log E_a[L], where b ∝ a · L, by the optimal bridge (Bennett 1976; Meng and Wong 1996):
 * with r = L / ratio and the shares s of draws,
 * mean_a r / (s_a + s_b r) = mean_b 1 / (s_a + s_b r). Both sides are bounded, so that it holds
 * where the mean of L over a, or of 1 / L over b, is dominated by a few draws. `logA` and `logB`
 * are log L at the draws of a and of b.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { bridge } from "./bridge.ts";
 * const found = bridge(new Float64Array(10).fill(-3), new Float64Array(20).fill(-3));
 * assert.equal(found.logRatio, -3);
 * ```
 */
export function bridge(logA: Float64Array, logB: Float64Array): BridgeEstimate {
  const shareA = logA.length / (logA.length + logB.length);
  let low = Infinity;
  let high = -Infinity;
  for (const values of [logA, logB]) {
    for (const v of values) {
      if (v < low) low = v;
      if (v > high) high = v;
    }
  }
  let logRatio = 0.5 * (low + high);
  for (let i = 0; i < 100 && high - low > 1e-12 * (1 + Math.abs(logRatio)); i++) {
    const { excess, slope } = balance(logA, logB, shareA, logRatio);
    if (Math.abs(excess) < 1e-13) break;
    if (excess >= 0) low = logRatio;
    if (excess <= 0) high = logRatio;
    const newton = logRatio + excess / slope;
    logRatio = newton > low && newton < high ? newton : 0.5 * (low + high);
  }
  return withInfluence(logA, logB, shareA, logRatio);
}

/** Logarithms of two functions at the draws of a and of b; of b ∝ a · L. */
interface OfBoth {
  readonly a: Float64Array;
  readonly b: Float64Array;
}

/**
 * log E_a[P] − log E_a[L] for any function P, from the draws of both: draws of both are draws of
 * s_a a + s_b b, and a over that is t = 1 / (s_a + s_b r), which is bounded. Both means are over the same
 * draws with the same weights t, so that the error is that of their ratio, the part that t has in it
 * included: next to nothing where P is nearly L.
 *
 * @param logL, logP at the draws of a and of b; a function may be 0 (−∞).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { bridgedGain } from "./bridge.ts";
 * const logL = { a: Float64Array.of(-3, -1), b: Float64Array.of(-1, -2) };
 * const logP = { a: Float64Array.of(-2, 0), b: Float64Array.of(0, -1) }; // e times as much everywhere
 * const { value, mcse } = bridgedGain(logL, logP);
 * assert.ok(Math.abs(value - 1) < 1e-12 && mcse < 1e-12);
 * ```
 */
export function bridgedGain(logL: OfBoth, logP: OfBoth): { value: number; mcse: number } {
  const { logRatio, influenceA, influenceB } = bridge(logL.a, logL.b);
  const count = logL.a.length + logL.b.length;
  const shareA = logL.a.length / count;
  const all = ({ a, b }: OfBoth) => Float64Array.of(...a, ...b);
  // log t and its derivative by the log ratio.
  const logT = all(logL).map((v) => log(termB(v - logRatio, shareA)));
  const slopes = all(logL).map((v) => (1 - shareA) * termA(v - logRatio, shareA));
  const [before, after] = [logL, logP].map((values) => {
    const terms = all(values).map((v, s) => v > -Infinity ? v + logT[s] : v);
    const logMean = logSumExp(terms) - log(count);
    return { logMean, ratios: terms.map((term) => exp(term - logMean)) };
  });
  const rest = after.ratios.map((ratio, s) => ratio - before.ratios[s]);
  const slope = rest.reduce((sum, v, s) => sum + v * slopes[s], 0) / count;
  const ofA = influenceA.map((v, s) => shareA * rest[s] + slope * v);
  const ofB = influenceB.map((v, s) => (1 - shareA) * rest[logL.a.length + s] + slope * v);
  const mcse = Math.sqrt(errorSquared(ofA) + errorSquared(ofB));
  return { value: after.logMean - before.logMean, mcse: mcse === mcse ? mcse : Infinity };
}

/** Squared standard error of the mean of independent values. */
function errorSquared(values: Float64Array): number {
  const n = values.length;
  return n > 1 ? centred(values).reduce((sum, v) => sum + v * v, 0) / (n * (n - 1)) : Infinity;
}

/** r / (s_a + s_b r), the term of a draw of a. */
function termA(logR: number, shareA: number): number {
  return 1 / (shareA * exp(-logR) + 1 - shareA);
}

/** 1 / (s_a + s_b r), the term of a draw of b. */
function termB(logR: number, shareA: number): number {
  return 1 / (shareA + (1 - shareA) * exp(logR));
}

/** By how much the left side exceeds the right, and how fast that falls with the log ratio. */
function balance(logA: Float64Array, logB: Float64Array, shareA: number, logRatio: number) {
  let excess = 0;
  let slope = 0;
  for (const v of logA) {
    const f = termA(v - logRatio, shareA) / logA.length;
    excess += f;
    slope += shareA * f * termB(v - logRatio, shareA);
  }
  for (const v of logB) {
    const h = termB(v - logRatio, shareA) / logB.length;
    excess -= h;
    slope += (1 - shareA) * h * termA(v - logRatio, shareA);
  }
  return { excess, slope };
}

function withInfluence(
  logA: Float64Array,
  logB: Float64Array,
  shareA: number,
  logRatio: number,
): BridgeEstimate {
  const { slope } = balance(logA, logB, shareA, logRatio);
  const influenceA = centred(logA.map((v) => termA(v - logRatio, shareA) / slope));
  const influenceB = centred(logB.map((v) => -termB(v - logRatio, shareA) / slope));
  return { logRatio, influenceA, influenceB };
}

function centred(values: Float64Array): Float64Array {
  let mean = 0;
  for (const v of values) mean += v / values.length;
  return values.map((v) => v - mean);
}
