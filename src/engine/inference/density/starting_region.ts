/** Where the priors have their weight on the unconstrained scale: where chains should start. */
import type { FamilyDefinition, Reading } from "../../language/distributions/family.ts";
import { families } from "../../language/distributions/table.ts";
import type { NodeId } from "../../language/ir/node.ts";
import { broadcastIndex, type Shape, sizeOf } from "../../language/ir/shape.ts";
import { cos, log, sin, type StartingRegion } from "../../../numerics/math/mod.ts";
import type { AssembledProgram, PlacedParameter } from "./assemble.ts";
import { plainEvaluator } from "./plain.ts";

/**
 * Centre and spread of every coordinate: the arguments of a prior are taken at the centres of the
 * parameters before it. Families of vectors without a middle of their own start at 0.
 */
export function startingRegion({ g, dimension, parameters }: AssembledProgram): StartingRegion {
  const region = {
    centre: new Float64Array(dimension),
    spread: new Float64Array(dimension).fill(1),
  };
  const distributions = parameters.map(({ prior }) => prior);
  const tasks = parameters.map((one, k) => [...distributions[k].args, ...boundsOf(one)]);
  const run = plainEvaluator({ nodes: g.nodes, inputSize: dimension, tasks });
  parameters.forEach((one, k) => {
    const result = run.run(k, region.centre, 0);
    const places = run.places(k);
    const values = tasks[k].map((id, i) =>
      result.slice(places[i], places[i] + sizeOf(g.shapeOf(id)))
    );
    const shapes = tasks[k].map((id) => g.shapeOf(id));
    place(
      region,
      one,
      families[distributions[k].family],
      distributions[k].shape,
      distributions[k].args.length,
      values,
      shapes,
    );
  });
  return region;
}

function boundsOf({ transform }: PlacedParameter): readonly NodeId[] {
  return transform.kind === "interval" ? [transform.lower, transform.upper] : [];
}

function place(
  { centre, spread }: StartingRegion,
  { offset, size, transform }: PlacedParameter,
  facts: Pick<FamilyDefinition, "centre" | "spread">,
  shape: Shape,
  argCount: number,
  values: readonly Float64Array[],
  shapes: readonly Shape[],
): void {
  // Multiples of a prior's scale, from its location: the middle is 0, the scale 1.
  if (["affine", "walk", "linear"].includes(transform.kind)) return;
  const readers = values.map((one, i) => readerOf(one, shapes[i], shape));
  const at = (k: number, i: number) => readers[k]?.(i) ?? 0;
  const of = (rule: Reading | undefined, i: number, otherwise: number) =>
    rule && argCount > 0
      ? rule(at(0, i), at(1, i), argCount > 2 ? at(2, i) : 0, argCount > 3 ? at(3, i) : 0)
      : otherwise;
  const angles = transform.kind === "circular" ? size / 2 : 0;
  for (let i = 0; i < angles; i++) {
    const angle = of(facts.centre, i, 0);
    centre.set([cos(angle), sin(angle)], offset + 2 * i);
  }
  for (let i = 0; i < size && angles === 0; i++) {
    const scale = of(facts.spread, i, 1);
    if (scale > 0 && scale < 1) spread[offset + i] = scale;
    const value = of(facts.centre, i, NaN);
    const lower = at(argCount, i);
    const upper = at(argCount + 1, i);
    const q = unconstrained(transform.kind, value, lower, upper);
    if (Math.abs(q) < Infinity) centre[offset + i] = q;
  }
}

/** Element i of a value under a larger shape; of one that does not broadcast, its own. */
function readerOf(values: Float64Array, from: Shape, to: Shape): (i: number) => number {
  if (values.length === 1) return () => values[0];
  if (values.length === sizeOf(to) || from.length > to.length) return (i) => values[i] ?? 0;
  const shift = to.length - from.length;
  if (from.some((extent, i) => extent !== 1 && extent !== to[shift + i])) return () => NaN;
  const index = broadcastIndex(from, to);
  return (i) => values[index[i]];
}

/** The inverse of the transforms of numbers; 0 for those of whole vectors. */
function unconstrained(kind: string, x: number, lower: number, upper: number): number {
  switch (kind) {
    case "identity":
      return x;
    case "log":
      return log(x);
    case "logodds":
      return log(x / (1 - x));
    case "interval":
      if (lower === -Infinity) return upper === Infinity ? x : log(upper - x);
      return upper === Infinity ? log(x - lower) : log((x - lower) / (upper - x));
    default:
      return 0;
  }
}
