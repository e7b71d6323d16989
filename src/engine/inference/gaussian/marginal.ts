/** The posterior of what is not linear in a normal likelihood: the rest is integrated out exactly. */
import type { Dataset } from "../../../base/dataset.ts";
import {
  cholesky,
  type ClosedFormPosterior,
  inverseFromCholesky,
  log,
  logNormalInterval,
  solveLower,
  type StartingRegion,
} from "../../../numerics/math/mod.ts";
import type { RandomStream } from "../../../base/random.ts";
import { assemble, isJoint, priorOf } from "../density/assemble.ts";
import {
  logSlopes,
  observedValues,
  type RecordedCells,
  recordedCells,
} from "../density/recorded_cells.ts";
import { logConditional } from "./in_order.ts";
import { startingRegion } from "../density/starting_region.ts";
import type { NodeId } from "../../language/ir/node.ts";
import type { CheckedProgram } from "../../language/ir/program.ts";
import { byDifferences } from "./by_differences.ts";
import { type AffineForm, type AffineProgram, noiseCount } from "./affine.ts";
import { type AffineParts, CompiledAffine } from "./compiled_affine.ts";
import { type Field, fieldOf } from "./field.ts";
import { type BandPlan, bandPlan, precisionByBand } from "./banded.ts";
import { LatentDraws } from "./latent_draws.ts";
import { linearLatents, locatedOf } from "./linear_latents.ts";
import {
  DenseWork,
  LatentWork,
  type Precision,
  precisionByCovariance,
  precisionByLatents,
  precisionByRows,
  precisionOfFactor,
  rowsByLatents,
} from "./square_root.ts";
import { Slopes } from "./slopes.ts";

/** ½ log 2π. */
const halfLog2Pi = 0.9189385332046727;
/** Rows up to which no bands are looked for. */
const fewRows = 40;
/** Multiplications of a factor of latents up to which withheld rows are taken given latents. A round number: some 20 ms. */
const fewLatents = 2e7;
/** Times as many multiplications that rows at large have to take for bands to pay. */
const bandAdvantage = 8;
/** Noise over the largest number of the response at which residuals are known to 2 to 3 digits: there is none below. */
const leastRelativeNoise = 2 ** -44;
/** Below it noise is lost: above `leastRelativeNoise` by a factor of e^2.8, within which improper posteriors have most mass. */
const lostRelativeNoise = 2 ** -40;

/**
 * The posterior of a program's parameters θ that are left when those that enter its normal likelihood
 * linearly are integrated out in closed form: y | θ ~ N(m, S) with S = A Aᵀ + D. The term of an
 * observation is log p(y_i | y_-i, θ) = −½ log 2π + ½ log Q_ii − ½ α_i² / Q_ii with Q = S⁻¹ and
 * α = Q (y − m) (Sundararajan and Keerthi 2001; Bürkner, Gabry and Vehtari 2021), that of a group the
 * same with the block of Q. It costs one QR decomposition, over rows or over latents, whichever are
 * fewer. Gradients are differences, good enough to climb by.
 *
 * @param unitOfRow the unit 0, 1, … of every row, where units are left out and not rows.
 * @returns `undefined` if the likelihood is not normal, or if nothing is linear in it.
 */
export function closedFormPosterior(
  program: CheckedProgram,
  dataset: Dataset,
  unitOfRow?: ArrayLike<number>,
): MeasuredPosterior | undefined {
  const latents = linearLatents(program);
  if (!latents || (latents.length === 0 && !isJoint(program))) return undefined;
  return new ClosedForm(program, dataset, latents, unitOfRow);
}

/** A posterior with its cost, and with densities of rows without others, and of each given those before it. */
export interface MeasuredPosterior extends ClosedFormPosterior {
  /** Multiplications of one evaluation. */
  readonly work: number;
  readonly startingRegion: StartingRegion;
  /** Multiplications of `withheld` for so many rows. */
  withheldWork(count: number): number;
  /** Density of these rows alone, given all others; `undefined` where there is none. */
  withheld(position: Float64Array, offset: number, rows: readonly number[]): Withheld | undefined;
}

/** Withheld rows at one θ. */
export interface Withheld {
  /** log p(θ, y of the other rows). */
  readonly logDensity: number;
  /** log p(y_i | θ, y of the other rows) of every withheld row, of recorded data by its cell. */
  readonly terms: Float64Array;
}

class ClosedForm implements MeasuredPosterior {
  readonly dimension: number;
  readonly observations: number;
  readonly integrated: number;
  readonly startingRegion: StartingRegion;
  readonly #parts: AffineParts;
  /** Log prior of what is left, in the assembled graph. */
  readonly #prior: NodeId;
  /** A field whose covariance is written out, and all but that. */
  readonly #field: HeldField | undefined;
  #forms: SlopeForms | undefined;
  readonly #program: CheckedProgram;
  readonly #latents: readonly number[];
  readonly logCells?: ClosedFormPosterior["logCells"];
  readonly #slopes: Float64Array | undefined;
  readonly #cells: RecordedCells | undefined;
  #draws: LatentDraws | undefined;
  readonly #response: Float64Array;
  /** The largest number of the response. */
  readonly #size: number;
  readonly #rowsOf: readonly (readonly number[])[];
  readonly kept: readonly number[];
  readonly #position: Float64Array;
  readonly #scaleNodes: readonly number[];
  /** Whether all rows are one vector, with a factor of its covariance instead of noise. */
  readonly #isJoint: boolean;
  /** Found at the first position; false if rows follow no random walk. */
  #plan: BandPlan | false | undefined;
  /** For factors of the rows' covariance; made when one is. */
  #denseWork: DenseWork | undefined;
  readonly #one: Float64Array = new Float64Array(1);
  /** Of the last position `[rows]`. */
  #residualsOf: Float64Array | undefined;
  #noiseOf: Float64Array | undefined;
  #latentWork: LatentWork | undefined;
  #known: { readonly at: Float64Array; readonly found: Found | undefined } | undefined;

  constructor(
    program: CheckedProgram,
    dataset: Dataset,
    latents: readonly number[],
    unitOfRow?: ArrayLike<number>,
  ) {
    const { parameters } = program;
    const columns = new Map(dataset.columns.map(({ name, values }) => [name, values]));
    this.#program = program;
    this.#latents = latents;
    this.#response = observedValues(program, dataset);
    this.#size = this.#response.reduce((most, y) => Math.max(most, Math.abs(y)), 0);
    this.#slopes = logSlopes(program, dataset);
    this.#cells = recordedCells(program, dataset);
    if (this.#cells) {
      this.logCells = (position, offset, out, outOffset) =>
        this.#writeCells(this.#at(position, offset), out, outOffset);
    }
    this.#rowsOf = rowsOfUnits(this.#response.length, unitOfRow);
    this.observations = this.#rowsOf.length;
    this.#scaleNodes = latents.flatMap((k) => locatedOf(parameters[k].prior)!.scale);
    const assembled = assemble(program, dataset);
    const left = [...parameters.keys()].filter((k) => !latents.includes(k));
    this.#prior = left.map((k) => priorOf(assembled.g, assembled.parameters[k]))
      .reduce((sum, one) => assembled.g.add(sum, one), assembled.g.scalar(0));
    this.#parts = { program, columns, assembled, latents };
    this.#isJoint = isJoint(program);
    const field = fieldOf(program, latents);
    this.#field = field && this.#heldField(field);
    this.integrated = latents.reduce((sum, k) => sum + noiseCount(parameters[k]), 0);
    this.kept = left.flatMap((k) => {
      const { offset, size } = assembled.parameters[k];
      return Array.from({ length: size }, (_, i) => offset + i);
    });
    this.dimension = this.kept.length;
    this.#position = new Float64Array(assembled.dimension);
    const region = startingRegion(assembled);
    this.startingRegion = {
      centre: Float64Array.from(this.kept, (k) => region.centre[k]),
      spread: Float64Array.from(this.kept, (k) => region.spread[k]),
    };
  }

  logDensity(position: Float64Array, gradient: Float64Array, offset: number): number {
    return byDifferences(this, position, gradient, offset);
  }

  valueAlone(position: Float64Array, offset: number): number {
    return this.#at(position, offset)?.logDensity ?? -Infinity;
  }

  logLikelihood(position: Float64Array, offset: number, out: Float64Array, outOffset: number) {
    const found = this.#at(position, offset);
    this.#write(found, out, outOffset);
  }

  withLikelihood(
    position: Float64Array,
    gradient: Float64Array,
    offset: number,
    out: Float64Array,
    outOffset: number,
  ): number {
    gradient.fill(0, offset, offset + this.dimension);
    const found = this.#at(position, offset);
    this.#write(found, out, outOffset);
    return found?.logDensity ?? -Infinity;
  }

  logPredictive(position: Float64Array, offset: number, out: Float64Array, outOffset: number) {
    const found = this.#at(position, offset);
    // Of one vector there is no replicate of a row: its term stands for it.
    if (this.#isJoint) return this.#write(found, out, outOffset);
    for (let u = 0; u < this.observations; u++) {
      out[outOffset + u] = found ? predictiveOf(found, this.#rowsOf[u]) + this.#slope(u) : NaN;
    }
  }

  withheldWork(count: number): number {
    return this.#areFewLatents
      ? this.#latentWorkOf
      : this.work + count * count * this.#response.length;
  }

  withheld(position: Float64Array, offset: number, rows: readonly number[]): Withheld | undefined {
    const given = this.#areFewLatents
      ? this.#givenLatents(position, offset, rows)
      : this.#givenBlock(position, offset, rows);
    if (!given || !(Math.abs(given.logDensity) < Infinity)) return undefined;
    const { logDensity, away, spreads } = given;
    const terms = Float64Array.from(rows, (i, k) => {
      const white = away[k] / spreads[k];
      if (!this.#cells) {
        return this.#slopeOf(i) - halfLog2Pi - log(spreads[k]) - 0.5 * white * white;
      }
      const { low, high, width } = this.#cells;
      const end = (value: number) => white + (value - this.#response[i]) / spreads[k];
      return logNormalInterval(end(low[i]), end(high[i])) - log(width);
    });
    return { logDensity, terms };
  }

  /** Multiplications of a factor of latents. */
  get #latentWorkOf(): number {
    const { rows, width } = this.#slopeForms.slopes;
    return rows * width * width;
  }

  /** Whether withheld rows are cheapest by the latents given the others. */
  get #areFewLatents(): boolean {
    return !this.#field && this.#slopeForms.columns !== undefined &&
      this.#latentWorkOf <= fewLatents;
  }

  #givenLatents(position: Float64Array, offset: number, rows: readonly number[]) {
    this.kept.forEach((k, i) => this.#position[k] = position[offset + i]);
    const parts = this.#partsOfSlopes();
    if (parts?.noise.some((one) => one < leastRelativeNoise * this.#size)) return undefined;
    const given = parts &&
      rowsByLatents(parts.residuals, parts.noise, parts.slopes, this.#slopeForms.columns!, rows);
    if (!given) return undefined;
    const constants = halfLog2Pi * (this.#response.length - rows.length);
    return { ...given, logDensity: parts.logPrior + given.logDensity - constants };
  }

  #givenBlock(position: Float64Array, offset: number, rows: readonly number[]) {
    const found = this.#at(position, offset);
    const given = found && givenOthers(found.precision, rows);
    return given && { ...given, logDensity: found.logDensity - given.joint };
  }

  #writeCells(found: Found | undefined, out: Float64Array, outOffset: number): void {
    for (let u = 0; u < this.observations; u++) {
      out[outOffset + u] = found
        ? cellsOfUnit(found.precision, this.#rowsOf[u], this.#response, this.#cells!)
        : NaN;
    }
  }

  /** Log slope of a unit: turns its log density into one of the response. */
  #slope(u: number): number {
    return this.#slopes ? this.#rowsOf[u].reduce((sum, i) => sum + this.#slopeOf(i), 0) : 0;
  }

  #slopeOf(row: number): number {
    return this.#slopes?.[row] ?? 0;
  }

  standardised(position: Float64Array, offset: number, out: Float64Array, outOffset: number) {
    const found = this.#at(position, offset);
    for (let i = 0; i < this.#response.length; i++) {
      const { weighted, diagonal } = found?.precision ?? {};
      out[outOffset + i] = weighted && diagonal ? weighted[i] / Math.sqrt(diagonal[i]) : NaN;
    }
  }

  inOrder(position: Float64Array, offset: number, out: Float64Array, outOffset: number) {
    const found = this.#at(position, offset);
    const given = found?.precision.inOrder();
    for (let t = 0; t < this.#response.length; t++) {
      out[outOffset + t] = given ? logConditional(given, t) + (this.#slopes?.[t] ?? 0) : NaN;
    }
  }

  cellsInOrder(position: Float64Array, offset: number, out: Float64Array, outOffset: number) {
    const found = this.#at(position, offset);
    const given = found?.precision.inOrder();
    const { low, high, width } = this.#cells!;
    for (let t = 0; t < this.#response.length; t++) {
      const around = (end: number) =>
        given!.standardised[t] + given!.roots[t] * (end - this.#response[t]);
      out[outOffset + t] = given
        ? logNormalInterval(around(low[t]), around(high[t])) - log(width)
        : NaN;
    }
  }

  drawWhole(
    position: Float64Array,
    offset: number,
    random: RandomStream,
    out: Float64Array,
    outOffset: number,
  ): void {
    const found = this.#at(position, offset);
    if (!found) throw new Error("internal: a draw where there is no density");
    const whole = this.#position;
    this.kept.forEach((k, i) => whole[k] = position[offset + i]);
    this.#draws ??= new LatentDraws(this.#parts, this.#response);
    this.#draws.write(whole, found, random);
    out.set(whole, outOffset);
  }

  isLost(position: Float64Array, offset: number): boolean {
    const found = this.#at(position, offset);
    return found !== undefined && found.leastNoise < lostRelativeNoise * this.#size;
  }

  drawsAgree(): boolean {
    return this.#draws?.agree ?? true;
  }

  #write(found: Found | undefined, out: Float64Array, outOffset: number): void {
    for (let u = 0; u < this.observations; u++) {
      out[outOffset + u] = found ? leftOut(found.precision, this.#rowsOf[u]) + this.#slope(u) : NaN;
    }
  }

  #at(position: Float64Array, offset: number): Found | undefined {
    const at = position.slice(offset, offset + this.dimension);
    if (this.#known && at.every((x, k) => x === this.#known!.at[k])) return this.#known.found;
    const found = this.#find(at);
    this.#known = { at, found };
    return found;
  }

  #find(at: Float64Array): Found | undefined {
    this.kept.forEach((k, i) => this.#position[k] = at[i]);
    return this.#ofCovariance() ?? this.#ofSlopes();
  }

  /** In terms of a field's covariance; `undefined` where that costs digits, or there is no such field. */
  #ofCovariance(): Found | undefined {
    if (!this.#field) return undefined;
    const { compiled, covariance, scaleNodes } = this.#field;
    const rootOf = compiled.moveTo(this.#position);
    rootOf(0, this.#one);
    rootOf(1, covariance);
    const [logPrior] = this.#one;
    if (!(Math.abs(logPrior) < Infinity)) return undefined;
    compiled.affine.run();
    if (!this.#areScales(compiled.affine, scaleNodes)) return undefined;
    const { residuals, noise, slopes } = this.#residuals(compiled.affine, this.#field.slopes);
    if (!noise) return undefined;
    const own = this.#field.slopes.width > 0 ? slopes : undefined;
    return this.#found(
      logPrior,
      noise,
      precisionByCovariance(residuals, noise, covariance, own, this.#dense),
    );
  }

  /** In terms of factors: of what latents are made of. */
  #ofSlopes(): Found | undefined {
    const parts = this.#partsOfSlopes();
    if (!parts) return undefined;
    const { logPrior, residuals, noise, slopes } = parts;
    return this.#found(logPrior, noise, this.#precision(residuals, noise, slopes));
  }

  #partsOfSlopes() {
    const { compiled, slopes } = this.#slopeForms;
    const rootOf = compiled.moveTo(this.#position);
    rootOf(0, this.#one);
    const [logPrior] = this.#one;
    if (!(Math.abs(logPrior) < Infinity)) return undefined;
    compiled.affine.run();
    if (!this.#areScales(compiled.affine, this.#scaleNodes)) return undefined;
    const { residuals, noise, slopes: own } = this.#residuals(compiled.affine, slopes);
    return noise && { logPrior, residuals, noise, slopes: own };
  }

  #found(logPrior: number, noise: Float64Array, precision: Precision | undefined) {
    if (!precision) return undefined;
    const logDensity = logPrior + precision.logDensity - halfLog2Pi * this.#response.length;
    if (!(Math.abs(logDensity) < Infinity)) return undefined;
    const leastNoise = this.#isJoint
      ? 1 / Math.sqrt(precision.diagonal.reduce((most, one) => Math.max(most, one)))
      : noise.reduce((least, one) => Math.min(least, one));
    if (leastNoise < leastRelativeNoise * this.#size) return undefined;
    return { logDensity, precision, noise, leastNoise };
  }

  get #slopeForms(): SlopeForms {
    if (this.#forms) return this.#forms;
    const targets = [...this.#program.likelihood.distribution.args, ...this.#scaleNodes];
    const compiled = new CompiledAffine(this.#parts, targets, [this.#prior]);
    const rows = this.#response.length;
    const width = this.integrated + (this.#isJoint ? rows : 0);
    return this.#forms = {
      compiled,
      slopes: new Slopes(rows, width),
      ...(!this.#isJoint && 2 * width <= rows && { columns: new Slopes(width, rows) }),
    };
  }

  #heldField({ node, covariance, latent }: Field): HeldField {
    const { program, latents, assembled: { placed } } = this.#parts;
    const { parameters, likelihood } = program;
    const others = latents.filter((k) => k !== latent);
    const scaleNodes = others.flatMap((k) => locatedOf(parameters[k].prior)!.scale);
    const targets = [...likelihood.distribution.args, ...scaleNodes];
    const roots = [this.#prior, placed[covariance]];
    const compiled = new CompiledAffine({ ...this.#parts }, targets, roots, node);
    const rows = this.#response.length;
    return {
      compiled,
      scaleNodes,
      covariance: new Float64Array(rows * rows),
      slopes: new Slopes(rows, others.length === 0 ? 0 : compiled.affine.noise),
    };
  }

  get work(): number {
    const { slopes, columns } = this.#slopeForms;
    const [rows, noise] = [this.#response.length, slopes.width];
    if (this.#plan === undefined && !this.#field) this.valueAlone(this.startingRegion.centre, 0);
    return (this.#plan || undefined)?.work ?? rows * noise * (columns ? noise : rows);
  }

  /** Plan for rows that follow a random walk, by the slopes of the first position; `undefined` for others. */
  #band(): BandPlan | undefined {
    if (this.#plan !== undefined) return this.#plan || undefined;
    const { slopes, columns } = this.#slopeForms;
    const [rows, noise] = [this.#response.length, slopes.width];
    const plan = !this.#isJoint && rows >= fewRows && bandPlan(slopes);
    const most = rows * noise * (columns ? noise : rows) / bandAdvantage;
    this.#plan = plan && plan.work < most && plan;
    return this.#plan || undefined;
  }

  get #dense(): DenseWork {
    return this.#denseWork ??= new DenseWork(this.#response.length);
  }

  /** Whether the priors of the latents are distributions: their scales are positive. */
  #areScales(affine: AffineProgram, scaleNodes: readonly NodeId[]): boolean {
    return scaleNodes.every((id) => {
      const { values, shape } = affine.form(id);
      const stride = shape.length === 2 && shape[0] === shape[1] && this.#isFactor(id)
        ? shape[0] + 1
        : 1;
      for (let i = 0; i < values.length; i += stride) if (!(values[i] > 0)) return false;
      return true;
    });
  }

  #isFactor(id: number): boolean {
    const { parameters } = this.#program;
    return this.#latents.some((k) => {
      const { family, args } = parameters[k].prior;
      return family === "mv_normal" && args[1] === id;
    });
  }

  /** @param work where slopes are copied to, if they need a copy. */
  #residuals(affine: AffineProgram, work: Slopes) {
    const { args, shape } = this.#program.likelihood.distribution;
    const [mu, sigma] = args.map((id) => affine.form(id));
    const index = affine.index(mu.shape, shape);
    const given = this.#plan && mu.slopes && index.every((j, i) => i === j) ? mu.slopes : undefined;
    if (!given) copySlopes(mu.slopes, index, work);
    const slopes = given ?? work;
    const rows = this.#response.length;
    const residuals = this.#residualsOf ??= new Float64Array(rows);
    for (let i = 0; i < rows; i++) residuals[i] = this.#response[i] - mu.values[index[i]];
    if (this.#isJoint) return { residuals, noise: this.#factorOfRows(sigma, slopes), slopes };
    const scales = affine.index(sigma.shape, shape);
    const noise = this.#noiseOf ??= new Float64Array(rows);
    let isProper = true;
    for (let i = 0; i < rows; i++) {
      noise[i] = sigma.values[scales[i]];
      isProper &&= noise[i] > 0 && noise[i] < Infinity;
    }
    return { residuals, noise: isProper ? noise : undefined, slopes };
  }

  /** Noise of the rows' own, behind that of the latents: no noise is left beside it. */
  #factorOfRows({ values }: AffineForm, slopes: Slopes): Float64Array | undefined {
    const n = this.#response.length;
    for (let i = 0; i < n; i++) {
      if (!(values[i * n + i] > 0)) return undefined;
      for (let k = 0; k <= i; k++) {
        slopes.put(i, this.integrated + k, values[i * n + k]);
      }
    }
    return new Float64Array(n);
  }

  #precision(
    residuals: Float64Array,
    noise: Float64Array,
    slopes: Slopes,
  ): Precision | undefined {
    const { compiled: { affine }, columns } = this.#slopeForms;
    const band = this.#band();
    if (band) return precisionByBand(residuals, noise, slopes, band);
    // The rows' own factor, with no latents beside it.
    if (this.#isJoint && this.integrated === 0) {
      this.#dense.lower.set(slopes.data);
      return precisionOfFactor(residuals, this.#dense);
    }
    if (!columns) return precisionByRows(residuals, noise, slopes, this.#dense);
    const work = this.#latentWork ??= new LatentWork(slopes.rows, slopes.width);
    const found = precisionByLatents(residuals, noise, slopes, columns, work);
    if (found) return found;
    this.#residuals(affine, slopes);
    return precisionByRows(residuals, noise, slopes, this.#dense);
  }
}

/** All latents by the slopes of rows along what they are made of `[rows, noise]`. */
interface SlopeForms {
  readonly compiled: CompiledAffine;
  readonly slopes: Slopes;
  /** Slopes by columns, where latents are few. */
  readonly columns?: Slopes;
}

/** All latents but a field, and the covariance of that `[rows, rows]`. */
interface HeldField {
  readonly compiled: CompiledAffine;
  readonly scaleNodes: readonly NodeId[];
  readonly covariance: Float64Array;
  readonly slopes: Slopes;
}

function copySlopes(from: Slopes | undefined, index: ArrayLike<number>, to: Slopes): void {
  to.clear();
  if (from) { for (let i = 0; i < index.length; i++) to.add(i, from, index[i], 1); }
}

/** Results at one θ. */
interface Found {
  readonly logDensity: number;
  readonly precision: Precision;
  /** Standard deviations of the rows `[rows]`. */
  readonly noise: Float64Array;
  /** The least of them; of one vector, the least of a row given the others. */
  readonly leastNoise: number;
}

function rowsOfUnits(rows: number, unitOfRow?: ArrayLike<number>): number[][] {
  if (!unitOfRow) return Array.from({ length: rows }, (_, i) => [i]);
  const rowsOf: number[][] = [];
  for (let i = 0; i < rows; i++) (rowsOf[unitOfRow[i]] ??= []).push(i);
  return rowsOf;
}

/** log p(y_u | y_-u, θ): a block of the precision is that of the rows given all others. */
function leftOut({ weighted, diagonal, entry }: Precision, rows: readonly number[]): number {
  if (rows.length === 1) {
    const [i] = rows;
    return 0.5 * log(diagonal[i]) - 0.5 * weighted[i] * weighted[i] / diagonal[i] - halfLog2Pi;
  }
  const n = rows.length;
  const block = Float64Array.from(
    { length: n * n },
    (_, at) => entry(rows[Math.floor(at / n)], rows[at % n]),
  );
  if (!cholesky(block, n)) return NaN;
  const white = Float64Array.from(rows, (i) => weighted[i]);
  solveLower(block, n, white);
  let sum = -n * halfLog2Pi;
  for (let i = 0; i < n; i++) sum += log(block[i * n + i]) - 0.5 * white[i] * white[i];
  return sum;
}

/**
 * Rows given all others: with their block B of the precision, y_i has the variance (B⁻¹)_ii, and is away from its mean
 * by (B⁻¹ α)_i.
 */
function givenOthers(precision: Precision, rows: readonly number[]) {
  const n = rows.length;
  const joint = leftOut(precision, rows);
  const block = Float64Array.from(
    { length: n * n },
    (_, at) => precision.entry(rows[Math.floor(at / n)], rows[at % n]),
  );
  if (Number.isNaN(joint) || !cholesky(block, n)) return undefined;
  const covariance = inverseFromCholesky(block, n);
  const weighted = rows.map((i) => precision.weighted[i]);
  const away = Float64Array.from(
    rows,
    (_, i) => weighted.reduce((sum, w, j) => sum + covariance[i * n + j] * w, 0),
  );
  const spreads = Float64Array.from(rows, (_, i) => Math.sqrt(covariance[i * n + i]));
  return { joint, away, spreads };
}

/**
 * log of the mass that rows given all others have in their cells, over their widths; rows of a unit one
 * after another, each given those behind it.
 */
function cellsOfUnit(
  { weighted, diagonal, entry }: Precision,
  rows: readonly number[],
  response: Float64Array,
  { low, high, width }: RecordedCells,
): number {
  const cell = (i: number, root: number, white: number) =>
    logNormalInterval(
      white + root * (low[i] - response[i]),
      white + root * (high[i] - response[i]),
    ) - log(width);
  if (rows.length === 1) {
    const [i] = rows;
    const root = Math.sqrt(diagonal[i]);
    return cell(i, root, weighted[i] / root);
  }
  const n = rows.length;
  const block = Float64Array.from(
    { length: n * n },
    (_, at) => entry(rows[Math.floor(at / n)], rows[at % n]),
  );
  if (!cholesky(block, n)) return NaN;
  const white = Float64Array.from(rows, (i) => weighted[i]);
  solveLower(block, n, white);
  return rows.reduce((sum, i, k) => sum + cell(i, block[k * n + k], white[k]), 0);
}

/** log p(y_u | y, θ) of a replicate: N(y − D α, 2D − D Q D) at y. */
function predictiveOf(
  { precision: { weighted, diagonal, entry }, noise }: Found,
  rows: readonly number[],
): number {
  if (rows.length === 1) {
    const variance = noise[rows[0]] * noise[rows[0]];
    const away = variance * weighted[rows[0]];
    const spread = variance * (2 - variance * diagonal[rows[0]]);
    return -0.5 * log(spread) - 0.5 * away * away / spread - halfLog2Pi;
  }
  const n = rows.length;
  const variances = rows.map((i) => noise[i] * noise[i]);
  const block = Float64Array.from({ length: n * n }, (_, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    const own = i === j ? 2 * variances[i] : 0;
    return own - variances[i] * variances[j] * entry(rows[i], rows[j]);
  });
  if (!cholesky(block, n)) return NaN;
  const white = Float64Array.from(rows, (i, k) => variances[k] * weighted[i]);
  solveLower(block, n, white);
  let sum = -n * halfLog2Pi;
  for (let i = 0; i < n; i++) sum -= log(block[i * n + i]) + 0.5 * white[i] * white[i];
  return sum;
}
