/** Draws from a distribution whose arguments have values. */
import type { RandomStream } from "../../../base/random.ts";
import { families } from "../../language/distributions/table.ts";
import type { ArrayValue } from "../../language/ir/array_value.ts";
import type { NodeId } from "../../language/ir/node.ts";
import type { Distribution } from "../../language/ir/program.ts";
import { broadcastIndex, sameShape, type Shape, sizeOf } from "../../language/ir/shape.ts";

/**
 * One draw of the whole of `distribution.shape` into `out`, from the values of the distribution's nodes.
 */
export function drawDistribution(
  random: RandomStream,
  distribution: Distribution,
  valueOf: (id: NodeId) => ArrayValue,
  out: Float64Array,
): void {
  const family = families[distribution.family];
  const batch = distribution.shape.slice(0, distribution.shape.length - family.eventRank);
  const args = distribution.args.map((id, k) => {
    const value = valueOf(id);
    const rank = family.parameterRanks[k] ?? 0;
    const event = rank === 0 ? [] : value.shape.slice(value.shape.length - rank);
    return broadcastTo(value, [...batch, ...event]);
  });
  const component = (index: number, into: Float64Array) => {
    const inner = distribution.components?.[index];
    if (!inner) throw new Error(`internal: ${distribution.family} has no component ${index}`);
    drawDistribution(random, inner, valueOf, into);
  };
  family.draw(random, args, distribution, out, component);
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
