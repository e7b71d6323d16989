/** Assignment: to names, to items of containers, to several targets at once. */
import { fold, keyOf, shapeOf, widest } from "./arrays.ts";
import { fillPart } from "./assigned_parts.ts";
import type { Checking } from "./checking.ts";
import { addColumn, asColumn, columnValue, wholeFrame } from "./columns.ts";
import { wordsIn } from "./words.ts";
import { itemsOf } from "./items.ts";
import { mentionsResponse } from "./response_use.ts";
import type { Place } from "../syntax/source.ts";
import type { Attribute, Expression, Subscript } from "../syntax/tree.ts";
import { closeFilling, describeValue, invalid, touchesResponse, type Value } from "./values.ts";

/** Binds names, unless they are taken; lists and tuples are unpacked. */
export function assign(checking: Checking, target: Expression, value: Value): void {
  switch (target.kind) {
    case "name":
      return bindName(checking, target.id, value, target);
    case "tuple":
    case "list":
      return unpack(checking, target.items, value, target);
    case "subscript":
      return assignItem(checking, target, value);
    case "attribute":
      if (assignAttribute(checking, target, value)) return;
    // falls through
    default: {
      const message = `Cannot assign to ${checking.text(target)}: wanted a name`;
      checking.error("unsupported/statement", message, target, "assign to a name");
    }
  }
}

function bindName(checking: Checking, id: string, value: Value, place: Place): void {
  const before = checking.scope.get(id);
  const taken = id === "gen_model" ||
    (before?.kind === "data" && !checking.frame && value.kind !== "data" &&
      value.kind !== "invalid") ||
    (before?.kind === "model" && value.kind !== "model" && value.kind !== "ignored") ||
    (before?.kind === "module" && value.kind !== "module");
  if (taken) refuseRebinding(checking, id, place);
  else if (before?.kind !== "model" || value.kind === "model") checking.scope.set(id, value);
}

/** Reports that a name stands for something that must not change. */
export function refuseRebinding(checking: Checking, name: string, place: Place): void {
  const message = `Cannot assign to ${name}: the name is taken`;
  checking.error("names/rebound", message, place, "choose another name");
}

function unpack(
  checking: Checking,
  targets: readonly Expression[],
  value: Value,
  place: Expression,
): void {
  if (value.kind === "invalid" || value.kind === "ignored") {
    for (const target of targets) assign(checking, target, value);
    return;
  }
  if (touchesResponse(value)) {
    const derived = checking.derive(place, value);
    for (const target of targets) assign(checking, target, derived);
    return;
  }
  if (
    value.kind !== "sequence" && (value.kind !== "numeric" || shapeOf(checking, value).length === 0)
  ) {
    const message = `Cannot unpack ${describeValue(value)} into ${targets.length} names`;
    checking.error("names/unpacking", message, place);
    for (const target of targets) assign(checking, target, invalid);
    return;
  }
  const items = itemsOf(checking, value, place);
  const starred = targets.findIndex(({ kind }) => kind === "starred");
  const fits = items &&
    (starred < 0 ? items.length === targets.length : items.length >= targets.length - 1);
  if (!items || !fits) {
    if (items) {
      const message = `Cannot unpack ${describeValue(value)} of ${items.length} into ` +
        `${targets.length} names`;
      checking.error("names/unpacking", message, place);
    }
    for (const target of targets) assign(checking, target, invalid);
    return;
  }
  items.forEach(closeFilling);
  const extra = items.length - targets.length;
  let at = 0;
  for (const [i, target] of targets.entries()) {
    if (i === starred && target.kind === "starred") {
      const rest = items.slice(at, at + extra + 1);
      assign(checking, target.value, { kind: "sequence", form: "list", items: rest });
      at += extra + 1;
    } else assign(checking, target, items[at++]);
  }
}

/** `df.columns = names`, `df.x = …` of a column that is there; false of other attributes. */
function assignAttribute(checking: Checking, target: Attribute, value: Value): boolean {
  const object = checking.evaluate(target.object);
  const name = target.name.id;
  if (value.kind === "invalid" || object.kind === "invalid") return true;
  if (name !== "columns") {
    const isThere = object.kind === "frame"
      ? object.columns.has(name)
      : object.kind === "data" && (checking.columns.has(name) || checking.added.has(name));
    return isThere && setColumn(checking, object, name, value, target);
  }
  const names = wordsIn(checking, value);
  const frame = object.kind === "data" ? wholeFrame(checking, target) : object;
  if (!names || frame.kind !== "frame" || frame.columns.size !== names.length) return false;
  if (target.object.kind !== "name" || new Set(names).size < names.length) return false;
  const columns = new Map([...frame.columns.values()].map((column, k) => [names[k], column]));
  checking.scope.set(target.object.id, { ...frame, columns });
  return true;
}

/** `df[["a", "b"]] = frame`, `df.loc[mask, "a"] = value`; false if it is neither. */
function assignColumns(
  checking: Checking,
  object: Value,
  index: Value,
  value: Value,
  target: Subscript,
): boolean {
  const items = index.kind === "sequence" ? index.items : [];
  if (object.kind === "method" && object.name === "loc" && items.length === 2) {
    return assignWhere(checking, object.object, items, value, target);
  }
  const names = items.flatMap((item) => item.kind === "text" ? [item.value] : []);
  const columns = columnsOf(checking, value);
  if (names.length === 0 || names.length !== items.length || columns?.length !== names.length) {
    return false;
  }
  return names.every((name, k) => setColumn(checking, object, name, columns[k], target));
}

function columnsOf(checking: Checking, value: Value): readonly Value[] | undefined {
  if (value.kind === "frame") return [...value.columns.values()];
  if (value.kind !== "numeric") return undefined;
  const [rows, width] = shapeOf(checking, value);
  if (width === undefined) return undefined;
  return Array.from({ length: width }, (_, k) => {
    const at = Int32Array.from({ length: rows }, (_, row) => row * width + k);
    const node = checking.graph.gather(value.node, at, [rows]);
    return fold(checking, { ...value, node, origin: "series" });
  });
}

function setColumn(
  checking: Checking,
  object: Value,
  name: string,
  value: Value,
  place: Place,
): boolean {
  if (object.kind === "data") return addColumn(checking, name, value, place);
  const column = object.kind === "frame" ? asColumn(checking, value, place, object) : undefined;
  if (object.kind !== "frame" || !column) return false;
  object.columns.set(name, column);
  return true;
}

/** `df.loc[mask, "a"] = value`: other numbers in some rows of a column that is there. */
function assignWhere(
  checking: Checking,
  object: Value,
  [mask, asked]: readonly Value[],
  value: Value,
  target: Subscript,
): boolean {
  if (mask.kind !== "numeric" || mask.dtype !== "bool" || asked.kind !== "text") return false;
  const before = object.kind === "frame"
    ? object.columns.get(asked.value)
    : checking.added.has(asked.value) || checking.columns.has(asked.value)
    ? columnValue(checking, asked.value, target, target)
    : undefined;
  const isPlain = before?.kind === "numeric" && !before.labels && value.kind === "numeric";
  if (!isPlain || shapeOf(checking, value).length > 0) return false;
  const { graph } = checking;
  const node = graph.where(mask.node, value.node, before.node);
  const made = fold(checking, { ...before, node, dtype: widest(before, value) });
  return setColumn(checking, object, asked.value, made, target);
}

/** `list[i] = value`, `dictionary[key] = value`; arrays and data do not change. */
function assignItem(checking: Checking, target: Subscript, value: Value): void {
  if (fillPart(checking, target, value)) return;
  const object = checking.evaluate(target.object);
  const index = checking.evaluate(target.index);
  const key = keyOf(checking, index);
  if (object.kind === "invalid" || object.kind === "ignored" || index.kind === "invalid") return;
  if (object.kind === "dictionary" && key !== undefined) {
    object.entries.set(key, value);
    return;
  }
  if (object.kind === "frame" && typeof key === "string") {
    object.columns.set(key, asColumn(checking, value, target, object) ?? value);
    return;
  }
  if (object.kind === "sequence" && object.form === "list" && typeof key === "number") {
    const at = key < 0 ? key + object.items.length : key;
    if (at in object.items) {
      object.items[at] = value;
      return;
    }
  }
  if (
    object.kind === "data" && typeof key === "string" && addColumn(checking, key, value, target)
  ) {
    return;
  }
  if (assignColumns(checking, object, index, value, target)) return;
  const protectedValue = object.kind === "data" || touchesResponse(object);
  if (protectedValue || mentionsResponse(checking, target)) {
    const message = `Cannot assign to ${checking.text(target)}: the data belong to the host`;
    checking.error("lh/changed-data", message, target, "give the new values a name of their own");
    return;
  }
  const what = object.kind === "numeric" ? "arrays do" : `${describeValue(object)} does`;
  const message = `Cannot assign to ${checking.text(target)}: ${what} not change`;
  const hint = object.kind === "sequence"
    ? "write a list"
    : "fill an array of np.zeros before anything reads it, build it from a list, or write " +
      "np.where or pm.math.switch";
  checking.error("unsupported/statement", message, target, hint);
}
