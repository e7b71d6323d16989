/** Overlays of a pipeline's file, from the values that a run recorded, as after `--set`. */
import type { ResolvedValue } from "../pipeline/read/mod.ts";

/** A value, or a list or table under construction. */
type Node = { readonly value: unknown } | Map<string, Node>;

/**
 * One `name=value` for each value that did not come from the file. Values within a list are
 * recorded by their place, `mix.0.share`, and come back as the whole list.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { laidOver } from "./laid_over.ts";
 * const value = (path: string, value: unknown) => ({ path, value, source: "set" as const });
 * const recorded = [value("seed", 2), value("mix.0.share", 0.5), value("mix.1.share", 0.25)];
 * assert.deepEqual(laidOver(recorded), ["seed=2", "mix=[{share=0.5},{share=0.25}]"]);
 * ```
 */
export function laidOver(
  values: readonly (Pick<ResolvedValue, "path" | "source"> & { readonly value: unknown })[],
): string[] {
  const roots = new Map<string, Node>();
  for (const { path, value, source } of values) {
    if (source !== "set" && source !== "overlay") continue;
    const parts = path.split(".");
    const list = parts.findIndex((part) => /^\d+$/.test(part));
    const end = list < 0 ? parts.length : list;
    put(roots, [parts.slice(0, end).join("."), ...parts.slice(end)], value);
  }
  return [...roots].map(([path, node]) => `${path}=${written(node)}`);
}

function put(into: Map<string, Node>, [first, ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    into.set(first, { value });
    return;
  }
  const found = into.get(first);
  const node = found instanceof Map ? found : new Map<string, Node>();
  into.set(first, node);
  put(node, rest, value);
}

/** As TOML on one line. */
function written(node: Node): string {
  if (!(node instanceof Map)) return plain(node.value);
  const isList = [...node.keys()].every((key, i) => key === `${i}`);
  const parts = [...node].map(([key, one]) => isList ? written(one) : `${key}=${written(one)}`);
  return isList ? `[${parts.join(",")}]` : `{${parts.join(",")}}`;
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(plain).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value).map(([key, one]) => `${key}=${plain(one)}`).join(",")}}`;
}
