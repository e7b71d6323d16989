/** Opening a language model of the project as a policy, with a fresh adapter or that of a file. */
import { findBlas } from "../../../base/blas/blas_library.ts";
import { inputError } from "../../../base/diagnostic.ts";
import type { NamedTensor } from "../../../base/safetensors.ts";
import type { ModelEntry } from "../../../models/store/model_entry.ts";
import { ModelStore } from "../../../models/store/model_store.ts";
import { freeMemory, sharedWeights } from "../../../models/store/model_weights.ts";
import { kernelLine } from "../fused.ts";
import type { LanguageModelConfig } from "../kinds/language_model.ts";
import type { Opening } from "../policy_kind.ts";
import { LanguageModelPolicy } from "./language_model_policy.ts";
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
  const library = backend === "blas" ? findBlas() : undefined;
  const blas = library && "blas" in library ? library.blas : undefined;
  const weights = sharedWeights(store, entry, freeMemory(), trainedPart(config.adapter));
  const seedKey = typeof source === "string" ? source : "replaced";
  const options = { adapter: config.adapter, seedKey, blas };
  const another = () => trainableModel(entry, weights, options);
  const model = another();
  if (typeof source !== "string") model.loadParameters([...source as readonly NamedTensor[]]);
  return Promise.resolve(
    new LanguageModelPolicy({
      ...{ model, another, context: config.context },
      header: { ...header, model: entry.sha256 },
      begin: entry.begin?.id,
      backend: blas ? "blas" : "fused",
      computes: computes(library),
    }),
  );
}

/** @throws InputError if this is another model than what the policy is for. */
function checkModel(
  { context, precision }: LanguageModelConfig,
  { name, sha256, tokenizer, sizes, begin }: ModelEntry,
  header: Opening["header"],
): void {
  const refuse = (problem: string, hint: string) => {
    const message = `Cannot use model "${name}" as a policy: ${problem}`;
    return inputError("policy/model", message, undefined, hint);
  };
  if (header.model !== undefined && header.model !== sha256) {
    const problem = `it is ${sha256.slice(0, 12)}…, the policy learned on ${
      header.model.slice(0, 12)
    }…`;
    throw refuse(problem, "add that model under this name");
  }
  if (header.tokenizer !== undefined && header.tokenizer !== tokenizer.sha256) {
    const problem = "the environment is in the tokens of another model";
    throw refuse(problem, "name the same model in the stage of kind tokens and here");
  }
  if (context > sizes.context) {
    const problem = `context is ${context}, and it reads ${sizes.context} tokens`;
    throw refuse(problem, `set context to ${sizes.context} or less`);
  }
  if (header.positions > context) {
    const problem = `texts have up to ${header.positions} tokens, context is ${context}`;
    throw refuse(problem, `set context to ${header.positions} or more`);
  }
  if (begin === null) {
    throw refuse("nothing is known to begin a text", "choose a model with such a token");
  }
  if (precision === "f32") return;
  const problem = `precision is "${precision}", and weights are computed with in f32`;
  throw refuse(problem, 'set precision to "f32"');
}

function computes(library: ReturnType<typeof findBlas> | undefined): string {
  const own = kernelLine("fused", "");
  if (library === undefined) return own;
  if ("problem" in library) return `${own}, instead of blas: ${library.problem}`;
  return `blas: own kernels, products by ${library.blas.name}, one thread`;
}
