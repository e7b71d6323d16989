/** What a balance residual δ costs: δ² or log cosh δ, with the derivative. */
import { exp, log1p, tanh } from "../../math/elementary.ts";

/** Both have their only minimum at δ = 0, so the choice never moves the optimum. */
export type ResidualLossName = "squared" | "log_cosh";

/** Both names. */
export const residualLossNames: readonly ResidualLossName[] = ["squared", "log_cosh"];

/** A loss per residual and its derivative, both in nats. */
export interface ResidualLoss {
  /** g(δ). */
  readonly value: (delta: number) => number;
  /** g'(δ). */
  readonly derivative: (delta: number) => number;
}

const LOG_2 = 0.6931471805599453;

/** log cosh δ without overflow: |δ| + log(1 + e^(−2|δ|)) − log 2. */
function logCosh(delta: number): number {
  const size = Math.abs(delta);
  return size + log1p(exp(-2 * size)) - LOG_2;
}

/**
 * `squared` is δ² (Malkin et al. 2022). `log_cosh` is quadratic (δ²/2) near 0 and linear far out,
 * so that a program which failed at log reward −100 pulls with a force of 1 and not of 200; a
 * residual loss in the sense of Hu et al. 2025 (arXiv 2410.02596).
 */
export const residualLosses: Readonly<Record<ResidualLossName, ResidualLoss>> = {
  squared: { value: (delta) => delta * delta, derivative: (delta) => 2 * delta },
  log_cosh: { value: logCosh, derivative: tanh },
};
