/** Draws of integrated latents given the remaining parameters and the data: exact, without chains. */
import { fillNormal } from "../../../numerics/math/mod.ts";
import type { RandomStream } from "../../../base/random.ts";
import { isJoint } from "../density/assemble.ts";
import type { NodeId } from "../../language/ir/node.ts";
import { broadcastIndex } from "../../language/ir/shape.ts";
import type { AffineProgram } from "./affine.ts";
import { type AffineParts, CompiledAffine } from "./compiled_affine.ts";

/** What the rows are given θ. */
interface RowsGiven {
  /** Standard deviations of their own noise `[rows]`; none where they are one vector. */
  readonly noise: Float64Array;
  /** Q x for the precision Q of the rows, in place. */
  readonly solve: (x: Float64Array) => void;
}

/** Where a latent's unconstrained numbers go, and the node of its value. */
interface Placed {
  readonly node: NodeId;
  readonly offset: number;
  /** Length of vectors that sum to zero, which lack their last element; 0 for others. */
  readonly zeroSum: number;
}

/**
 * ε | θ, y by conditioning a draw of everything on the rows (Hoffman and Ribak 1991):
 * ε = ε* + Aᵀ Q (y − m − A ε* − D^½ e*). Latents are affine in ε.
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
  }

  /**
   * Writes unconstrained numbers of the latents into `position`, whose others are θ.
   *
   * @param position `[dimension]` of the whole posterior.
   */
  write(position: Float64Array, rows: RowsGiven, random: RandomStream): void {
    this.#compiled.moveTo(position);
    this.#affine.run();
    const white = this.#white;
    fillNormal(random, white);
    const away = this.#awayFrom(white, rows, random);
    rows.solve(away);
    const { slopes } = this.#affine.form(this.#location);
    const index = broadcastIndex(this.#affine.form(this.#location).shape, this.#rowShape);
    away.forEach((x, i) => slopes?.addTo(white, index[i], x));
    for (const { node, offset, zeroSum } of this.#latents) {
      const { values, slopes: own } = this.#affine.form(node);
      const drawn = values.map((value, i) => value + (own?.times(i, white) ?? 0));
      position.set(zeroSum > 0 ? unconstrained(drawn, zeroSum) : drawn, offset);
    }
  }

  /** y − m − A ε − D^½ e `[rows]`, for noise e that is drawn. */
  #awayFrom(white: Float64Array, { noise }: RowsGiven, random: RandomStream): Float64Array {
    const { shape, values, slopes } = this.#affine.form(this.#location);
    const index = broadcastIndex(shape, this.#rowShape);
    const own = new Float64Array(this.#response.length);
    fillNormal(random, own);
    const errors = this.#scale === undefined
      ? own.map((e, i) => noise[i] * e)
      : multiplied(this.#affine.form(this.#scale).values, own);
    return this.#response.map((y, i) =>
      y - values[index[i]] - (slopes?.times(index[i], white) ?? 0) - errors[i]
    );
  }
}

/** A lower triangular factor `[n, n]` times a vector. */
function multiplied(factor: Float64Array, x: Float64Array): Float64Array {
  const n = x.length;
  return x.map((_, i) => {
    let sum = 0;
    for (let k = 0; k <= i; k++) sum += factor[i * n + k] * x[k];
    return sum;
  });
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
