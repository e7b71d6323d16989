/** Writes priors of parameters beside the mean, by how far a family is from the one that it nests. */
import { literal } from "./design.ts";

/**
 * An exponential prior, which has a finite density at 0 (Simpson et al. 2017).
 *
 * @param rate as text, or a number.
 * @param width a product that widths begin with, such as `width * `: the prior is so many times as
 * wide; nothing where it is as usual.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { exponential } from "./own_priors.ts";
 * assert.equal(exponential("sigma", 0.5, "2 * "), 'sigma = pm.Exponential("sigma", lam=0.5 / 2)');
 * ```
 */
export function exponential(name: string, rate: string | number, width = ""): string {
  const by = width === "" ? "" : ` / ${width.slice(0, -" * ".length)}`;
  const text = typeof rate === "number" ? literal(rate) : rate;
  return `${name} = pm.Exponential("${name}", lam=${text}${by})`;
}

/** The shape of gamma noise by its coefficient of variation, which is 0 where nothing varies. */
export function gammaShape(width?: string): string[] {
  return [exponential("cv", 1, width), "shape = 1 / cv ** 2"];
}

/**
 * The shape of Weibull noise by the standard deviation of the logarithm, π / √6 over the shape: for
 * a small one the coefficient of variation.
 */
export function weibullShape(width?: string): string[] {
  return [exponential("spread", 1, width), "shape = 1.28 / spread"];
}

/** `alpha` or `kappa` by how much rates or chances vary between rows: at 0 they are all alike. */
export function concentration(name: "alpha" | "kappa", width?: string): string[] {
  return [exponential("dispersion", 1, width), `${name} = 1 / dispersion ** 2`];
}

/** Degrees of freedom by their inverse, which is 0 for the normal distribution, and 1 for Cauchy's. */
export function heavyTails(width?: string): string[] {
  return [exponential("tails", 5, width), "nu = 1 / tails"];
}
