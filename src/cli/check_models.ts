/** Whether the language models that a pipeline names are there, before it runs. */
import { type Diagnostic, InputError, MissingPartError } from "../base/diagnostic.ts";
import type { ModelEntry } from "../models/store/mod.ts";
import type { Targets } from "../models/training/mod.ts";
import { modelPlaces } from "../pipeline/contract/mod.ts";
import type { ResolvedPipeline, ResolvedStage } from "../pipeline/read/mod.ts";
import type { Path } from "../pipeline/toml/mod.ts";

/**
 * A finding for each model that was not added, where the pipeline names it: a warning where
 * `sluice model add` knows the name, for only this machine lacks it, an error where the name is unknown. Of
 * a model that is there, a finding for each part that an adapter needs and the model lacks.
 */
export async function modelFindings(
  { stages }: ResolvedPipeline,
  projectRoot: string,
): Promise<Diagnostic[]> {
  const units = stages.flatMap((stage) => [stage, ...stage.loop?.stages ?? []]);
  const named = units.flatMap((stage) => modelPlaces(stage).map((one) => ({ ...one, stage })));
  if (named.length === 0) return [];
  const { ModelStore, catalogue } = await import("../models/mod.ts");
  const store = new ModelStore(projectRoot);
  return (await Promise.all(named.map(async ({ name, path, stage }) => {
    const place = (path: Path) => stage.placeOf?.(path) ?? stage.span;
    try {
      const [entry, at] = [store.find(name), path.slice(0, -1)];
      const adapter = await adapterFindings(entry, stage.params, at, place);
      return [...adapter, ...await lengthFindings(entry, stage, at, place)];
    } catch (error) {
      if (!(error instanceof MissingPartError)) throw error;
      const severity = Object.hasOwn(catalogue, name) ? "warning" as const : "error" as const;
      const { message, remedy: hint } = error;
      return [{ code: "model/not-added", severity, message, hint, span: place(path) }];
    }
  }))).flat();
}

/** Texts that are longer than the model reads, by what stands beside its name. */
async function lengthFindings(
  { name, sizes }: ModelEntry,
  { kind, params, inputs }: Pick<ResolvedStage, "kind" | "params" | "inputs">,
  path: Path,
  place: (path: Path) => Diagnostic["span"],
): Promise<Diagnostic[]> {
  const beside = path.reduce<unknown>((at, key) => Object(at)[key], params) as {
    readonly kind?: string;
    readonly context?: number;
    readonly most_tokens?: number;
    readonly mask?: string;
  };
  const listed = Object.hasOwn(inputs, "environment") ? "trie" : "none";
  const isFree = kind === "tokens" && (beside.mask ?? listed) !== "trie";
  const asked = isFree
    ? { key: "most_tokens", tokens: beside.most_tokens, most: sizes.context - 1 }
    : { key: "context", tokens: beside.context, most: sizes.context };
  const { readsTokens } = await import("../gfn/settings/mod.ts");
  const isPolicy = readsTokens(`${beside.kind}`);
  if (!(isFree || isPolicy) || asked.tokens === undefined || asked.tokens <= asked.most) return [];
  const message = `Cannot use model "${name}": ${asked.key} is ${asked.tokens}, and it reads ` +
    `${sizes.context} tokens`;
  const hint = `set ${asked.key} to ${asked.most} or less`;
  const span = place([...path, asked.key]);
  return [{ code: "model/context", severity: "error", message, hint, span }];
}

/** Parameters of an adapter, beside the name of a model. */
interface AdapterAsked {
  readonly adapter?: "full" | { readonly targets?: Targets; readonly last_layers?: number };
}

/** Findings where the adapter at a path of parameters needs a part that this model lacks. */
async function adapterFindings(
  { architecture, sizes }: ModelEntry,
  params: unknown,
  path: Path,
  place: (path: Path) => Diagnostic["span"],
): Promise<Diagnostic[]> {
  const { adapter } = path.reduce<unknown>((at, key) => Object(at)[key], params) as AdapterAsked;
  if (typeof adapter !== "object") return [];
  const { targets = "all-linear", last_layers } = adapter;
  const { frozenLayers, mapNames, matchTargets } = await import(
    "../models/training/mod.ts"
  );
  let first = 0;
  const layers = found(
    () => first = frozenLayers(sizes.layers, last_layers),
    place([...path, "adapter", "last_layers"]),
  );
  const maps = mapNames(architecture, sizes.layers, first).map((name) => ({ name }));
  const named = found(() => matchTargets(maps, targets), place([...path, "adapter", "targets"]));
  return [...layers, ...named];
}

/** Findings that an attempt throws, with their place in the pipeline. */
function found(attempt: () => unknown, span: Diagnostic["span"]): Diagnostic[] {
  try {
    attempt();
    return [];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.diagnostics.map((one) => ({ ...one, span }));
  }
}
