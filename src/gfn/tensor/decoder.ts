/** A pre-norm transformer decoder on tensors: forward, and a backward written out by hand. */
import type { Tensor, Tensor2D, Tensor3D, Tensor4D } from "@tensorflow/tfjs-core";
import type { TensorLibrary } from "./backend.ts";

// Written for stock kernels of the wasm backend, where a product with a transposing flag, a batch
// or a tensor of rank five falls off the fast path: large products are of rank 2 with explicit
// transposes, heads are split by one transpose of rank 4, sums over rows are products with ones.
// The backward pass is explicit because a tape costs more than these small products do.

/** Sizes of the decoder. */
export interface DecoderShape {
  readonly layers: number;
  /** Width of the residual stream; a multiple of `heads`. */
  readonly width: number;
  readonly heads: number;
  /** Numbers per position at the top: one logit per action and the log flow. */
  readonly outputs: number;
}

/** Weights on the device, by name; see `decoderTensors` in `policies/transformer.ts`. */
type DecoderWeights = ReadonlyMap<string, Tensor>;

interface Norm {
  readonly value: Tensor2D;
  readonly unit: Tensor2D;
  readonly scale: Tensor2D;
}

interface LayerActivations {
  readonly attentionNorm: Norm;
  readonly query: Tensor3D;
  readonly key: Tensor3D;
  readonly value: Tensor3D;
  readonly attention: Tensor3D;
  readonly mixed: Tensor2D;
  readonly mlpNorm: Norm;
  readonly hidden: Tensor2D;
}

/** Tensors of the forward pass for the backward pass; the caller owns them. */
export interface Activations {
  readonly layers: readonly LayerActivations[];
  readonly finalNorm: Norm;
}

/** Everything about one call that is the same in all layers. */
interface Context {
  readonly tf: TensorLibrary;
  readonly shape: DecoderShape;
  readonly weights: DecoderWeights;
  readonly B: number;
  readonly T: number;
}

const normEpsilon = 1e-6;

/** Far below any attention score, and still finite in 16 bits. */
const masked = -1e4;

function weight<T extends Tensor = Tensor2D>(context: Context, name: string): T {
  const tensor = context.weights.get(name);
  if (!tensor) throw new Error(`internal: no weight ${name}`);
  return tensor as T;
}

function product(context: Context, x: Tensor2D, name: string): Tensor2D {
  return context.tf.matMul(x, weight(context, name)) as Tensor2D;
}

/** RMS normalisation (Zhang and Sennrich 2019) with a gain per channel. */
function normalise({ tf }: Context, x: Tensor2D, gain: Tensor): Norm {
  const meanSquare = tf.mean(tf.square(x), 1, true);
  const scale = tf.rsqrt(tf.add(meanSquare, normEpsilon)) as Tensor2D;
  const unit = tf.mul(x, scale) as Tensor2D;
  return { value: tf.mul(unit, gain), unit, scale };
}

/** `[B·T, k·width]` to `[k·heads·B, T, width / heads]`. */
function splitHeads({ tf, shape, B, T }: Context, x: Tensor2D, parts: number): Tensor3D {
  const [heads, size] = [parts * shape.heads, shape.width / shape.heads];
  const byHead = tf.transpose(tf.reshape(x, [B, T, heads, size]) as Tensor4D, [2, 0, 1, 3]);
  return tf.reshape(byHead, [heads * B, T, size]);
}

/** The inverse of {@linkcode splitHeads}. */
function mergeHeads({ tf, shape, B, T }: Context, x: Tensor3D, parts: number): Tensor2D {
  const [heads, size] = [parts * shape.heads, shape.width / shape.heads];
  const byPosition = tf.transpose(tf.reshape(x, [heads, B, T, size]) as Tensor4D, [1, 2, 0, 3]);
  return tf.reshape(byPosition, [B * T, parts * shape.width]);
}

/** `[T, T]`: 0 where a position may look, far below elsewhere. */
function causalMask(tf: TensorLibrary, T: number): Tensor2D {
  const values = Float32Array.from({ length: T * T }, (_, i) => i % T > i / T ? masked : 0);
  return tf.tensor2d(values, [T, T]);
}

function runLayer(context: Context, index: number, x: Tensor2D, mask: Tensor2D) {
  const { tf, shape } = context;
  const name = (part: string) => `layers.${index}.${part}`;
  const attentionNorm = normalise(context, x, weight(context, name("attention_norm")));
  const fused = product(context, attentionNorm.value, name("query_key_value"));
  const [query, key, value] = tf.split(splitHeads(context, fused, 3), 3, 0) as Tensor3D[];
  const similarity = tf.mul(tf.matMul(query, key, false, true), headScale(shape));
  const attention = tf.softmax(tf.add(similarity, mask)) as Tensor3D;
  const mixed = mergeHeads(context, tf.matMul(attention, value), 1);
  const middle = tf.add(x, product(context, mixed, name("attention_out"))) as Tensor2D;
  const mlpNorm = normalise(context, middle, weight(context, name("mlp_norm")));
  const hidden = tf.relu(product(context, mlpNorm.value, name("mlp_in")));
  const output = tf.add(middle, product(context, hidden, name("mlp_out"))) as Tensor2D;
  const kept = { attentionNorm, query, key, value, attention, mixed, mlpNorm, hidden };
  return { output, kept };
}

const headScale = (shape: DecoderShape) => 1 / Math.sqrt(shape.width / shape.heads);

/**
 * Logits and log flow of every position. To be called inside a tidy of the right backend.
 *
 * @param embedded `[B·T, width]`: embedded actions and positions.
 * @returns `values` `[B·T, outputs]`, and the tensors for {@linkcode decoderBackward}.
 */
export function decoderForward(
  tf: TensorLibrary,
  shape: DecoderShape,
  weights: DecoderWeights,
  embedded: Float32Array,
  B: number,
  T: number,
): { values: Tensor2D; activations: Activations } {
  const context = { tf, shape, weights, B, T };
  const mask = causalMask(tf, T);
  const layers: LayerActivations[] = [];
  let x: Tensor2D = tf.tensor2d(embedded, [B * T, shape.width]);
  for (let index = 0; index < shape.layers; index++) {
    const { output, kept } = runLayer(context, index, x, mask);
    layers.push(kept);
    x = output;
  }
  const finalNorm = normalise(context, x, weight(context, "final_norm"));
  const values = tf.add(
    product(context, finalNorm.value, "head"),
    weight(context, "head_bias"),
  ) as Tensor2D;
  return { values, activations: { layers, finalNorm } };
}

/** Gradients of the weights by name, and of the embedded input as `embedded`. */
type DecoderGradients = Record<string, Tensor>;

/**
 * The gradient of Σ `gradient` · values with respect to every weight and the embedded input.
 *
 * @param gradient `[B·T, outputs]`.
 */
export function decoderBackward(
  tf: TensorLibrary,
  shape: DecoderShape,
  weights: DecoderWeights,
  activations: Activations,
  gradient: Float32Array,
  B: number,
  T: number,
): DecoderGradients {
  const context = { tf, shape, weights, B, T };
  const gradients: DecoderGradients = {};
  const top = tf.tensor2d(gradient, [B * T, shape.outputs]);
  gradients.head_bias = columnSums(tf, top);
  const { finalNorm, layers } = activations;
  const below = productBackward(context, gradients, "head", finalNorm.value, top);
  let dx = normBackward(context, gradients, "final_norm", finalNorm, below);
  for (let index = shape.layers - 1; index >= 0; index--) {
    dx = layerBackward(context, gradients, index, layers[index], dx);
  }
  gradients.embedded = dx;
  return gradients;
}

function layerBackward(
  context: Context,
  gradients: DecoderGradients,
  index: number,
  kept: LayerActivations,
  dOutput: Tensor2D,
): Tensor2D {
  const { tf } = context;
  const name = (part: string) => `layers.${index}.${part}`;
  const dHidden = productBackward(context, gradients, name("mlp_out"), kept.hidden, dOutput);
  const dActive = tf.mul(dHidden, tf.step(kept.hidden)) as Tensor2D;
  const dMlp = productBackward(context, gradients, name("mlp_in"), kept.mlpNorm.value, dActive);
  const dMiddle = tf.add(
    dOutput,
    normBackward(context, gradients, name("mlp_norm"), kept.mlpNorm, dMlp),
  ) as Tensor2D;
  const dMixed = productBackward(context, gradients, name("attention_out"), kept.mixed, dMiddle);
  const dFused = attentionBackward(context, kept, dMixed);
  const source = kept.attentionNorm.value;
  const dNorm = productBackward(context, gradients, name("query_key_value"), source, dFused);
  const dx = normBackward(context, gradients, name("attention_norm"), kept.attentionNorm, dNorm);
  return tf.add(dMiddle, dx);
}

/** Computes the gradient of the fused queries, keys and values from that of the mixed values. */
function attentionBackward(context: Context, kept: LayerActivations, dMixed: Tensor2D): Tensor2D {
  const { tf, shape } = context;
  const { query, key, value, attention } = kept;
  const dOut = splitHeads(context, dMixed, 1);
  const dAttention = tf.matMul(dOut, value, false, true);
  const along = tf.sum(tf.mul(dAttention, attention), 2, true);
  const dScores = tf.mul(tf.mul(attention, tf.sub(dAttention, along)), headScale(shape));
  const dQuery = tf.matMul(dScores as Tensor3D, key);
  const dKey = tf.matMul(dScores as Tensor3D, query, true, false);
  const dValue = tf.matMul(attention, dOut, true, false);
  return mergeHeads(context, tf.concat([dQuery, dKey, dValue], 0) as Tensor3D, 3);
}

/** y = x W: stores dW = xᵀ dy under `name` and returns dx = dy Wᵀ. */
function productBackward(
  context: Context,
  gradients: DecoderGradients,
  name: string,
  x: Tensor2D,
  dy: Tensor2D,
): Tensor2D {
  const { tf } = context;
  gradients[name] = tf.matMul(tf.transpose(x), dy);
  return tf.matMul(dy, tf.transpose(weight(context, name)));
}

function normBackward(
  context: Context,
  gradients: DecoderGradients,
  name: string,
  norm: Norm,
  dy: Tensor2D,
): Tensor2D {
  const { tf } = context;
  gradients[name] = columnSums(tf, tf.mul(dy, norm.unit) as Tensor2D);
  const dUnit = tf.mul(dy, weight(context, name));
  const along = tf.mean(tf.mul(dUnit, norm.unit), 1, true);
  return tf.mul(norm.scale, tf.sub(dUnit, tf.mul(norm.unit, along)));
}

/** Σ over rows as a product with ones: several times faster than a sum over the first axis. */
function columnSums(tf: TensorLibrary, x: Tensor2D): Tensor {
  return tf.matMul(tf.ones([1, x.shape[0]]), x);
}
