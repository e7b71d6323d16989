/** Opening a language model of the project as a policy, with a fresh adapter or that of a file. */
import { type Blas, findBlas } from "../../../numerics/blas/mod.ts";
import { findCuda, requireRoom } from "../../../numerics/cuda/mod.ts";
import { MissingPartError } from "../../../base/diagnostic.ts";
import type { NamedTensor } from "../../../base/safetensors.ts";
import {
  freeMemory,
  type ModelEntry,
  ModelStore,
  sharedWeights,
  weightBytes,
} from "../../../models/store/mod.ts";
import type { Precision } from "../../../models/decoder/mod.ts";
import { RememberedRows } from "../../../models/training/mod.ts";
import { kernelLine } from "../fused.ts";
import type { LanguageModelConfig } from "../kinds/language_model.ts";
import type { Opening } from "../policy_kind.ts";
import { LanguageModelPolicy } from "./language_model_policy.ts";
import { refused, requireFit } from "./require_fit.ts";
import { trainableModel, trainedPart } from "./trainable_model.ts";

/**
 * The policy of a checked configuration. Frozen weights are read once per process, however many
 * policies share them.
 *
 * @throws MissingPartError if the model was not added, or memory is short; InputError if it is not
 * the model of the environment's tokens, or of the policy's file.
 */
export function openLanguageModel(
  config: LanguageModelConfig,
  { header, backend, source, project = "." }: Opening,
): Promise<LanguageModelPolicy> {
  const store = new ModelStore(project);
  const entry = store.find(config.model);
  checkModel(config, entry, header);
  const { adapter, precision } = config;
  const libraries = librariesOf(backend, entry, precision);
  const weights = sharedWeights(store, entry, freeMemory(), trainedPart(adapter), precision);
  const seedKey = typeof source === "string" ? source : "replaced";
  // Copies of a policy, older states of it too, share outputs of the frozen layers.
  const remembered = new RememberedRows(entry.sizes.width);
  const options = { adapter, seedKey, remembered, ...libraries };
  const another = () => trainableModel(entry, weights, options);
  const model = another();
  if (typeof source !== "string") model.loadParameters([...source as readonly NamedTensor[]]);
  return Promise.resolve(
    new LanguageModelPolicy({
      model,
      another,
      context: config.context,
      header: { ...header, model: entry.sha256 },
      begin: entry.begin?.id,
      backend: libraries.device ? "cuda" : libraries.blas ? "blas" : "fused",
      computes: computes(libraries, precision),
    }),
  );
}

/** @throws InputError if this is not the model of the policy. */
function checkModel(
  { context, precision, adapter, backend }: LanguageModelConfig,
  entry: ModelEntry,
  header: Opening["header"],
): void {
  const called = `model "${entry.name}" as a policy`;
  requireFit(called, entry, context, header);
  const refuse = (problem: string, hint: string) => refused(called, problem, hint);
  if (adapter !== "full") return;
  if (precision === "bf16") {
    throw refuse("weights that learn are in f32, and precision is bf16", 'set precision to "f32"');
  }
  if (backend === "cuda") {
    throw refuse("a GPU keeps copies of weights that never change", 'choose backend = "blas"');
  }
}

/** Requested libraries, as far as they were found. */
interface Found {
  readonly blas?: Blas;
  readonly device?: Blas;
  /** Why there is no library. */
  readonly problem?: string;
}

/**
 * Without a library own kernels compute, and the policy says so. Without a GPU nothing does: a model
 * that was meant for one would take days.
 *
 * @throws MissingPartError if a GPU was asked for, and there is none, or it has too little memory.
 */
function librariesOf(backend: string, entry: ModelEntry, precision: Precision): Found {
  if (backend !== "blas" && backend !== "cuda") return {};
  const library = findBlas();
  const found = "blas" in library ? { blas: library.blas } : { problem: library.problem };
  return backend === "cuda" ? { ...found, device: gpuFor(entry, precision) } : found;
}

/** Bytes of the GPU's memory for cuBLAS's workspace and rows of a product. */
const rowBytes = 500e6;

function gpuFor(entry: ModelEntry, precision: Precision): Blas {
  const gpu = findCuda();
  if ("problem" in gpu) {
    const message = `Cannot use model "${entry.name}" on backend "cuda": ${gpu.problem}`;
    throw new MissingPartError(
      message,
      'start it on a machine with a GPU, or set backend = "blas"',
    );
  }
  const { device } = gpu;
  if (!onDevice.has(`${entry.sha256} ${precision}`)) {
    requireRoom(device.name, weightBytes(entry, precision) + rowBytes, device.freeBytes);
  }
  onDevice.add(`${entry.sha256} ${precision}`);
  return device;
}

/** Models whose weights the GPU of this process has room for. */
const onDevice = new Set<string>();

function computes({ blas, device, problem }: Found, precision: Precision): string {
  const held = precision === "bf16" ? ", frozen weights in bf16" : "";
  if (device) {
    const others = blas ? `, others by ${blas.name}` : "";
    return `cuda: own kernels, products with frozen weights by ${device.name}${others}${held}`;
  }
  const own = `${kernelLine("fused", "")}${held}`;
  if (blas) {
    const isWidened = precision === "bf16" && !blas.hasBrainFloats;
    const note = isWidened ? " (multiplied as f32: this library has no cblas_sbgemm)" : "";
    return `blas: own kernels, products by ${blas.name}, one thread${held}${note}`;
  }
  return problem === undefined ? own : `${own}, instead of blas: ${problem}`;
}
