/** Lays one tree of values over another. */
import type { Located, LocatedTable, ValueSource } from "./located.ts";

/** A table that several layers write is shown where the first of these wrote it. */
const showAt: readonly ValueSource[] = ["file", "use", "overlay", "set", "default"];

/**
 * Tables are merged key by key; any other value of `over` replaces the one below it. A table of
 * parameters that names another `kind` replaces the table below, whose keys belong to that other
 * kind; stages keep their keys.
 */
export function layOver(under: Located | undefined, over: Located, isStage = false): Located {
  if (under?.kind !== "table" || over.kind !== "table") return over;
  return !isStage && namesAnotherKind(under, over) ? over : layTableOver(under, over);
}

/** {@link layOver} for whole documents. */
export function layTableOver(under: LocatedTable, over: LocatedTable): LocatedTable {
  const entries = new Map(under.entries);
  const holdsStages = over.origin.path.at(-1) === "stages";
  for (const [key, child] of over.entries) {
    entries.set(key, layOver(entries.get(key), child, holdsStages));
  }
  return { kind: "table", entries, origin: shownOrigin(under, over) };
}

function namesAnotherKind(under: LocatedTable, over: LocatedTable): boolean {
  const [below, above] = [under.entries.get("kind"), over.entries.get("kind")];
  return below?.kind === "scalar" && above?.kind === "scalar" && below.value !== above.value;
}

function shownOrigin({ origin: under }: LocatedTable, { origin: over }: LocatedTable) {
  return showAt.indexOf(over.source) <= showAt.indexOf(under.source) ? over : under;
}
