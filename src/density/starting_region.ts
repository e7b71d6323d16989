/** Where the priors have their weight on the unconstrained scale: where chains should start. */
import type { CheckedProgram, Family } from "../lang/graph.ts";
import type { StartingRegion } from "../math/log_density.ts";
import { exp, log } from "../math/elementary.ts";
import type { Operand } from "./layout.ts";

type Of<T> = (a: number, b: number, c: number, d: number) => T;

/** A value in the middle of each family; after the support points of PyMC, but finite always. */
const centres: { readonly [family in Family]: Of<number> } = {
  normal: (mu) => mu,
  half_normal: (sigma) => sigma,
  log_normal: (mu) => exp(mu),
  student_t: (_nu, mu) => mu,
  half_student_t: (_nu, sigma) => sigma,
  cauchy: (alpha) => alpha,
  half_cauchy: (beta) => beta,
  exponential: (lam) => 1 / lam,
  gamma: (alpha, beta) => alpha / beta,
  inverse_gamma: (alpha, beta) => beta / (alpha + 1),
  weibull: (_alpha, beta) => beta,
  beta: (alpha, beta) => alpha / (alpha + beta),
  uniform: (lower, upper) => (lower + upper) / 2,
  laplace: (mu) => mu,
  logistic: (mu) => mu,
  gumbel: (mu) => mu,
  skew_normal: (mu) => mu,
  truncated_normal(mu, sigma, lower, upper) {
    if (lower < mu && mu < upper) return mu;
    const reach = (upper - lower) / 2;
    return mu <= lower ? lower + Math.min(sigma, reach) : upper - Math.min(sigma, reach);
  },
};

/** The scale of families that keep it on the unconstrained scale; 1 for all others. */
const spreads: { readonly [family in Family]?: Of<number> } = {
  normal: (_mu, sigma) => sigma,
  log_normal: (_mu, sigma) => sigma,
  student_t: (_nu, _mu, sigma) => sigma,
  cauchy: (_alpha, beta) => beta,
  laplace: (_mu, b) => b,
  logistic: (_mu, s) => s,
  gumbel: (_mu, beta) => beta,
  skew_normal: (_mu, sigma) => sigma,
};

/**
 * Centre and spread of every parameter, in order: the arguments of a prior are taken at the centres
 * of the parameters before it.
 *
 * @param evaluate fills the memory for an unconstrained vector.
 */
export function startingRegion(
  program: CheckedProgram,
  priorArguments: readonly (readonly Operand[])[],
  bounds: readonly (readonly Operand[])[],
  memory: Float64Array,
  evaluate: (position: Float64Array) => void,
): StartingRegion {
  const d = program.parameters.length;
  const [centre, spread] = [new Float64Array(d), new Float64Array(d).fill(1)];
  program.parameters.forEach(({ prior, transform }, j) => {
    evaluate(centre);
    const [a = 0, b = 0, c = 0, e = 0] = priorArguments[j].map(({ address }) => memory[address]);
    const [lower, upper] = bounds[j].map(({ address }) => memory[address]);
    const at = unconstrained(transform.kind, centres[prior.family](a, b, c, e), lower, upper);
    if (Math.abs(at) < Infinity) centre[j] = at;
    const scale = spreads[prior.family]?.(a, b, c, e) ?? 1;
    if (scale > 0 && scale < 1) spread[j] = scale;
  });
  return { centre, spread };
}

function unconstrained(
  kind: "identity" | "log" | "logodds" | "interval",
  x: number,
  lower: number,
  upper: number,
): number {
  if (kind === "identity") return x;
  if (kind === "log") return log(x);
  if (kind === "logodds") return log(x / (1 - x));
  if (lower === -Infinity) return upper === Infinity ? x : log(upper - x);
  return upper === Infinity ? log(x - lower) : log((x - lower) / (upper - x));
}
