/** Log probabilities after rows of a tree, over legal tokens or the vocabulary, and their gradients. */
import { inputError } from "../../base/diagnostic.ts";
import { singlesOf } from "../../numerics/blas/mod.ts";
import { exp, log, logSoftmax } from "../../numerics/math/mod.ts";
import { roundUp } from "../../numerics/wasm/kernels/mod.ts";
import type { Body } from "../decoder/body.ts";
import type { HeadRow } from "./token_tree.ts";

/** A scored row: where it lies among rows of the tree. */
interface PlacedRow extends HeadRow {
  readonly row: number;
}

/** Padding of a tile to a multiple of four: its exponential is 0. */
const farBelow = -1e30;

/** The head over some rows of `hidden` `[…, width]`, which lie after the last norm. */
export class TreeHead {
  readonly logProbabilities: Float64Array[];
  /** Over the vocabulary: Σ p(token) embedding(token) `[all rows, width]`, for the gradient. */
  #expected = 0;
  readonly #open: readonly PlacedRow[];
  #logZ = new Float64Array(0);

  constructor(
    readonly body: Body,
    readonly hidden: number,
    readonly rows: readonly PlacedRow[],
    grad: boolean,
  ) {
    const { width } = body.config;
    this.#open = rows.filter(({ legal }) => legal === "all");
    const open = this.#overVocabulary(grad);
    let next = 0;
    this.logProbabilities = rows.map(({ row, legal }) =>
      legal === "all"
        ? open[next++]
        : logSoftmax(body.head.logitsOf(hidden + 4 * row * width, legal))
    );
  }

  dispose(): void {
    if (this.#expected !== 0) this.body.memory.free(this.#expected);
    this.#expected = 0;
  }

  /**
   * Softmax over the vocabulary in tiles: sums in double precision between tiles, and with a
   * gradient to come the expected embedding, so that the vocabulary is gone through once.
   */
  #overVocabulary(grad: boolean): Float64Array[] {
    const { body: { memory, head, config: { width } } } = this;
    const rows = this.#open;
    const picked = rows.map(({ picked }) => picked ?? new Int32Array(0));
    const out = picked.map(({ length }) => new Float64Array(length));
    if (rows.length === 0) return out;
    const most = new Float64Array(rows.length).fill(-Infinity);
    const sums = new Float64Array(rows.length);
    const expected = grad ? this.#expected = memory.zeros(rows.length * width) : 0;
    head.tiles(this.hidden, rows.map(({ row }) => row), (tile) => {
      const { address, stride, tokens, firstRow, firstToken } = tile;
      const padded = roundUp(tokens, 4);
      for (let r = 0; r < tile.rows; r++) {
        const [row, at] = [firstRow + r, address + 4 * r * stride];
        const values = memory.f32(at, padded);
        values.fill(farBelow, tokens);
        picked[row].forEach((token, i) => {
          const place = token - firstToken;
          if (place >= 0 && place < tokens) out[row][i] = values[place];
        });
        const largest = memory.kernels.largest(at, padded);
        if (largest > most[row]) {
          const factor = exp(most[row] - largest);
          sums[row] *= factor;
          if (grad) memory.kernels.scaleNumbers(expected + 4 * row * width, width, factor);
          most[row] = largest;
        }
        const sum = grad ? memory.kernels.exponentiate : memory.kernels.sumExponentials;
        sums[row] += sum(at, padded, most[row]);
      }
      if (grad) this.#expect(tile, expected + 4 * firstRow * width);
    });
    this.#logZ = most.map((value, row) => value + log(sums[row]));
    if (grad) {
      sums.forEach((sum, row) =>
        memory.kernels.scaleNumbers(expected + 4 * row * width, width, 1 / sum)
      );
    }
    return out.map((logits, row) => logits.map((logit) => logit - this.#logZ[row]));
  }

  /** Adds the embeddings of a tile, weighted by exponentials. */
  #expect(
    tile: { address: number; stride: number; rows: number; tokens: number; firstToken: number },
    target: number,
  ): void {
    const { products, head, config: { width } } = this.body;
    const { address, stride, rows, tokens, firstToken } = tile;
    const part = head.weight.subarray(firstToken * width, (firstToken + tokens) * width);
    const [left, to] = [{ address, stride }, { address: target, stride: width }];
    products.affineBackward(left, part, to, { rows, columns: width, depth: tokens });
  }

  /**
   * Adds to `dHidden`, of the shape of `hidden`, and to the gradient of the head if there is one.
   *
   * @param headGradient `[vocabulary, width]`, or 0.
   */
  backward(gradients: readonly Float64Array[], dHidden: number, headGradient: number): void {
    checkGradients(gradients, this.logProbabilities);
    let next = 0;
    this.rows.forEach(({ row, legal }, i) => {
      const place = { row, dHidden, headGradient };
      if (legal === "all") this.#openBackward(next++, gradients[i], place);
      else this.#legalBackward(legal, this.logProbabilities[i], gradients[i], place);
    });
    if (headGradient !== 0) this.#denseBackward(gradients, headGradient);
  }

  #legalBackward(
    legal: Int32Array,
    logs: Float64Array,
    gradient: Float64Array,
    place: RowPlace,
  ): void {
    const total = gradient.reduce((sum, one) => sum + one, 0);
    legal.forEach((token, j) => {
      this.#addToken(token, gradient[j] - exp(logs[j]) * total, place);
    });
  }

  #openBackward(index: number, gradient: Float64Array, place: RowPlace): void {
    const { memory, config: { width } } = this.body;
    const total = gradient.reduce((sum, one) => sum + one, 0);
    const target = memory.f32(place.dHidden + 4 * place.row * width, width);
    const expected = memory.f32(this.#expected + 4 * index * width, width);
    for (let c = 0; c < width; c++) target[c] -= total * expected[c];
    this.#open[index].picked?.forEach((token, j) => this.#addToken(token, gradient[j], place));
  }

  /** The share of one token: `force` times its embedding, and for the head `force` times the row. */
  #addToken(token: number, force: number, { row: at, dHidden, headGradient }: RowPlace): void {
    const { memory, head, config: { width } } = this.body;
    const target = memory.f32(dHidden + 4 * at * width, width);
    const from = token * width;
    const row = singlesOf(head.weight.subarray(from, from + width));
    for (let c = 0; c < width; c++) target[c] += force * row[c];
    if (headGradient === 0) return;
    const hidden = memory.f32(this.hidden + 4 * at * width, width);
    const gradient = memory.f32(headGradient + 4 * from, width);
    for (let c = 0; c < width; c++) gradient[c] += force * hidden[c];
  }

  /** Adds the gradient of all tokens of the vocabulary, from rows that are normalised over it. */
  #denseBackward(gradients: readonly Float64Array[], headGradient: number): void {
    const { memory, products, head, config: { width } } = this.body;
    const totals = gradients.filter((_, i) => this.rows[i].legal === "all")
      .map((gradient) => gradient.reduce((sum, one) => sum + one, 0));
    const rows = this.#open.map(({ row }) => row);
    if (rows.length === 0) return;
    head.tiles(this.hidden, rows, (tile) => {
      const { address, stride, tokens, firstRow, firstToken, gathered } = tile;
      const padded = roundUp(tokens, 4);
      for (let r = 0; r < tile.rows; r++) {
        const at = address + 4 * r * stride;
        memory.kernels.exponentiate(at, padded, this.#logZ[firstRow + r]);
        memory.kernels.scaleNumbers(at, padded, -totals[firstRow + r]);
      }
      const [left, right] = [{ address, stride }, { address: gathered, stride: width }];
      const to = { address: headGradient + 4 * firstToken * width, stride: width };
      products.outer(left, right, to, { rows: tokens, columns: width, depth: tile.rows });
    });
  }
}

interface RowPlace {
  readonly row: number;
  readonly dHidden: number;
  readonly headGradient: number;
}

/** @throws InputError if a row's node or a token does not exist, or nothing is legal. */
export function checkRows(rows: readonly HeadRow[], nodes: number, vocabulary: number): void {
  for (const { node, legal, picked } of rows) {
    if (!(node >= 0 && node < nodes)) throw fault("node", `there is no node ${node}`);
    const tokens = legal === "all" ? picked ?? [] : legal;
    const wrong = tokens.find((token) => token < 0 || token >= vocabulary);
    if (wrong !== undefined) {
      throw fault("token", `token ${wrong} behind node ${node} is beyond the vocabulary`);
    }
    if (legal !== "all" && legal.length === 0) {
      throw fault("empty", `nothing is legal behind node ${node}`);
    }
  }
}

function checkGradients(gradients: readonly Float64Array[], logs: readonly Float64Array[]): void {
  const wrong = logs.findIndex(({ length }, i) => gradients[i]?.length !== length);
  if (wrong < 0 && gradients.length === logs.length) return;
  throw new Error(`internal: gradients of ${gradients.length} rows for ${logs.length}`);
}

function fault(kind: string, problem: string) {
  const hint = 'name the legal tokens of every scored node, or "all" of the vocabulary';
  return inputError(`model/row-${kind}`, `Cannot score a token tree: ${problem}`, undefined, hint);
}
