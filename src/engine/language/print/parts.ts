/** How elements of an array that are picked by flat positions are written: `x[0]`, `x[:, 1]`, `x.T`. */
import { broadcastIndex, sameShape, type Shape, sizeOf, stridesOf } from "../ir/shape.ts";

/** Writes an array of whole positions; `undefined` if it would not be short. */
type PositionsText = (values: readonly number[], shape: Shape) => string;

/**
 * Text behind an array `[from]` for its elements `index` under the shape `to`: a subscript, or
 * `.T`. Undefined where no plain subscript picks them.
 */
export function partText(
  from: Shape,
  index: ArrayLike<number>,
  to: Shape,
  positions: PositionsText,
): string | undefined {
  if (Array.from(index).some((at) => at < 0)) return undefined;
  if (isTransposed(from, index, to)) return ".T";
  const coordinates = from.map((extent, k) => {
    const stride = stridesOf(from)[k];
    return Array.from(index, (at) => Math.floor(at / stride) % extent);
  });
  const axes = coordinates.map((values) => dependence(values, to));
  const items: string[] = [];
  let next = 0;
  const arrays = new Set<string>();
  for (const [k, needed] of axes.entries()) {
    if (needed.length === 0) {
      items.push(`${coordinates[k][0]}`);
      continue;
    }
    const line = valuesAlong(coordinates[k], to, needed);
    const slice = needed.length === 1 && needed[0] === next ? sliceText(line, from[k]) : undefined;
    if (slice !== undefined) {
      items.push(slice);
      next++;
      continue;
    }
    const key = `${needed}`;
    if (arrays.size > 0 && !arrays.has(key)) return undefined;
    if (!arrays.has(key)) {
      if (needed.some((axis, i) => axis !== next + i)) return undefined;
      next += needed.length;
    }
    arrays.add(key);
    items.push(positions(line, needed.map((axis) => to[axis])));
  }
  if (next !== to.length) return undefined;
  while (items.length > 1 && items.at(-1) === ":") items.pop();
  return `[${items.join(", ")}]`;
}

/** Whether the elements are those of a broadcast. */
export function isBroadcast(from: Shape, index: ArrayLike<number>, to: Shape): boolean {
  if (from.length > to.length || sizeOf(from) === 0) return false;
  const fits = from.every((extent, k) => {
    const other = to[to.length - from.length + k];
    return extent === 1 || extent === other;
  });
  if (!fits) return false;
  const wanted = broadcastIndex(from, to);
  return wanted.every((at, i) => at === index[i]);
}

function isTransposed(from: Shape, index: ArrayLike<number>, to: Shape): boolean {
  if (from.length !== 2 || !sameShape(to, [from[1], from[0]])) return false;
  return Array.from(index).every((at, i) => at === i % from[0] * from[1] + Math.floor(i / from[0]));
}

/** Axes on which values depend. */
function dependence(values: readonly number[], shape: Shape): number[] {
  const strides = stridesOf(shape);
  return shape.flatMap((extent, axis) => {
    const varies = values.some((value, i) => {
      const at = Math.floor(i / strides[axis]) % extent;
      return value !== values[i - at * strides[axis]];
    });
    return varies ? [axis] : [];
  });
}

function valuesAlong(values: readonly number[], shape: Shape, axes: readonly number[]): number[] {
  const strides = stridesOf(shape);
  const kept = axes.map((axis) => shape[axis]);
  const steps = stridesOf(kept);
  return Array.from({ length: sizeOf(kept) }, (_, i) => {
    const at = axes.reduce(
      (sum, axis, k) => sum + Math.floor(i / steps[k]) % kept[k] * strides[axis],
      0,
    );
    return values[at];
  });
}

/** `:`, `1:3`, `::-1`; undefined where positions do not ascend or descend evenly. */
function sliceText(values: readonly number[], extent: number): string | undefined {
  const step = values[1] - values[0];
  if (values.some((value, i) => i > 0 && value - values[i - 1] !== step) || step === 0) {
    return undefined;
  }
  const [first, last] = [values[0], values[values.length - 1]];
  if (step === 1) return `${first === 0 ? "" : first}:${last === extent - 1 ? "" : last + 1}`;
  if (step > 1) return `${first}:${last + 1}:${step}`;
  return `${first === extent - 1 ? "" : first}:${last === 0 ? "" : last - 1}:${step}`;
}
