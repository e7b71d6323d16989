/** The weights of a model that was added, once the machine has room and its files are as they were. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { inputError, MissingPartError } from "../../base/diagnostic.ts";
import { type Checkpoint, openCheckpoint } from "../decoder/checkpoint.ts";
import { weightCount } from "../decoder/model_config.ts";
import { type TrainedPart, trainingBytes } from "../training/training_memory.ts";
import { type Precision, readWeights, type Weights } from "../decoder/weights.ts";
import { fileDigest } from "./file_digest.ts";
import { configOf, type ModelEntry } from "./model_entry.ts";
import type { ModelStore } from "./model_store.ts";

/** Beside weights: activations, caches, tiles. */
const otherBytes = 200e6;

const shared = new Map<string, Weights>();

/** The checkpoint of a model, to be closed. @throws InputError if one of its files was changed. */
export function openFiles(store: ModelStore, entry: ModelEntry): Checkpoint {
  const folder = store.folderOf(entry);
  for (const { name, sha256 } of entry.files) checkDigest(join(folder, name), sha256);
  return openCheckpoint(folder);
}

/**
 * The weights of a model; read once in a process, and not to be written into.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { addModel, ModelStore, writeRandomCheckpoint } from "sluice/models";
 * import { sharedWeights } from "./model_weights.ts";
 * const folder = await Deno.makeTempDir();
 * writeRandomCheckpoint(`${folder}/tiny`, "seed 1");
 * const store = new ModelStore(folder);
 * const entry = await addModel(store, `${folder}/tiny`);
 * assert.equal(sharedWeights(store, entry), sharedWeights(store, entry)); // read once
 * await Deno.remove(folder, { recursive: true });
 * ```
 *
 * @param freeBytes Bytes that may be used; the free memory of the machine if left out.
 * @param training Part of them that will be trained, which takes memory too.
 * @param precision Precision of embedding, maps and head.
 * @throws MissingPartError if memory is short; InputError if files were changed.
 */
export function sharedWeights(
  store: ModelStore,
  entry: ModelEntry,
  freeBytes: number = freeMemory(),
  training?: TrainedPart,
  precision: Precision = "f32",
): Weights {
  const key = `${entry.sha256} ${precision}`;
  const known = shared.get(key);
  const isOpen = known !== undefined;
  checkMemory(entry, freeBytes, { isOpen, precision, ...(training && { training }) });
  if (known) return known;
  const { file } = openFiles(store, entry);
  const weights = readWeights(file, configOf(entry), precision);
  file.close();
  shared.set(key, weights);
  return weights;
}

/**
 * Bytes of free memory of the machine; Infinity where permission to read it is lacking.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { freeMemory } from "./model_weights.ts";
 * assert(freeMemory() > 0);
 * ```
 */
export function freeMemory(): number {
  try {
    return Deno.systemMemoryInfo().available;
  } catch {
    return Infinity; // Not permitted: unknown.
  }
}

/** Use for which a model is opened. */
interface MemoryUse {
  /** Whether its weights are in memory already. */
  readonly isOpen?: boolean;
  /** Part that will be trained. */
  readonly training?: TrainedPart;
  /** Precision of embedding, maps and head; single if left out. */
  readonly precision?: Precision;
}

/**
 * Bytes of the weights of a model; norms and biases are too few to count apart.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { weightBytes } from "./model_weights.ts";
 * const sizes = {
 *   layers: 30, width: 576, heads: 9, key_heads: 3, head_size: 64, inner: 1536,
 *   vocabulary: 49152, context: 8192, epsilon: 1e-5, rotary_base: 1e5, tied: true,
 * };
 * const smollm2 = { architecture: "llama", sizes } as never;
 * assert.equal(weightBytes(smollm2, "f32"), 2 * weightBytes(smollm2, "bf16"));
 * ```
 */
export function weightBytes(entry: ModelEntry, precision: Precision): number {
  return (precision === "f32" ? 4 : 2) * weightCount(configOf(entry));
}

/** @throws MissingPartError with the bytes that are needed. */
export function checkMemory(
  entry: ModelEntry,
  free: number,
  { isOpen = false, training, precision = "f32" }: MemoryUse = {},
): void {
  if (entry.weights === false) throw tokenizerAlone(entry);
  const config = configOf(entry);
  const opened = isOpen ? 0 : weightBytes(entry, precision) + otherBytes;
  const wanted = opened + (training ? trainingBytes(config, training) : 0);
  if (wanted <= free) return;
  const [need, have] = [wanted, free].map((bytes) => `${(bytes / 1e9).toFixed(2)} GB`);
  const verb = training ? "train" : "open";
  throw new MissingPartError(
    `Cannot ${verb} model "${entry.name}": in ${
      precision === "f32" ? "single precision" : "bfloat16"
    } it takes ${need} of memory, ${have} are free`,
    training === "full"
      ? "end other programs, train an adapter instead of all weights, or choose a smaller model"
      : "end other programs, or choose a smaller model",
  );
}

function tokenizerAlone({ name, source }: ModelEntry) {
  const message = `Cannot open model "${name}": its tokenizer alone was added`;
  return new MissingPartError(
    message,
    `sluice model add ${source} --name ${name}, with its weights`,
  );
}

function checkDigest(path: string, wanted: string): void {
  if (!existsSync(path)) {
    const message = `Cannot use model: ${path}, which model.json lists, is not there`;
    throw inputError("model/changed", message, undefined, "remove the model, and add it again");
  }
  const found = fileDigest(path);
  if (found === wanted) return;
  const message = `Cannot use model: the SHA-256 of ${path} is ${found}, model.json says ${wanted}`;
  throw inputError("model/changed", message, undefined, "remove the model, and add it again");
}
