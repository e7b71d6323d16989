/** The three architectures in double precision, written as formulas: slow, and nothing to get wrong. */
import type { ModelConfig } from "../../../src/models/decoder/model_config.ts";

/** Numbers as `Weights` has them, in any precision. */
export interface PlainAffine {
  readonly weight: ArrayLike<number>;
  readonly bias?: ArrayLike<number>;
}

interface PlainNorm {
  readonly gain: ArrayLike<number>;
  readonly shift?: ArrayLike<number>;
}

interface PlainLayer {
  readonly attentionNorm: PlainNorm;
  readonly query: PlainAffine;
  readonly key: PlainAffine;
  readonly value: PlainAffine;
  readonly queryNorm?: PlainNorm;
  readonly keyNorm?: PlainNorm;
  readonly output: PlainAffine;
  readonly innerNorm: PlainNorm;
  readonly gate?: PlainAffine;
  readonly up: PlainAffine;
  readonly down: PlainAffine;
}

/** All weights. */
export interface PlainWeights {
  readonly embedding: ArrayLike<number>;
  readonly positions?: ArrayLike<number>;
  readonly layers: readonly PlainLayer[];
  readonly finalNorm: PlainNorm;
  readonly head: ArrayLike<number>;
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
const plus = (a: readonly number[], b: readonly number[]) => a.map((x, i) => x + b[i]);

function affine({ weight, bias }: PlainAffine, x: readonly number[]): number[] {
  const outputs = weight.length / x.length;
  return Array.from({ length: outputs }, (_, row) => {
    let total = bias?.[row] ?? 0;
    for (let c = 0; c < x.length; c++) total += weight[row * x.length + c] * x[c];
    return total;
  });
}

function norm({ gain, shift }: PlainNorm, x: readonly number[], epsilon: number): number[] {
  const mean = shift ? sum(x) / x.length : 0;
  const scale = 1 / Math.sqrt(sum(x.map((one) => (one - mean) ** 2)) / x.length + epsilon);
  return x.map((one, i) => (one - mean) * scale * gain[i] + (shift?.[i] ?? 0));
}

function softmax(x: readonly number[]): number[] {
  const most = Math.max(...x);
  const powers = x.map((one) => Math.exp(one - most));
  return powers.map((one) => one / sum(powers));
}

/** Heads of a row, normed and turned. */
function heads(x: readonly number[], at: number, config: ModelConfig, own?: PlainNorm): number[][] {
  const { head_size: size, rotary_base } = config;
  return Array.from({ length: x.length / size }, (_, head) => {
    const plain = x.slice(head * size, (head + 1) * size);
    const one = own ? norm(own, plain, config.epsilon) : plain;
    if (rotary_base === 0) return one;
    return one.map((value, i) => {
      const half = size / 2;
      const angle = at / rotary_base ** ((i % half) / half);
      const other = i < half ? -one[i + half] : one[i - half];
      return value * Math.cos(angle) + other * Math.sin(angle);
    });
  });
}

function attention(layer: PlainLayer, rows: readonly number[][], config: ModelConfig): number[][] {
  const query = rows.map((x, t) => heads(affine(layer.query, x), t, config, layer.queryNorm));
  const key = rows.map((x, t) => heads(affine(layer.key, x), t, config, layer.keyNorm));
  const flat = { ...config, rotary_base: 0 };
  const value = rows.map((x, t) => heads(affine(layer.value, x), t, flat));
  const group = config.heads / config.key_heads;
  return rows.map((_, t) => {
    const mixed = query[t].flatMap((q, head) => {
      const shared = Math.floor(head / group);
      const scores = key.slice(0, t + 1).map((k) => sum(k[shared].map((x, i) => x * q[i])));
      const p = softmax(scores.map((one) => one / Math.sqrt(config.head_size)));
      return q.map((_, i) => sum(p.map((weight, s) => weight * value[s][shared][i])));
    });
    return affine(layer.output, mixed);
  });
}

function perceptron(layer: PlainLayer, x: readonly number[]): number[] {
  const up = affine(layer.up, x);
  const gate = layer.gate && affine(layer.gate, x);
  const bent = gate
    ? gate.map((g, i) => g / (1 + Math.exp(-g)) * up[i])
    : up.map((u) => u / 2 * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (u + 0.044715 * u ** 3))));
  return affine(layer.down, bent);
}

/** Logits `[tokens, vocabulary]`. */
export function plainLogits(
  config: ModelConfig,
  weights: PlainWeights,
  ids: readonly number[],
): number[][] {
  const { width, epsilon } = config;
  const row = (table: ArrayLike<number>, index: number) =>
    Array.from({ length: width }, (_, c) => table[index * width + c]);
  let rows = ids.map((id, t) => {
    const x = row(weights.embedding, id);
    return weights.positions ? plus(x, row(weights.positions, t)) : x;
  });
  for (const layer of weights.layers) {
    const normed = rows.map((x) => norm(layer.attentionNorm, x, epsilon));
    const mixed = attention(layer, normed, config);
    rows = rows.map((x, t) => plus(x, mixed[t]));
    rows = rows.map((x) => plus(x, perceptron(layer, norm(layer.innerNorm, x, epsilon))));
  }
  return rows.map((x) => affine({ weight: weights.head }, norm(weights.finalNorm, x, epsilon)));
}

/** log p of a token, normalised over some tokens. */
export function logProbability(
  logits: readonly number[],
  token: number,
  legal: readonly number[] = logits.map((_, i) => i),
): number {
  const most = Math.max(...legal.map((one) => logits[one]));
  return logits[token] - most - Math.log(sum(legal.map((one) => Math.exp(logits[one] - most))));
}
