/** Adapters as PEFT saves them: `adapter_model.safetensors` and `adapter_config.json`. */
import { inputError } from "../../base/diagnostic.ts";
import { decodeTensors, encodeTensors, type NamedTensor } from "../../base/safetensors.ts";
import type { ModelConfig } from "../decoder/model_config.ts";
import { type AdapterSpec, peftPrefix } from "./attach.ts";

/** Which model an adapter belongs to. */
export interface BaseModel {
  /** Name of the model, `base_model_name_or_path` of PEFT. */
  readonly name: string;
  /** Digest of its files; kept in the adapter's file. */
  readonly sha256: string;
}

/** Base model of an adapter, which its files name. */
export interface Owner {
  /** The frozen model. */
  readonly base: BaseModel;
  /** Its architecture. */
  readonly config: Pick<ModelConfig, "architecture">;
}

/** Names of the two files. */
const [adapterWeights, adapterConfig] = ["adapter_model.safetensors", "adapter_config.json"];

/** Keys of a settings file that are checked. */
interface Settings {
  readonly peft_type?: unknown;
  readonly r?: unknown;
  readonly lora_alpha?: unknown;
  readonly use_dora?: unknown;
  readonly use_rslora?: unknown;
  readonly bias?: unknown;
}

/**
 * The files of an adapter by name; target modules are written by their whole names.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { adapterFiles } from "./peft_folder.ts";
 * const name = "base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight";
 * const files = adapterFiles(
 *   { rank: 4, alpha: 8, targets: "all-linear" },
 *   { base: { name: "mine", sha256: "00" }, config: { architecture: "llama" } },
 *   [{ name, shape: [4, 8], values: new Float32Array(32) }],
 * );
 * assert.deepEqual([...files.keys()].sort(), ["adapter_config.json", "adapter_model.safetensors"]);
 * ```
 */
export function adapterFiles(
  { rank, alpha, dropout = 0 }: AdapterSpec,
  { base, config }: Owner,
  tensors: readonly NamedTensor[],
): ReadonlyMap<string, Uint8Array> {
  const modules = tensors.filter(({ name }) => name.endsWith(".lora_A.weight"))
    .map(({ name }) => name.slice(peftPrefix.length, -".lora_A.weight".length));
  const settings = {
    peft_type: "LORA",
    task_type: "CAUSAL_LM",
    base_model_name_or_path: base.name,
    r: rank,
    lora_alpha: alpha,
    lora_dropout: dropout,
    bias: "none",
    use_dora: false,
    use_rslora: false,
    inference_mode: true,
    init_lora_weights: true,
    fan_in_fan_out: config.architecture === "gpt2",
    target_modules: modules,
  };
  const text = new TextEncoder().encode(JSON.stringify(settings, null, 2));
  const metadata = { format: "pt", base_sha256: base.sha256 };
  return new Map([[adapterWeights, encodeTensors(tensors, metadata)], [adapterConfig, text]]);
}

/**
 * The tensors of an adapter for this base. Files of PEFT itself do not hold the digest of their base:
 * names and shapes are checked instead.
 *
 * @throws InputError if a file is missing, or the adapter is of another base, rank or kind.
 */
export function readAdapterFiles(
  spec: AdapterSpec,
  { base }: Owner,
  files: ReadonlyMap<string, Uint8Array>,
): readonly NamedTensor[] {
  const bytes = (name: string) => {
    const found = files.get(name);
    if (found) return found;
    throw fault("file", `there is no ${name}`, "name a folder that PEFT or Sluice has saved");
  };
  checkSettings(spec, bytes(adapterConfig));
  const { tensors, metadata } = decode(bytes(adapterWeights));
  const { base_sha256: of } = metadata;
  if (of === undefined || of === base.sha256) return tensors;
  const problem = `it is of the base ${of.slice(0, 12)}, this is ${base.sha256.slice(0, 12)}`;
  throw fault("base", problem, `open the model it was trained on, not "${base.name}"`);
}

function decode(bytes: Uint8Array) {
  try {
    return decodeTensors(bytes);
  } catch (error) {
    const problem = `${adapterWeights}: ${(error as Error).message}`;
    throw fault("weights", problem, "save it in single precision");
  }
}

function checkSettings({ rank, alpha }: AdapterSpec, bytes: Uint8Array): void {
  let settings: Settings;
  try {
    settings = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    const problem = `${adapterConfig} is not JSON: ${(error as Error).message}`;
    throw fault("settings", problem, "save the adapter again");
  }
  const wanted = { peft_type: "LORA", r: rank, lora_alpha: alpha, bias: "none" };
  const plain = { use_dora: false, use_rslora: false };
  for (const [name, value] of Object.entries({ ...wanted, ...plain })) {
    const found = settings[name as keyof Settings] ?? (name in plain ? false : undefined);
    if (found === value) continue;
    const problem = `${name} is ${JSON.stringify(found)}, here it is ${JSON.stringify(value)}`;
    throw fault("settings", problem, "train with the rank and alpha of the adapter");
  }
}

function fault(kind: string, problem: string, hint: string) {
  return inputError(`model/adapter-${kind}`, `Cannot load adapter: ${problem}`, undefined, hint);
}
