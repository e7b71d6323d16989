/** Opening a policy that a server trains: its tokens are of this project, its weights are there. */
import { RandomStream } from "../../../base/random.ts";
import type { NamedTensor } from "../../../base/safetensors.ts";
import { ModelStore } from "../../../models/store/mod.ts";
import type { TrainerRecord } from "../../../models/training/mod.ts";
import type { TinkerConfig } from "../kinds/tinker.ts";
import type { Opening } from "../policy_kind.ts";
import { LanguageModelPolicy } from "./language_model_policy.ts";
import { requireFit } from "./require_fit.ts";
import { ServedModel, type ServedParts } from "./served_model.ts";

/**
 * The policy of a checked configuration. A fresh one is made on the server at once, which is tried
 * first; one of a file when it is first asked.
 *
 * @throws MissingPartError if the model of the tokens was not added, or no server answers; InputError if
 * it reads other tokens, or the server's loss cannot be determined.
 */
export async function openServed(
  config: TinkerConfig,
  { header, source, project = ".", trainer: link }: Opening,
): Promise<LanguageModelPolicy> {
  const entry = new ModelStore(project).find(config.model);
  requireFit(`model "${entry.name}" for a policy on a server`, entry, config.context, header);
  const { kind: _, model: _tokens, context, url, ...rest } = config;
  if (url === undefined) throw new Error("internal: a stage fills in the server of its policy");
  const trainer = { ...rest, url };
  const seedKey = typeof source === "string" ? source : "replaced";
  const { name, sha256, architecture, sizes, begin } = entry;
  const parts: ServedParts = {
    link,
    trainer,
    seed: new RandomStream("served", seedKey).uint32() >>> 1,
    config: { vocabulary: sizes.vocabulary, context: sizes.context },
    base: { name, sha256, architecture },
  };
  const another = () => new ServedModel(parts);
  const model = another();
  const tried = typeof source === "string" ? await model.tried(begin!.id) : undefined;
  if (typeof source !== "string") model.loadParameters(source as readonly NamedTensor[]);
  return new LanguageModelPolicy({
    model,
    another,
    context,
    header: { ...header, model: sha256 },
    begin: begin?.id,
    backend: "server",
    computes: computes(config, tried),
  });
}

function computes({ url, base_model, rank }: TinkerConfig, tried?: TrainerRecord): string {
  const divided = tried && tried.divides !== "1"
    ? `, whose losses are divided by ${tried.divides}`
    : "";
  const found = tried
    ? `; asked twice ${tried.twice.toExponential(1)} nats apart${divided}; ` +
      `it clips ${tried.clips ? "gradients by clip_norm" : "no gradient"}`
    : "";
  return `${base_model} on ${url}, an adapter of rank ${rank}${found}`;
}
