/** Densities between two, by a power of their ratio. */
import type { LogDensity } from "../../numerics/math/mod.ts";

/** A density with a likelihood, and the same without it. */
interface PowerEnds {
  /** Without the likelihood. */
  readonly without: LogDensity;
  /** With it. */
  readonly full: LogDensity;
}

/** The density that has the likelihood to a power between 0 and 1; each evaluation is two. */
export function between({ without, full }: PowerEnds, power: number): LogDensity {
  if (power === 0) return without;
  const other = new Float64Array(full.dimension);
  const own = new Float64Array(full.dimension);
  return {
    dimension: full.dimension,
    startingRegion: full.startingRegion,
    logDensity(position, gradient, offset) {
      for (let k = 0; k < own.length; k++) own[k] = position[offset + k];
      const all = full.logDensity(own, other, 0);
      const rest = without.logDensity(position, gradient, offset);
      if (!(all > -Infinity && rest > -Infinity)) {
        gradient.fill(0, offset, offset + own.length);
        return -Infinity;
      }
      for (let k = 0; k < own.length; k++) {
        gradient[offset + k] += power * (other[k] - gradient[offset + k]);
      }
      return rest + power * (all - rest);
    },
  };
}
