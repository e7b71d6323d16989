/** The linear maps of layers by the names that PEFT and transformers give them. */
import { inputError } from "../../base/diagnostic.ts";
import { nearest } from "../../base/nearest.ts";
import type { Body } from "../decoder/body.ts";
import type { Architecture } from "../decoder/model_config.ts";
import type { PlacedAffine } from "../decoder/placed.ts";

/** A linear map as a checkpoint has it; GPT-2 has queries, keys and values in one. */
export interface LinearMap {
  /** Its module, for example `model.layers.0.self_attn.q_proj`. */
  readonly name: string;
  /** Its parts here, whose outputs lie one behind the other there. */
  readonly parts: readonly PlacedAffine[];
}

type Part = "query" | "key" | "value" | "output" | "gate" | "up" | "down";

const published: readonly (readonly [string, readonly Part[]])[] = [
  ["self_attn.q_proj", ["query"]],
  ["self_attn.k_proj", ["key"]],
  ["self_attn.v_proj", ["value"]],
  ["self_attn.o_proj", ["output"]],
  ["mlp.gate_proj", ["gate"]],
  ["mlp.up_proj", ["up"]],
  ["mlp.down_proj", ["down"]],
];

const publishedGpt2: typeof published = [
  ["attn.c_attn", ["query", "key", "value"]],
  ["attn.c_proj", ["output"]],
  ["mlp.c_fc", ["up"]],
  ["mlp.c_proj", ["down"]],
];

/** The linear maps of the layers from `first` on. */
export function linearMaps({ config: { architecture }, layers }: Body, first = 0): LinearMap[] {
  return layers.slice(first).flatMap((layer, i) =>
    mapsOf(architecture, first + i).map(({ name, parts }) => ({
      name,
      parts: parts.map((part) => layer[part]!),
    }))
  );
}

/**
 * Names of the linear maps of a model with so many layers, from the layer `first` on.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { mapNames } from "./linear_maps.ts";
 * assert(mapNames("llama", 2, 1).every((name) => /\b1\b/.test(name)));
 * ```
 */
export function mapNames(architecture: Architecture, layers: number, first = 0): string[] {
  const all = Array.from({ length: layers }, (_, layer) => mapsOf(architecture, layer));
  return all.slice(first).flat().map(({ name }) => name);
}

/** The maps of one layer, and their names here. */
function mapsOf(architecture: Architecture, layer: number) {
  const isGpt2 = architecture === "gpt2";
  return (isGpt2 ? publishedGpt2 : published).map(([name, parts]) => ({
    name: `${isGpt2 ? "transformer.h" : "model.layers"}.${layer}.${name}`,
    parts,
  }));
}

/**
 * Layers before the first that is adapted. @throws InputError if more are asked for than there are.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { frozenLayers } from "./linear_maps.ts";
 * assert.equal(frozenLayers(30, 2), 28);
 * assert.throws(() => frozenLayers(30, 31), /last_layers/);
 * ```
 */
export function frozenLayers(layers: number, lastLayers = layers): number {
  if (lastLayers >= 1 && lastLayers <= layers) return layers - lastLayers;
  const message = `Cannot adapt a model: last_layers is ${lastLayers}, it has ${layers}`;
  throw inputError("model/last-layers", message, undefined, `choose 1 to ${layers}`);
}

/** Which maps get an adapter: all of the layers, or those whose names end so. */
export type Targets = "all-linear" | readonly string[];

/**
 * The maps that targets name, as PEFT matches them: by whole names, or by the part behind a dot.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { matchTargets } from "./linear_maps.ts";
 * const maps = [{ name: "layers.0.q_proj" }, { name: "layers.0.v_proj" }];
 * assert.deepEqual(matchTargets(maps, ["q_proj"]), [maps[0]]);
 * ```
 *
 * @throws InputError if a target matches no map.
 */
export function matchTargets<T extends { readonly name: string }>(
  maps: readonly T[],
  targets: Targets,
): T[] {
  if (targets === "all-linear") return [...maps];
  const matches = (name: string, target: string) => name === target || name.endsWith(`.${target}`);
  const lost = targets.find((target) => !maps.some(({ name }) => matches(name, target)));
  if (lost === undefined && targets.length > 0) {
    return maps.filter(({ name }) => targets.some((target) => matches(name, target)));
  }
  const known = [...new Set(maps.map(({ name }) => name.slice(name.lastIndexOf(".") + 1)))];
  const problem = lost === undefined ? "it has no targets" : `target "${lost}" matches no map`;
  const near = lost !== undefined && nearest(lost, known);
  const hint = `${near ? `did you mean "${near}"? ` : ""}Maps are ${known.join(", ")}`;
  throw inputError("model/targets", `Cannot adapt a model: ${problem}`, undefined, hint);
}
