/** InferenceData: draws, likelihoods and data of one fit in the groups and names of ArviZ's schema. */

/** Numbers of a variable; 0 and 1 in a `Uint8Array` are false and true. */
export type VariableValues = Float64Array | Int32Array | Uint8Array;

/** A labelled array. */
export interface Variable {
  /** Its name within the group. */
  readonly name: string;
  /** Names of its axes. */
  readonly dims: readonly string[];
  /** One extent per axis. */
  readonly shape: readonly number[];
  /** Row-major. */
  readonly values: VariableValues;
}

/** Labels of a named axis. */
export type Labels = readonly (string | number)[];

/** One group, such as `posterior`. */
export interface Group {
  /** Name in ArviZ's schema. */
  readonly name: string;
  /** Its arrays. */
  readonly variables: readonly Variable[];
  /** Labels of the axes by name; each axis of the variables has an entry. */
  readonly coords: Readonly<Record<string, Labels>>;
}

/** InferenceData of ArviZ. */
export interface InferenceData {
  /** In the order in which they are written. */
  readonly groups: readonly Group[];
  /** About all of them. */
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** A group whose coordinates are completed: axes without labels get 0, 1, 2 … */
export function makeGroup(
  name: string,
  variables: readonly Variable[],
  known: Readonly<Record<string, Labels>> = {},
): Group {
  const coords: Record<string, Labels> = {};
  for (const { dims, shape } of variables) {
    for (const [k, dim] of dims.entries()) {
      const labels = known[dim];
      coords[dim] ??= labels?.length === shape[k]
        ? labels
        : Array.from({ length: shape[k] }, (_, i) => i);
    }
  }
  return { name, variables, coords };
}
