/** The estimate of log Z in training: started from data, then learned by regression or followed by a mean. */
import { log, logSumExp } from "../../numerics/math/mod.ts";
import { makeScalarAdam } from "./scalar_adam.ts";

/** Source of log Z: a learned number, or a running mean of estimates of the batches. */
export type LogZSource = "regression" | "data";

/**
 * Where log Z starts: at a number, or from ζ of the first batch, at its mean or at the
 * importance-sampling estimate log (1/B) Σ e^ζ.
 */
export type LogZStart = number | "mean" | "importance";

/** Weight of the newest batch in the running mean. */
const newest = 0.1;

interface Saved {
  readonly value: number | null;
  readonly adam: unknown;
}

/**
 * With `regression` the objective's gradient moves the number by Adam, with a learning rate of its
 * own; with `data` it is a running mean of ζ = log R + log P_B − log P_F over batches, whose
 * optimum is the same, and no gradient is used.
 *
 * The mean of ζ is below log Z by the divergence of the policy from the target. Where rewards are
 * thousands of nats apart, that is more than the learning rate of log Z makes up for in a whole
 * training, and meanwhile nearly every residual has one sign. Then start at `importance`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { LogZEstimate } from "./log_z_estimate.ts";
 * const zetas = [-60, -4000, -3000, -2000];
 * assert.equal(new LogZEstimate("regression").at(zetas), -2265);
 * assert.equal(new LogZEstimate("regression", "importance").at(zetas).toFixed(3), "-61.386");
 * ```
 */
export class LogZEstimate {
  readonly #source: LogZSource;
  readonly #adam = makeScalarAdam();
  readonly #start: LogZStart;
  #value: number | undefined;

  /** An estimate that no batch has moved yet. */
  constructor(source: LogZSource, start: LogZStart = "mean") {
    this.#source = source;
    this.#start = start;
    if (typeof start === "number") this.#value = start;
  }

  /** The estimate now; undefined before the first batch. */
  get value(): number | undefined {
    return this.#value;
  }

  /** The estimate with which a batch is scored that has these ζ, at least one. */
  at(zetas: readonly number[]): number {
    if (this.#value === undefined) {
      this.#value = this.#start === "importance" ? importance(zetas) : mean(zetas);
    } else if (this.#source === "data") this.#value += newest * (mean(zetas) - this.#value);
    return this.#value;
  }

  /** One step of Adam on dLoss/dlogZ; nothing with `data`. */
  step(gradient: number, learningRate: number): number {
    if (this.#source === "regression") this.#value! += this.#adam.step(gradient, learningRate);
    return this.#value!;
  }

  save(): Saved {
    return { value: this.#value ?? null, adam: this.#adam.save() };
  }

  load(saved: unknown): void {
    const { value, adam } = saved as Saved;
    this.#value = value ?? undefined;
    this.#adam.load(adam);
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

function importance(zetas: readonly number[]): number {
  return logSumExp(zetas) - log(zetas.length);
}
