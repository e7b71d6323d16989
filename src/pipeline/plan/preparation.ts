/** Prepares a stage before it can be looked up or run: entry, code, permissions. */
import type { Json } from "../../base/canonical_json.ts";
import { hashRegular, refuseLinksOutside } from "../../base/regular_file.ts";
import type { SandboxLevel } from "../../base/sandbox_level.ts";
import { inputError } from "../../base/diagnostic.ts";
import { type ModelLookup, modelsNamed } from "../contract/model_param.ts";
import { rulesOfPrograms } from "../contract/rules_of_programs.ts";
import type { Service } from "../contract/service.ts";
import { type EntryModules, writeEntry } from "../process/entry.ts";
import type { FingerprintParts } from "./fingerprint.ts";
import { fingerprintParts, servicesOf } from "./fingerprint.ts";
import type { ModuleGraphs } from "../process/module_graph.ts";
import {
  type BesideStages,
  type Grants,
  nativeBackendsOf,
  stageGrants,
} from "../process/permissions.ts";
import type { ResolvedStage } from "../read/resolved.ts";
import { artifactsOf } from "./instances.ts";
import { type Continuation, continuedPart } from "./continuation.ts";
import { pluginsInReach } from "./plugins_in_reach.ts";
import { readVariable } from "../process/process.ts";
import type { ProjectLayout, SluiceHome } from "../project/project.ts";

/** A stage with its code read and its permissions known. */
export interface PreparedStage {
  /** Stage as it was read. */
  readonly stage: ResolvedStage;
  /** Absolute path of the module that its process runs. */
  readonly entry: string;
  /** Digest of the module graph. */
  readonly modules: string;
  /** Absolute paths of its local files. */
  readonly files: readonly string[];
  /** Files, hosts and variables that its process may touch. */
  readonly grants: Grants;
  /** Values of declared variables. */
  readonly env: Readonly<Record<string, string>>;
}

/** Dependencies of the preparation. */
export interface PrepareContext {
  readonly layout: ProjectLayout;
  readonly home: SluiceHome;
  readonly graphs: ModuleGraphs;
  /** Absolute path of the module of a built-in kind. */
  readonly builtInKindFile: (kind: string) => string;
  readonly seed: number;
  readonly tensors: Json;
  /** Language models of the project; left out where there are none. */
  readonly models?: ModelLookup;
  /** Services that stages may ask, by name. */
  readonly services: ReadonlyMap<string, Service>;
  /** Bytes that a file of a parameter may have. */
  readonly maxFileBytes?: number;
  /** Folders outside of the project in which links of it may end. */
  readonly trustedFolders?: readonly string[];
  /** Level of the sandbox demanded of services; results from below it are not taken from the cache. */
  readonly minimumLevel?: SandboxLevel;
  /** Loops that go on from a state of another run, by the names of their stages. */
  readonly continued?: ReadonlyMap<string, Continuation>;
  /** Digests of files by their paths, for as long as a plan is made: each file is read once. */
  readonly digests?: Map<string, string>;
}

/** Key of a stage's kind in its entry: the path where a path names it, else the name. */
export function kindKey({ kindPath, declaration }: ResolvedStage): string {
  return kindPath ?? declaration.kind;
}

/** Prepares all stages; their module graphs are read side by side. */
export async function prepareStages(
  stages: readonly ResolvedStage[],
  context: PrepareContext,
): Promise<Map<string, PreparedStage>> {
  const plugins = pluginsInReach(stages);
  const beside = { native: nativeBackendsOf(stages), models: modelFolders(stages, context) };
  const rules = rulesOfPrograms(stages, context.home);
  const prepared = await Promise.all(stages.map((stage) => {
    const modules = { plugins: plugins.get(stage.name)!, beside: rules };
    return prepareStage(stage, modules, beside, context);
  }));
  context.graphs.save();
  return new Map(prepared.map((one) => [one.stage.name, one]));
}

/** The folder of models, once a stage names one. @throws MissingPartError if it was not added. */
function modelFolders(stages: readonly ResolvedStage[], context: PrepareContext): string[] {
  const names = stages.flatMap(modelsNamed);
  for (const name of names) modelOf(name, context);
  return names.length > 0 ? [context.models!.folder] : [];
}

function modelOf(name: string, { models }: PrepareContext): { readonly sha256: string } {
  if (models) return models.find(name);
  const hint = "run the pipeline by the command line, or give the runner a ModelStore";
  const message = `Cannot use model "${name}": the user who runs the pipeline has no such model`;
  throw inputError("model/none", message, undefined, hint);
}

async function prepareStage(
  stage: ResolvedStage,
  modules: Pick<EntryModules, "plugins" | "beside">,
  beside: BesideStages,
  context: PrepareContext,
): Promise<PreparedStage> {
  const { layout, home, graphs, builtInKindFile } = context;
  requireServices(stage, context.services);
  const units = stage.loop?.stages ?? [stage];
  for (const { path } of units.flatMap(({ files }) => files)) {
    refuseLinksOutside(path, layout.root, context.trustedFolders);
  }
  const files = units.map((unit) => [kindKey(unit), unit.kindPath ?? builtInKindFile(unit.kind)]);
  const kinds: Record<string, string> = Object.fromEntries(files);
  const entry = entryOf({ purpose: "host", kinds, ...modules }, context);
  const { digest, files: paths } = await graphs.of(entry);
  const grants = stageGrants(stage, layout, home, beside);
  return { stage, entry, modules: digest, files: paths, grants, env: declaredVariables(grants) };
}

/** Entries of a plan by their imports: many stages of one kind share theirs. */
const entries = new WeakMap<PrepareContext, Map<string, string>>();

function entryOf(modules: EntryModules, context: PrepareContext): string {
  const known = entries.get(context) ?? new Map<string, string>();
  entries.set(context, known);
  const key = JSON.stringify(modules);
  const entry = known.get(key) ?? writeEntry(context.layout, context.home, modules);
  known.set(key, entry);
  return entry;
}

function declaredVariables({ env }: Grants): Record<string, string> {
  const named = env.filter((name) => name !== "*");
  const values = named.map((name) => [name, readVariable(name)] as const);
  return Object.fromEntries(
    values.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** @throws InputError if the caller of the run does not offer the service. */
function requireServices(stage: ResolvedStage, services: PrepareContext["services"]): void {
  for (const name of servicesOf(stage)) {
    if (services.has(name)) continue;
    const message =
      `Cannot run stage "${stage.name}": it asks the service "${name}", which is not here`;
    const known = [...services.keys()].join(", ") || "none";
    throw inputError("kind/unknown-service", message, undefined, `known services: ${known}`);
  }
}

/** The parts of a stage's fingerprint, once the artifacts that flow in are known. */
export function partsOf(
  { stage, modules }: PreparedStage,
  artifacts: ReadonlyMap<string, string>,
  context: PrepareContext,
): FingerprintParts {
  return fingerprintParts(stage, {
    modules,
    seed: stage.instance?.seed ?? context.seed,
    artifacts: artifactsOf(stage, artifacts),
    service: (name) => context.services.get(name)!.digest(context),
    tensors: context.tensors,
    fileDigest: (path) => fileDigest(path, context),
    modelDigest: (name) => modelOf(name, context).sha256,
    continued: continuedPart(context.continued?.get(stage.name)),
    variable: readVariable,
  });
}

/** @throws InputError if the file is no regular one, too large, or a link that leaves the project. */
function fileDigest(path: string, context: PrepareContext): string {
  const known = context.digests?.get(path);
  if (known !== undefined) return known;
  refuseLinksOutside(path, context.layout.root, context.trustedFolders);
  const digest = hashRegular(path, context.maxFileBytes);
  context.digests?.set(path, digest);
  return digest;
}
