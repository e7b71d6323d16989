/** Named axes: `coords`, `dims`, and the shapes that they stand for. */
import type { Shape } from "../ir/shape.ts";
import { numberOf, numbersOf, shapeOf } from "../interpreter/arrays.ts";
import type { Arguments, GivenValue } from "../interpreter/bind.ts";
import type { ModelState } from "./model_state.ts";
import { knownNames } from "../interpreter/findings.ts";
import type { Place } from "../syntax/source.ts";
import { describeValue, none, touchesResponse, type Value } from "../interpreter/values.ts";

/** `pm.Model(coords={…})`. */
export function setCoordinates(checking: ModelState, { value, place }: GivenValue): void {
  checking.coordsLost ||= value.kind === "invalid";
  if (value.kind === "none" || value.kind === "invalid") return;
  if (value.kind !== "dictionary") {
    const message = `Cannot use ${describeValue(value)} as coords: wanted a dictionary`;
    checking.error("names/wrong-kind", message, place, 'write coords={"group": ["a", "b"]}');
    return;
  }
  for (const [name, labels] of value.entries) setCoordinate(checking, `${name}`, labels, place);
}

/** Gives an axis its labels, or its length. */
function setCoordinate(
  checking: ModelState,
  name: string,
  labels: Value,
  place: Place,
  length?: number,
): void {
  if (labels.kind === "none" && length !== undefined) {
    checking.dimensions.set(name, { length });
    return;
  }
  if (touchesResponse(labels)) {
    checking.refuseResponse(labels, place);
    return;
  }
  const found = labelsOf(checking, labels);
  if (found) checking.dimensions.set(name, { length: found.length, labels: found });
  else if (labels.kind === "invalid") checking.coordsLost = true;
  else {
    const message = `Cannot use ${describeValue(labels)} as labels of "${name}": wanted a list`;
    checking.error("names/wrong-kind", message, place, "write range(n) or a list of strings");
  }
}

function labelsOf(checking: ModelState, labels: Value): (string | number)[] | undefined {
  if (labels.kind === "sequence") {
    const items = labels.items.map((item) =>
      item.kind === "text"
        ? item.value
        : item.kind === "numeric"
        ? numbersOf(checking, item)?.[0]
        : undefined
    );
    const known = items.filter((item) => item !== undefined);
    return known.length === items.length ? known : undefined;
  }
  if (labels.kind !== "numeric" || shapeOf(checking, labels).length !== 1) return undefined;
  const numbers = numbersOf(checking, labels);
  return numbers && [...numbers];
}

/** `model.add_coord("group", values, length=…)`, `model.add_coords({…})`. */
export function addCoordinates(checking: ModelState, args: Arguments, name: string): Value {
  const [first, second] = args.positional;
  if (name === "add_coords" && first) {
    setCoordinates(checking, first);
    return none;
  }
  const title = first?.value.kind === "text" ? first.value.value : undefined;
  if (title === undefined) {
    const message = "Cannot add coordinates: wanted a name and values";
    return checking.error("names/arguments", message, args.call);
  }
  const values = second ?? args.keywords.get("values");
  const given = args.keywords.get("length");
  const length = given && numberOf(checking, given.value);
  setCoordinate(checking, title, values?.value ?? none, args.call, length);
  return none;
}

/** Names of `dims=`; undefined entries are axes without a name. */
export function dimsArgument(
  checking: ModelState,
  { value, place }: GivenValue,
): (string | undefined)[] | undefined {
  const items = value.kind === "sequence" ? value.items : [value];
  const names: (string | undefined)[] = [];
  for (const item of items) {
    if (item.kind === "text") names.push(item.value);
    else if (item.kind === "none") names.push(undefined);
    else if (item.kind === "invalid") return undefined;
    else {
      const message = `Cannot use ${describeValue(item)} as the name of an axis: wanted a string`;
      checking.error("names/wrong-kind", message, place, 'write dims="group"');
      return undefined;
    }
  }
  return names;
}

/** The shape that names of axes stand for; `known` helps where an axis is not in coords. */
export function shapeOfDims(
  checking: ModelState,
  names: readonly (string | undefined)[],
  place: Place,
  known?: Shape,
): Shape | undefined {
  const shape: number[] = [];
  for (const [i, name] of names.entries()) {
    const dimension = name === undefined ? undefined : checking.dimensions.get(name);
    const extent = dimension?.length ?? (name === undefined ? known?.[i] : undefined);
    if (extent === undefined) return unknownDimension(checking, name ?? "None", place);
    shape.push(extent);
  }
  return shape;
}

function unknownDimension(checking: ModelState, name: string, place: Place): undefined {
  if (checking.coordsLost) return;
  const message = `Cannot find the axis "${name}": it is not in coords`;
  const axes = [...checking.dimensions.keys()];
  const hint = axes.length > 0
    ? knownNames(name, "axes", axes)
    : `write pm.Model(coords={"${name}": ...}), or shape= for dims=`;
  checking.error("names/unknown-dimension", message, place, hint);
}

/** Checks names against a shape that is known, and gives new names its lengths. */
export function nameAxes(
  checking: ModelState,
  names: readonly (string | undefined)[],
  shape: Shape,
  place: Place,
  define: boolean,
): boolean {
  if (names.length !== shape.length) {
    const message = `Cannot name ${shape.length} axes by ${names.length} dims`;
    checking.error("shapes/dims", message, place);
    return false;
  }
  for (const [i, name] of names.entries()) {
    const known = name === undefined ? undefined : checking.dimensions.get(name);
    if (name === undefined) continue;
    if (!known && define) checking.dimensions.set(name, { length: shape[i] });
    else if (!known) return unknownDimension(checking, name, place) ?? false;
    else if (known.length !== shape[i]) {
      const message = `Cannot use the axis "${name}": its length is ${known.length}, ` +
        `the value's is ${shape[i]}`;
      checking.error("shapes/dims", message, place);
      return false;
    }
  }
  return true;
}
