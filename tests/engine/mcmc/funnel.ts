/** Neal's funnel (Neal 2003, Annals of Statistics 31, 705–767), on which chains mix badly. */
import { exp } from "../../../src/numerics/math/elementary.ts";
import type { LogDensity } from "../../../src/numerics/math/log_density.ts";

/** log s ~ N(0, 1), x_i ~ N(0, s): its neck is as narrow as its mouth is wide. */
export function funnel(dimension: number): LogDensity {
  return {
    dimension,
    logDensity(q, g, o) {
      const precision = exp(-2 * q[o]);
      let value = -0.5 * q[o] * q[o] - (dimension - 1) * q[o];
      g[o] = -q[o] - (dimension - 1);
      for (let i = 1; i < dimension; i++) {
        const x = q[o + i];
        g[o + i] = -x * precision;
        value -= 0.5 * x * x * precision;
        g[o] += x * x * precision;
      }
      return value;
    },
  };
}
