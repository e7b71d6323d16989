/** A checkpoint on disk: a folder with safetensors, or a GGUF file; its sizes, and its tensors. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type GgufFile, openGguf } from "../files/gguf_file.ts";
import { loadAgain, modelError } from "../files/model_error.ts";
import { openSafetensors, safetensorsNames } from "../files/safetensors_file.ts";
import type { WeightFile } from "../files/weight_file.ts";
import { configOfGguf, configOfJson, type ModelConfig } from "./model_config.ts";

/** An open checkpoint. */
export interface Checkpoint {
  /** Sizes of the decoder. */
  readonly config: ModelConfig;
  /** Tensors by their names in the format. */
  readonly file: WeightFile;
  /** Present where the checkpoint is one GGUF file. */
  readonly gguf?: GgufFile;
  /** The folder of the files that belong to it. */
  readonly folder: string;
  /** Names of these files, weights first. */
  readonly names: readonly string[];
}

/** Sizes of a model, beside its weights. */
export const configFile = "config.json";

/**
 * Opens a folder with `config.json` and safetensors, a folder with one GGUF file, or a file of
 * either kind.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { openCheckpoint } from "./checkpoint.ts";
 * assert.throws(() => openCheckpoint("/nowhere"));
 * ```
 *
 * @throws InputError if it is none of them, or damaged.
 */
export function openCheckpoint(path: string): Checkpoint {
  const { folder, gguf } = locate(path);
  if (gguf !== undefined) {
    const file = openGguf(join(folder, gguf));
    const config = configOfGguf(file.path, file.metadata, !file.tensors.has("output.weight"));
    return { config, file, gguf: file, folder, names: [gguf] };
  }
  const weights = safetensorsNames(folder)!;
  const config = readConfig(join(folder, configFile));
  const index = "model.safetensors.index.json";
  const names = [...weights, ...existsSync(join(folder, index)) ? [index] : [], configFile];
  return { config, file: openSafetensors(folder), folder, names };
}

function locate(path: string): { readonly folder: string; readonly gguf?: string } {
  const fault = (problem: string) => {
    const mend = "name a GGUF file, or a folder with config.json and model.safetensors";
    return modelError({ kind: "file", path, problem, mend });
  };
  if (!existsSync(path)) throw fault("there is no such file or folder");
  if (!statSync(path).isDirectory()) {
    if (path.endsWith(".gguf")) return { folder: dirname(path), gguf: basename(path) };
    if (path.endsWith(".safetensors")) return locate(dirname(path));
    throw fault("it ends neither in .gguf nor in .safetensors");
  }
  if (safetensorsNames(path)) return { folder: path };
  const ggufs = readdirSync(path).filter((name) => name.endsWith(".gguf"));
  if (ggufs.length === 1) return { folder: path, gguf: ggufs[0] };
  throw fault(`it has no safetensors, and ${ggufs.length} GGUF files, one of them is wanted`);
}

/** Sizes of the model of a folder, whose weights need not be there. @throws InputError without them. */
export function folderConfig(folder: string): ModelConfig {
  return readConfig(join(folder, configFile));
}

function readConfig(path: string): ModelConfig {
  let json: Record<string, unknown>;
  try {
    json = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    const problem = `it cannot be read as JSON: ${(error as Error).message}`;
    throw modelError({ kind: "config", path, problem, mend: loadAgain });
  }
  return configOfJson(path, json);
}
