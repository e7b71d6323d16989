/** Adaptation of the step size by dual averaging. */
import { exp, log } from "../../../numerics/math/mod.ts";

const gamma = 0.05;
const kappa = 0.75;
const t0 = 10;

/** Dual averaging (Hoffman and Gelman 2014, section 3.2) with Stan's constants. */
export class DualAveraging {
  #count = 0;
  #errorMean = 0;
  #logAverage = 0;
  #logTarget = 0;
  /** The step size to use for the next transition. */
  stepSize = 1;

  /** Aims at an acceptance statistic between 0 and 1; `restart` must follow. */
  constructor(readonly targetAcceptance: number) {}

  /** Restarts at `stepSize`, drawn towards `boldness` times it (Stan: 10). */
  restart(stepSize: number, boldness = 10): void {
    this.#count = 0;
    this.#errorMean = 0;
    this.#logAverage = 0;
    this.#logTarget = log(boldness * stepSize);
    this.stepSize = stepSize;
  }

  /** Learns from the mean acceptance statistic of one transition. */
  update(acceptance: number): void {
    this.#count += 1;
    const eta = 1 / (this.#count + t0);
    const error = this.targetAcceptance - Math.min(1, acceptance);
    this.#errorMean += eta * (error - this.#errorMean);
    const logStep = this.#logTarget - this.#errorMean * Math.sqrt(this.#count) / gamma;
    const weight = exp(-kappa * log(this.#count));
    this.#logAverage += weight * (logStep - this.#logAverage);
    this.stepSize = exp(logStep);
  }

  /** The averaged step size, to be used after tuning; the present one before any update. */
  averaged(): number {
    return this.#count === 0 ? this.stepSize : exp(this.#logAverage);
  }
}
