/** The head of a decoder: logits of rows, and log probabilities of tokens in tiles of the vocabulary. */
import { copyWide, type FrozenNumbers } from "../../numerics/blas/mod.ts";
import { exp, log } from "../../numerics/math/mod.ts";
import { roundUp } from "../../numerics/wasm/kernels/mod.ts";
import type { ModelConfig } from "./model_config.ts";
import type { Products } from "./products.ts";

/** Tokens of the vocabulary at a time. */
const tileTokens = 2048;
/** Rows at a time. */
const tileRows = 1024;
/** Padding of a tile to a multiple of four: its exponential is 0. */
const farBelow = -1e30;

/** Logits are products with `[vocabulary, width]`, which never are in memory as a whole. */
export class Head {
  /** `weight` is `[vocabulary, width]`, outside of the memory. */
  constructor(
    readonly products: Products,
    readonly config: ModelConfig,
    readonly weight: FrozenNumbers,
  ) {}

  /**
   * Logits of some tokens after one row at `hidden`, in one order of sums however many they are.
   */
  logitsOf(hidden: number, tokens: ArrayLike<number>): Float32Array {
    const { products: { memory }, weight, config: { width } } = this;
    const out = new Float32Array(tokens.length);
    const most = Math.min(tileTokens, tokens.length);
    const [staged, logits] = [memory.allocate(most * width), memory.allocate(most)];
    for (let begin = 0; begin < tokens.length; begin += most) {
      const count = Math.min(most, tokens.length - begin);
      const rows = memory.f32(staged, count * width);
      for (let i = 0; i < count; i++) {
        const token = tokens[begin + i];
        const into = rows.subarray(i * width, (i + 1) * width);
        copyWide(weight.subarray(token * width, (token + 1) * width), into);
      }
      memory.kernels.dotTiles(hidden, 0, staged, 4 * width, logits, 0, 1, count, width);
      out.set(memory.f32(logits, count), begin);
    }
    for (const block of [staged, logits]) memory.free(block);
    return out;
  }

  /** Logits `[vocabulary]` of some rows of `[…, width]`. */
  logits(hidden: number, rows: readonly number[]): Float32Array[] {
    const out = rows.map(() => new Float32Array(this.config.vocabulary));
    this.tiles(hidden, rows, (tile) => {
      for (let r = 0; r < tile.rows; r++) {
        const values = this.products.memory.f32(tile.address + 4 * r * tile.stride, tile.tokens);
        out[tile.firstRow + r].set(values, tile.firstToken);
      }
    });
    return out;
  }

  /** log p of a token per row; sums over the vocabulary are in double precision between tiles. */
  logProbabilities(
    hidden: number,
    rows: readonly number[],
    tokens: readonly number[],
  ): Float64Array {
    const most = new Float64Array(rows.length).fill(-Infinity);
    const [sums, chosen] = [new Float64Array(rows.length), new Float64Array(rows.length)];
    const { memory } = this.products;
    this.tiles(hidden, rows, ({ address, stride, rows, tokens: width, firstRow, firstToken }) => {
      const padded = roundUp(width, 4);
      for (let r = 0; r < rows; r++) {
        const [row, at] = [firstRow + r, address + 4 * r * stride];
        const values = memory.f32(at, padded);
        values.fill(farBelow, width);
        const token = tokens[row] - firstToken;
        if (token >= 0 && token < width) chosen[row] = values[token];
        const largest = memory.kernels.largest(at, padded);
        if (largest > most[row]) {
          sums[row] *= exp(most[row] - largest);
          most[row] = largest;
        }
        sums[row] += memory.kernels.sumExponentials(at, padded, most[row]);
      }
    });
    return chosen.map((logit, row) => logit - most[row] - log(sums[row]));
  }

  /**
   * Logits of some rows of `[…, width]`, tile by tile: `read` may overwrite a tile, and finds the
   * rows without gaps at `gathered`.
   */
  tiles(hidden: number, rows: readonly number[], read: (tile: Tile) => void): void {
    const { config: { width, vocabulary }, products, weight } = this;
    const { memory } = products;
    const stride = roundUp(Math.min(tileTokens, vocabulary), 4);
    const most = Math.min(tileRows, rows.length);
    const [gathered, address] = [
      memory.allocate(most * width + 4),
      memory.allocate(most * stride + 4),
    ];
    for (let firstRow = 0; firstRow < rows.length; firstRow += tileRows) {
      const part = rows.slice(firstRow, firstRow + tileRows);
      part.forEach((row, r) =>
        memory.copy(gathered + 4 * r * width, hidden + 4 * row * width, width)
      );
      for (let firstToken = 0; firstToken < vocabulary; firstToken += tileTokens) {
        const tokens = Math.min(tileTokens, vocabulary - firstToken);
        const tile = weight.subarray(firstToken * width, (firstToken + tokens) * width);
        const sizes = { rows: part.length, columns: tokens, depth: width };
        products.affine({ address: gathered, stride: width }, tile, { address, stride }, sizes);
        read({ address, stride, rows: part.length, tokens, firstRow, firstToken, gathered });
      }
    }
    for (const block of [gathered, address]) memory.free(block);
  }
}

/** Logits of some rows and tokens that follow each other. */
export interface Tile {
  /** Rows lie `stride` numbers apart. */
  readonly address: number;
  /** Numbers from one row to the next. */
  readonly stride: number;
  /** Rows of this tile. */
  readonly rows: number;
  /** Tokens of this tile, adjacent in the vocabulary. */
  readonly tokens: number;
  /** Place of the first row among those that were asked for. */
  readonly firstRow: number;
  /** Id of the first token. */
  readonly firstToken: number;
  /** Address of the hidden rows `[rows, width]` that they were computed from. */
  readonly gathered: number;
}
