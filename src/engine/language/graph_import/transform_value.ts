/** Transforms that PyMC gives a variable beyond the default of its family. */
import type { GivenValue } from "../interpreter/bind.ts";
import type { Expression } from "../syntax/tree.ts";

/** PyMC's transform classes that a program may ask for, by the name it asks with. */
const asked: Readonly<Record<string, string>> = {
  Ordered: "ordered",
  SimplexTransform: "simplex",
  LogTransform: "log",
  LogOddsTransform: "logodds",
  CircularTransform: "circular",
};

/** Families whose own default these transforms are. */
const defaults: Readonly<Record<string, readonly string[]>> = {
  SimplexTransform: ["Dirichlet"],
  CircularTransform: ["VonMises"],
};

/**
 * The options that ask for a transform; none where it is the default of its family. On positive
 * and unit supports the transform named here and the default are the same thing.
 */
export function transformValue(
  family: string,
  transform: string | null,
  place: Expression,
): ReadonlyMap<string, GivenValue> {
  const name = transform === null ? undefined : asked[transform];
  const own = defaults[transform ?? ""]?.includes(family) ?? (name === "log" || name === "logodds");
  if (name === undefined || own) return new Map();
  return new Map([["transform", { value: { kind: "transform", name }, place }]]);
}
