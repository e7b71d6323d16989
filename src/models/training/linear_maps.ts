/** The linear maps of layers by the names that PEFT and transformers give them. */
import { inputError } from "../../base/diagnostic.ts";
import { nearest } from "../../base/nearest.ts";
import type { Body } from "../decoder/body.ts";
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
  const isGpt2 = architecture === "gpt2";
  return layers.slice(first).flatMap((layer, i) =>
    (isGpt2 ? publishedGpt2 : published).map(([name, parts]) => ({
      name: `${isGpt2 ? "transformer.h" : "model.layers"}.${first + i}.${name}`,
      parts: parts.map((part) => layer[part]!),
    }))
  );
}

/** Which maps get an adapter: all of the layers, or those whose names end so. */
export type Targets = "all-linear" | readonly string[];

/**
 * The maps that targets name, as PEFT matches them: by whole names, or by what follows a dot.
 *
 * @throws InputError if a target matches no map.
 */
export function matchTargets(maps: readonly LinearMap[], targets: Targets): LinearMap[] {
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
