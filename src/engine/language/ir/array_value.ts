/** A value of the graph: numbers under a shape. */
import type { Shape } from "./shape.ts";

/** A value: numbers in row-major order under a shape. */
export interface ArrayValue {
  readonly shape: Shape;
  /** `[sizeOf(shape)]`. */
  readonly values: Float64Array;
}
