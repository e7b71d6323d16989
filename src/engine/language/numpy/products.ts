/** Products of arrays as functions: dot, matmul, outer. */
import { sizeOf } from "../ir/shape.ts";
import { arrayAliases, arrayArgument, type ArrayFunction, asRank } from "./array_function.ts";
import { applyMap, fold, widest } from "../interpreter/arrays.ts";
import { matrixMultiply } from "../interpreter/linear_algebra.ts";

/** `dot(a, b)`, `matmul(a, b)`. */
export function product(dot: boolean): ArrayFunction {
  return {
    names: ["a", "b"],
    aliases: arrayAliases,
    required: 2,
    apply: (site, bound) => {
      const a = arrayArgument(site, bound, "a");
      const b = a && arrayArgument(site, bound, "b");
      return b && matrixMultiply(site.checking, a, b, site.place, dot);
    },
  };
}

/** `outer(a, b)`. */
export const outer: ArrayFunction = {
  names: ["a", "b"],
  aliases: arrayAliases,
  required: 2,
  apply: (site, bound) => {
    const a = arrayArgument(site, bound, "a");
    const b = a && arrayArgument(site, bound, "b");
    if (!b) return undefined;
    const column = asRank(site, a, (shape) => [sizeOf(shape), 1]);
    const row = asRank(site, b, (shape) => [sizeOf(shape)]);
    const made = applyMap(site.checking, "mul", [column, row], site.place, widest(a, b));
    return made && fold(site.checking, made);
  },
};
