/** Posteriors of what is left beside normal latents under responses that are not normal. */
import type { Dataset } from "../../../base/dataset.ts";
import {
  type FieldConditional,
  type FieldPosterior,
  log,
  type StartingRegion,
} from "../../../numerics/math/mod.ts";
import { assemble } from "../density/assemble.ts";
import type { CheckedProgram } from "../../language/ir/program.ts";
import { AffineProgram } from "./affine.ts";
import { byDifferences } from "./by_differences.ts";
import { farRows, FieldDraws } from "./field_draws.ts";
import type { FieldLatents } from "./field_latents.ts";
import { locatedOf } from "./linear_latents.ts";
import type { NormalSites, Predictors } from "./normal_sites.ts";
import { RemainingParameters } from "./remaining.ts";
import { RowLikelihood } from "./row_likelihood.ts";
import { type LaplaceFit, laplaceSites, propagated, tilted } from "./site_fit.ts";

/**
 * The posterior of a program's parameters θ beside latents that its likelihood depends on through one
 * linear predictor: log p(y | θ) is Laplace's approximation, and the term of a row is its density under the
 * predictor's distribution without it (Vehtari, Mononen, Tolvanen, Sivula and Winther 2016). Importance
 * draws around sites of expectation propagation estimate the error of both.
 */
export function fieldPosterior(
  program: CheckedProgram,
  dataset: Dataset,
  found: FieldLatents,
): FieldPosterior {
  return new Field(program, dataset, found);
}

/** Results at one θ. */
interface Found {
  readonly logPrior: number;
  readonly predictors: Predictors;
  readonly fit: LaplaceFit;
  readonly evaluations: number;
}

class Field implements FieldPosterior {
  readonly dimension: number;
  readonly observations: number;
  readonly integrated: number;
  readonly startingRegion: StartingRegion;
  readonly #affine: AffineProgram;
  readonly #found: FieldLatents;
  readonly #remaining: RemainingParameters;
  readonly #likelihood: RowLikelihood;
  readonly #scales: readonly (readonly [node: number, isFactor: boolean])[];
  #known: { readonly at: Float64Array; readonly found: Found | undefined } | undefined;

  constructor(program: CheckedProgram, dataset: Dataset, found: FieldLatents) {
    const { latents, predictor, given, elementOfRow } = found;
    const { parameters } = program;
    const columns = new Map(dataset.columns.map(({ name, values }) => [name, values]));
    this.#found = found;
    this.#scales = latents.flatMap((k) => {
      const { prior } = parameters[k];
      return locatedOf(prior)!.scale.map((id) => [id, prior.family === "mv_normal"] as const);
    });
    const targets = [predictor, ...this.#scales.map(([id]) => id)];
    this.#affine = new AffineProgram(program, columns, latents, targets);
    const assembled = assemble(given, dataset);
    const left = [...parameters.keys()].filter((k) => !latents.includes(k));
    this.#remaining = new RemainingParameters(assembled, left, this.#affine.frontier);
    this.#likelihood = new RowLikelihood(assembled, this.#remaining.roots, elementOfRow);
    for (const { id, value } of this.#remaining.values) this.#affine.set(id, value);
    this.dimension = this.#remaining.dimension;
    this.startingRegion = this.#remaining.startingRegion;
    this.observations = elementOfRow.length;
    this.integrated = this.#affine.noise;
  }

  logDensity(position: Float64Array, gradient: Float64Array, offset: number): number {
    return byDifferences(this, position, gradient, offset);
  }

  valueAlone(position: Float64Array, offset: number): number {
    const found = this.#at(position.slice(offset, offset + this.dimension));
    return found ? found.logPrior + found.fit.logEvidence : -Infinity;
  }

  logLikelihood(position: Float64Array, offset: number, out: Float64Array, outOffset: number) {
    const at = position.slice(offset, offset + this.dimension);
    const found = this.#at(at);
    if (!found) return void out.fill(NaN, outOffset, outOffset + this.observations);
    this.#enter(at);
    out.set(tilted(found.fit, this.#likelihood).logs, outOffset);
  }

  withLikelihood(
    position: Float64Array,
    gradient: Float64Array,
    offset: number,
    out: Float64Array,
    outOffset: number,
  ): number {
    gradient.fill(0, offset, offset + this.dimension);
    this.logLikelihood(position, offset, out, outOffset);
    return this.valueAlone(position, offset);
  }

  /** Of a row at its mean predictor: for display alone. */
  logPredictive(position: Float64Array, offset: number, out: Float64Array, outOffset: number) {
    this.logLikelihood(position, offset, out, outOffset);
  }

  conditional(position: Float64Array, careful = false): FieldConditional | undefined {
    const at = position.slice();
    const found = this.#at(at);
    if (!found) return undefined;
    const enter = () => this.#enter(at);
    enter();
    const { predictors, fit, logPrior } = found;
    const before = this.#likelihood.evaluations;
    const sites = propagated(predictors, this.#likelihood, fit);
    const refitted = careful ? this.#withoutRows(predictors, farRows(sites)) : [];
    const evaluations = found.evaluations + this.#likelihood.evaluations - before;
    return new FieldDraws(
      predictors,
      this.#likelihood,
      sites,
      logPrior,
      enter,
      evaluations,
      refitted,
    );
  }

  /** Sites that are found without each of these rows. */
  #withoutRows(predictors: Predictors, rows: readonly number[]): readonly NormalSites[] {
    return rows.flatMap((row) =>
      this.#likelihood.without(row, () => {
        const fit = laplaceSites(predictors, this.#likelihood);
        return fit ? [propagated(predictors, this.#likelihood, fit).normal] : [];
      })
    );
  }

  /** Puts θ into the vector that likelihoods are evaluated at. */
  #enter(at: Float64Array): void {
    this.#remaining.place(at, this.#likelihood.whole);
  }

  #at(at: Float64Array): Found | undefined {
    if (this.#known && at.every((x, k) => x === this.#known!.at[k])) return this.#known.found;
    const found = this.#find(at);
    this.#known = { at, found };
    return found;
  }

  #find(at: Float64Array): Found | undefined {
    this.#enter(at);
    const { run, whole } = this.#likelihood;
    const logPrior = this.#remaining.read(run, 0, whole);
    if (!(Math.abs(logPrior) < Infinity)) return undefined;
    this.#affine.run();
    if (!this.#areScales()) return undefined;
    const predictors = this.#predictors();
    const before = this.#likelihood.evaluations;
    const fit = laplaceSites(predictors, this.#likelihood);
    if (!fit || !(Math.abs(fit.logEvidence) < Infinity)) return undefined;
    const evaluations = this.#likelihood.evaluations - before;
    return { logPrior, predictors, fit, evaluations };
  }

  #predictors(): Predictors {
    const { elementOfRow, predictor } = this.#found;
    const { values, slopes } = this.#affine.form(predictor);
    const noise = this.#affine.noise;
    const own = new Float64Array(elementOfRow.length * noise);
    elementOfRow.forEach((e, i) => {
      own.set(slopes!.data.subarray(e * noise, (e + 1) * noise), i * noise);
    });
    return { centre: Float64Array.from(elementOfRow, (e) => values[e]), slopes: own, noise };
  }

  /** Whether the priors of the latents are distributions: their scales are positive. */
  #areScales(): boolean {
    return this.#scales.every(([id, isFactor]) => {
      const { values, shape } = this.#affine.form(id);
      const stride = isFactor ? shape[shape.length - 1] + 1 : 1;
      for (let i = 0; i < values.length; i += stride) if (!(values[i] > 0)) return false;
      return values.every((v) => log(Math.abs(v) + 1) < Infinity);
    });
  }
}
