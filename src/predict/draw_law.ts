/** Draws from a law whose arguments have values. */
import type { RandomStream } from "../base/random.ts";
import { families } from "../families/table.ts";
import type { ArrayValue } from "../graph/evaluate.ts";
import type { NodeId } from "../graph/node.ts";
import type { Law } from "../graph/program.ts";
import { broadcastIndex, sameShape, type Shape, sizeOf } from "../graph/shape.ts";

/**
 * One draw of the whole of `law.shape` into `out`, from the values of the law's nodes.
 */
export function drawLaw(
  random: RandomStream,
  law: Law,
  valueOf: (id: NodeId) => ArrayValue,
  out: Float64Array,
): void {
  const family = families[law.family];
  const batch = law.shape.slice(0, law.shape.length - family.eventRank);
  const args = law.args.map((id, k) => {
    const value = valueOf(id);
    const rank = family.parameterRanks[k] ?? 0;
    const event = rank === 0 ? [] : value.shape.slice(value.shape.length - rank);
    return broadcastTo(value, [...batch, ...event]);
  });
  const component = (index: number, into: Float64Array) => {
    const inner = law.components?.[index];
    if (!inner) throw new Error(`internal: ${law.family} has no component ${index}`);
    drawLaw(random, inner, valueOf, into);
  };
  family.draw(random, args, law, out, component);
}

/** A value under a larger shape. */
function broadcastTo(value: ArrayValue, shape: Shape): ArrayValue {
  if (sameShape(value.shape, shape)) return value;
  const values = new Float64Array(sizeOf(shape));
  if (value.values.length === 1) return { shape, values: values.fill(value.values[0]) };
  const index = broadcastIndex(value.shape, shape);
  for (let i = 0; i < values.length; i++) values[i] = value.values[index[i]];
  return { shape, values };
}
