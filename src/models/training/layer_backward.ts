/** The backward pass of a layer: from the gradient of what it gives to that of what it got. */
import type { AttentionTrace, InnerTrace, Layer, LayerPass } from "../decoder/layer.ts";
import type { PlacedAffine } from "../decoder/placed.ts";
import type { TreeAttention } from "./tree_attention.ts";

/** All that a layer left on its way. */
export interface LayerTrace {
  /** `[rows, width]`: what came in, and that with what attention added. */
  readonly input: number;
  readonly middle: number;
  readonly attention: AttentionTrace;
  readonly inner: InnerTrace;
}

/** The way of one layer again, without its last product: it adds nothing that is not known. */
export function traceLayer(layer: Layer, input: number, pass: LayerPass): LayerTrace {
  const { memory, config: { width } } = layer.place;
  const middle = memory.allocate(pass.rows * width);
  memory.copy(middle, input, pass.rows * width);
  const attention = layer.attention(middle, pass);
  return { input, middle, attention, inner: layer.inner(middle, pass.rows) };
}

/** Gives back all but the input. */
export function freeTrace(layer: Layer, { middle, attention, inner }: LayerTrace): void {
  layer.place.memory.free(middle);
  layer.free(attention);
  layer.free(inner);
}

/**
 * Turns `d` `[rows, width]`, the gradient of the layer's output, into that of its input, and adds to
 * what is trained. `trace.inner` is overwritten.
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

function innerBackward(layer: Layer, { middle, inner }: LayerTrace, d: number, rows: number): void {
  const { memory, memory: { kernels }, config: { width, inner: size } } = layer.place;
  const { gate, up } = inner;
  const bent = memory.allocate(rows * size);
  memory.copy(bent, gate ?? up, rows * size);
  layer.bend(gate === undefined ? { gate, up: bent } : { gate: bent, up }, rows);
  const dBent = memory.zeros(rows * size);
  layer.down.backward(bent, d, dBent, rows);
  if (gate === undefined) kernels.bendRowsGradient(up, dBent, rows * size);
  else kernels.gateRowsGradient(gate, up, dBent, rows * size);
  for (const one of [bent, dBent]) memory.free(one);
  const [normed, dNormed] = [memory.allocate(rows * width), memory.zeros(rows * width)];
  layer.innerNorm.apply(middle, normed, rows, width);
  layer.gate?.backward(normed, gate!, dNormed, rows);
  layer.up.backward(normed, up, dNormed, rows);
  layer.innerNorm.backward(middle, dNormed, d, rows, width);
  for (const one of [normed, dNormed]) memory.free(one);
}

function attentionBackward(
  layer: Layer,
  { input, attention: trace }: LayerTrace,
  d: number,
  pass: LayerPass,
  attention: TreeAttention,
): void {
  const { memory, config: { width, heads, key_heads, head_size } } = layer.place;
  const { rows } = pass;
  const [wide, narrow] = [rows * heads * head_size, rows * key_heads * head_size];
  const dAttended = memory.zeros(wide);
  layer.output.backward(trace.attended, d, dAttended, rows);
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
    map.backward(normed, dy, dNormed, rows);
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
