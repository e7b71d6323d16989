/** Smooth functions: a Gaussian process in even sets, and a line in odd ones. */
import { exp } from "../../../../../src/numerics/math/elementary.ts";
import { choleskyOf } from "../gaussian_process_rows.ts";
import { midpoints } from "../quadrature.ts";
import type { Simulation } from "../simulation.ts";
import { normals, streamOf, uniforms } from "./rows.ts";
import { freshAbout, seenAbout } from "./with_noise.ts";

const names = { across: "x", response: "y" };
const [length, noise, rows] = [1.2, 0.4, 40];

/** Half of the sets are lines, so that a bend can be claimed where there is none. */
export const gaussianProcess: Simulation = {
  spec: { space: "gaussian_process", formula: "y ~ x", kernels: ["linear", "exp_quad"] },
  words: "40 rows; a process of length 1.2 on 0 to 6, noise of 0.4, or a line; is it bent?",
  simulate(set, seed) {
    const random = streamOf("gaussian_process", seed, set);
    const x = uniforms(random, rows, 0, 6);
    const places = midpoints(0, 6, 32);
    const isBent = set % 2 === 0;
    const all = [...x, ...places];
    const values = isBent
      ? processAt(all, normals(random, all.length))
      : all.map((one) => 0.5 * (one - 3));
    const claim = [{
      question: "kernel",
      answers: ["exp_quad", "linear + exp_quad", "linear * exp_quad"],
    }];
    return {
      dataset: seenAbout(random, names, x, (_, i) => values[i], noise),
      fresh: freshAbout(names, places, (_, k) => values[rows + k], noise),
      truth: { kernel: isBent ? "exp_quad" : "linear" },
      ...(isBent ? { strong: claim } : { absent: claim }),
    };
  },
};

/** One draw of the process at all places together. */
function processAt(x: readonly number[], z: Float64Array): number[] {
  const covariance = x.map((a, i) =>
    x.map((b, j) => exp(-(((a - b) / length) ** 2) / 2) + (i === j ? 1e-8 : 0))
  );
  const factor = choleskyOf(covariance);
  return factor.map((row, i) => row.slice(0, i + 1).reduce((sum, one, j) => sum + one * z[j], 0));
}
