/** The backward pass of a layer: from the gradient of its output to that of its input. */
import type { HiddenRows } from "../decoder/adapter.ts";
import type { AttentionTrace, InnerTrace, Layer, LayerPass } from "../decoder/layer.ts";
import type { PlacedAffine } from "../decoder/placed.ts";
import type { TreeAttention } from "./tree_attention.ts";

/** Rows that the forward pass of a layer keeps. */
export interface LayerTrace {
  /** `[rows, width]`: the input, and the input plus the output of attention. */
  readonly input: number;
  readonly middle: number;
  readonly attention: AttentionTrace;
  readonly inner: InnerTrace;
  /** Hidden rows of adapters. */
  readonly kept: HiddenRows;
}

/** Recomputes one layer without its last product, whose result is known. */
export function traceLayer(layer: Layer, input: number, pass: LayerPass): LayerTrace {
  const { memory, config: { width } } = layer.place;
  const middle = memory.allocate(pass.rows * width);
  memory.copy(middle, input, pass.rows * width);
  const kept: HiddenRows = new Map();
  const attention = layer.attention(middle, pass, kept);
  return { input, middle, attention, inner: layer.inner(middle, pass.rows, kept), kept };
}

/** Gives back all but the input. */
export function freeTrace(layer: Layer, { middle, attention, inner, kept }: LayerTrace): void {
  for (const address of [middle, ...kept.values()]) layer.place.memory.free(address);
  layer.free(attention);
  layer.free(inner);
}

/**
 * Turns `d` `[rows, width]`, the gradient of the layer's output, into that of its input, and adds to
 * the gradients of trained numbers. `trace.inner` is overwritten.
 */
export function layerBackward(
  layer: Layer,
  trace: LayerTrace,
  d: number,
  pass: LayerPass,
  attention: TreeAttention,
): void {
  innerBackward(layer, trace, d, pass.rows);
  attentionBackward(layer, trace, d, pass, attention);
}

function innerBackward(layer: Layer, trace: LayerTrace, d: number, rows: number): void {
  const { middle, inner, kept } = trace;
  const { memory, memory: { kernels }, config: { width, inner: size } } = layer.place;
  const { gate, up } = inner;
  const count = rows * size;
  const bent = memory.allocate(count);
  if (gate === undefined) kernels.bendRowsSlopes(up, bent, count);
  else kernels.gateRowsSlopes(gate, up, bent, count);
  const dBent = memory.zeros(count);
  layer.down.backward(bent, d, dBent, rows, kept);
  if (gate !== undefined) kernels.multiplyNumbers(gate, dBent, count);
  kernels.multiplyNumbers(up, dBent, count);
  for (const one of [bent, dBent]) memory.free(one);
  const [normed, dNormed] = [memory.allocate(rows * width), memory.zeros(rows * width)];
  layer.innerNorm.apply(middle, normed, rows, width);
  layer.gate?.backward(normed, gate!, dNormed, rows, kept);
  layer.up.backward(normed, up, dNormed, rows, kept);
  layer.innerNorm.backward(middle, dNormed, d, rows, width);
  for (const one of [normed, dNormed]) memory.free(one);
}

function attentionBackward(
  layer: Layer,
  { input, attention: trace, kept }: LayerTrace,
  d: number,
  pass: LayerPass,
  attention: TreeAttention,
): void {
  const { memory, config: { width, heads, key_heads, head_size } } = layer.place;
  const { rows } = pass;
  const [wide, narrow] = [rows * heads * head_size, rows * key_heads * head_size];
  const dAttended = memory.zeros(wide);
  layer.output.backward(trace.attended, d, dAttended, rows, kept);
  const into = {
    query: memory.allocate(wide),
    key: memory.zeros(narrow),
    value: memory.zeros(narrow),
  };
  attention.backward(trace, dAttended, into);
  memory.free(dAttended);
  layer.turn(into.query, into.key, pass, true);
  const dQuery = normBackward(layer, "queryNorm", trace.plainQuery, into.query, rows * heads);
  const dKey = normBackward(layer, "keyNorm", trace.plainKey, into.key, rows * key_heads);
  const [normed, dNormed] = [memory.allocate(rows * width), memory.zeros(rows * width)];
  layer.attentionNorm.apply(input, normed, rows, width);
  const maps: readonly [PlacedAffine, number][] = [
    [layer.query, dQuery],
    [layer.key, dKey],
    [layer.value, into.value],
  ];
  for (const [map, dy] of maps) {
    map.backward(normed, dy, dNormed, rows, kept);
    memory.free(dy);
  }
  layer.attentionNorm.backward(input, dNormed, d, rows, width);
  for (const one of [normed, dNormed]) memory.free(one);
}

/** The gradient of heads before their norm, if there is one; takes the other's memory back. */
function normBackward(
  layer: Layer,
  name: "queryNorm" | "keyNorm",
  plain: number,
  dy: number,
  heads: number,
): number {
  const norm = layer[name];
  if (!norm) return dy;
  const { memory, config: { head_size } } = layer.place;
  const dx = memory.zeros(heads * head_size);
  norm.backward(plain, dy, dx, heads, head_size);
  memory.free(dy);
  return dx;
}
