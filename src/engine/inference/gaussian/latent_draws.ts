/** Draws of integrated latents given the remaining parameters and the data: exact, without chains. */
import { fillNormal } from "../../../numerics/math/mod.ts";
import type { RandomStream } from "../../../base/random.ts";
import { isJoint } from "../density/assemble.ts";
import type { NodeId } from "../../language/ir/node.ts";
import { broadcastIndex } from "../../language/ir/shape.ts";
import type { AffineProgram } from "./affine.ts";
import { type AffineParts, CompiledAffine } from "./compiled_affine.ts";
import { DrawCheck } from "./draw_check.ts";
import { GivenRows } from "./given_rows.ts";
import type { Precision } from "./square_root.ts";

/** Rows given θ. */
interface RowsGiven {
  /** Standard deviations of their own noise `[rows]`; none where they are one vector. */
  readonly noise: Float64Array;
  readonly precision: Pick<Precision, "solve" | "drawLatents">;
}

/** |A| over the smallest noise up to which a draw of everything, less its residuals, keeps its digits. */
const mostLeverage = 1e4;

/** Where a latent's unconstrained numbers go, and the node of its value. */
interface Placed {
  readonly node: NodeId;
  readonly offset: number;
  /** Length of vectors that sum to zero, which lack their last element; 0 for others. */
  readonly zeroSum: number;
}

/**
 * ε | θ, y ~ N(R⁻¹ Qᵀ r, (Rᵀ R)⁻¹), of which latents are affine. R and Qᵀ r come from the factor that the
 * density already has, where it has one; from the QR decomposition of [I; D^−½ A], where latents are wide beside the
 * noise; else a draw of everything is conditioned on the rows (Hoffman and Ribak 1991):
 * ε = ε* + Aᵀ Q (y − m − A ε* − D^½ e*), whose two sides cancel where A ε* is wide.
 */
export class LatentDraws {
  readonly #compiled: CompiledAffine;
  readonly #affine: AffineProgram;
  readonly #latents: readonly Placed[];
  readonly #location: NodeId;
  readonly #scale: NodeId | undefined;
  readonly #response: Float64Array;
  readonly #rowShape: readonly number[];
  readonly #white: Float64Array;
  readonly #check: DrawCheck;

  /** @param response the rows as the normal likelihood has them. */
  constructor(parts: AffineParts, response: Float64Array) {
    const { program, latents, assembled: { parameters } } = parts;
    const { likelihood: { distribution }, nodes } = program;
    const nodeOf = (k: number) =>
      nodes.findIndex((node) => node.kind === "parameter" && node.parameter === k);
    this.#latents = latents.flatMap((k) => {
      const { prior, shape } = program.parameters[k];
      const zeroSum = prior.family === "zero_sum_normal" ? shape[shape.length - 1] : 0;
      const node = nodeOf(k);
      return node < 0 ? [] : [{ node, offset: parameters[k].offset, zeroSum }];
    });
    [this.#location] = distribution.args;
    this.#scale = isJoint(program) ? distribution.args[1] : undefined;
    this.#rowShape = distribution.shape;
    this.#response = response;
    const targets = [...distribution.args, ...this.#latents.map(({ node }) => node)];
    this.#compiled = new CompiledAffine(parts, targets);
    this.#affine = this.#compiled.affine;
    this.#white = new Float64Array(this.#affine.noise);
    this.#check = new DrawCheck(response.length, this.#affine.noise);
  }

  /**
   * Writes unconstrained numbers of the latents into `position`, whose others are θ.
   *
   * @param position `[dimension]` of the whole posterior.
   */
  write(position: Float64Array, rows: RowsGiven, random: RandomStream): void {
    this.#compiled.moveTo(position);
    this.#affine.run();
    const given = this.#given(rows);
    this.#white.set(this.#drawn(given, rows.precision, random));
    this.#check.add(this.#white, given, rows.precision);
    for (const { node, offset, zeroSum } of this.#latents) {
      const { values, slopes: own } = this.#affine.form(node);
      const drawn = values.map((value, i) => value + (own?.times(i, this.#white) ?? 0));
      position.set(zeroSum > 0 ? unconstrained(drawn, zeroSum) : drawn, offset);
    }
  }

  /** Whether all draws so far have the moments that they have in closed form. */
  get agree(): boolean {
    return this.#check.agree;
  }

  #drawn(given: GivenRows, precision: RowsGiven["precision"], random: RandomStream): Float64Array {
    const drawn = precision.drawLatents?.(random);
    if (drawn) return drawn;
    if (given.leverage() > mostLeverage) return given.drawByFactor(random);
    const white = new Float64Array(this.#affine.noise);
    fillNormal(random, white);
    const away = given.away(white);
    const own = new Float64Array(away.length);
    fillNormal(random, own);
    given.coloured(own).forEach((error, i) => away[i] -= error);
    precision.solve(away);
    given.addAcross(white, away);
    return white;
  }

  #given({ noise }: RowsGiven): GivenRows {
    const { shape, values, slopes } = this.#affine.form(this.#location);
    const index = broadcastIndex(shape, this.#rowShape);
    const residuals = this.#response.map((y, i) => y - values[index[i]]);
    const factor = this.#scale === undefined ? undefined : this.#affine.form(this.#scale).values;
    return new GivenRows(residuals, slopes, index, noise, factor, this.#affine.noise);
  }
}

/** The numbers that vectors of `n` which sum to zero are made of (PyMC's `ZeroSumTransform`). */
function unconstrained(values: Float64Array, n: number): Float64Array {
  const out = new Float64Array(values.length / n * (n - 1));
  for (let row = 0; row * n < values.length; row++) {
    const sum = -Math.sqrt(n) * values[row * n + n - 1];
    const norm = sum / (Math.sqrt(n) + n);
    for (let i = 0; i < n - 1; i++) out[row * (n - 1) + i] = values[row * n + i] + norm;
  }
  return out;
}
