/** The weights of a model that was added, once the machine has room and its files are as they were. */
import { join } from "node:path";
import { inputError, MissingPartError } from "../../base/diagnostic.ts";
import { type Checkpoint, openCheckpoint } from "../decoder/checkpoint.ts";
import { weightCount } from "../decoder/model_config.ts";
import { type TrainedPart, trainingBytes } from "../training/training_memory.ts";
import { readWeights, type Weights } from "../decoder/weights.ts";
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
 * The weights of a model in single precision; read once in a process, and not to be written into.
 *
 * @param freeBytes Bytes that may be used; what the machine has free, unless this says otherwise.
 * @param training What of them will be trained, and wants memory too.
 * @throws MissingPartError if memory is short; InputError if files were changed.
 */
export function sharedWeights(
  store: ModelStore,
  entry: ModelEntry,
  freeBytes: number = freeMemory(),
  training?: TrainedPart,
): Weights {
  const known = shared.get(entry.sha256);
  checkMemory(entry, freeBytes, { isOpen: known !== undefined, ...(training && { training }) });
  if (known) return known;
  const { file } = openFiles(store, entry);
  const weights = readWeights(file, configOf(entry));
  file.close();
  shared.set(entry.sha256, weights);
  return weights;
}

/** What the machine has free; Infinity where that may not be asked. */
export function freeMemory(): number {
  try {
    return Deno.systemMemoryInfo().available;
  } catch {
    return Infinity; // Not permitted: nobody knows.
  }
}

/** What a model is opened for. */
export interface MemoryUse {
  /** Whether its weights are in memory already. */
  readonly isOpen?: boolean;
  /** What will be trained. */
  readonly training?: TrainedPart;
}

/** @throws MissingPartError with the bytes that are wanted. */
export function checkMemory(
  entry: ModelEntry,
  free: number,
  { isOpen = false, training }: MemoryUse = {},
): void {
  const config = configOf(entry);
  const opened = isOpen ? 0 : 4 * weightCount(config) + otherBytes;
  const wanted = opened + (training ? trainingBytes(config, training) : 0);
  if (wanted <= free) return;
  const [need, have] = [wanted, free].map((bytes) => `${(bytes / 1e9).toFixed(2)} GB`);
  const verb = training ? "train" : "open";
  throw new MissingPartError(
    `Cannot ${verb} model "${entry.name}": in single precision it takes ${need} of memory, ${have} are free`,
    training === "full"
      ? "end other programs, train an adapter instead of all weights, or choose a smaller model"
      : "end other programs, or choose a smaller model",
  );
}

function checkDigest(path: string, wanted: string): void {
  const found = fileDigest(path);
  if (found === wanted) return;
  const message = `Cannot use model: the SHA-256 of ${path} is ${found}, model.json says ${wanted}`;
  throw inputError("model/changed", message, undefined, "remove the model, and add it again");
}
