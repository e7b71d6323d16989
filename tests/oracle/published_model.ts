/** A model of the project as the folder that other tools read: weights in single precision, tokenizer and template. */
import { join } from "node:path";
import {
  configOf,
  freeMemory,
  type ModelStore,
  publishedTokenizer,
  sharedWeights,
} from "../../src/models/store/mod.ts";
import { TrainedModel } from "../../src/models/training/trained_model.ts";

/** Rank of the adapters of contract tests, and their alpha. */
const adapter = { rank: 8, alpha: 32, targets: "all-linear" } as const;

/** A model with a fresh adapter on all maps, which changes nothing yet. */
export function adapted(store: ModelStore, name: string, seedKey = "contract"): TrainedModel {
  const entry = store.find(name);
  const config = configOf(entry);
  const weights = sharedWeights(store, entry, freeMemory(), adapter, "f32");
  return new TrainedModel({ config, weights, base: { name, sha256: "" }, adapter, seedKey });
}

/** Writes the model without its adapter. */
export function publishModel(store: ModelStore, name: string, folder: string): void {
  Deno.mkdirSync(folder, { recursive: true });
  const files = [...adapted(store, name).saveMerged(), ...publishedTokenizer(store, name)];
  for (const [file, bytes] of files) Deno.writeFileSync(join(folder, file), bytes);
}
