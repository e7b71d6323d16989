/** Assignment: to names, to items of containers, to several targets at once. */
import { keyOf, shapeOf } from "./arrays.ts";
import { fillPart } from "./assigned_parts.ts";
import type { Checking } from "./checking.ts";
import { addColumn, asColumn } from "./columns.ts";
import { itemsOf } from "./items.ts";
import { mentionsResponse } from "./response_use.ts";
import type { Place } from "../syntax/source.ts";
import type { Expression, Subscript } from "../syntax/tree.ts";
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
    object.columns.set(key, asColumn(checking, value, target) ?? value);
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
