/** Reads a pipeline: merges its layers, checks everything in it, and resolves names and paths. */
import { resolve } from "node:path";
import { type Files, localFiles } from "../toml/files.ts";
import { type Diagnostic, InputError } from "../../base/diagnostic.ts";
import type { Span } from "../../base/span.ts";
import type { z } from "../../base/zod.ts";
import { nodeAt, spanOfNode } from "../toml/located.ts";
import type { Path } from "../toml/path.ts";
import { type Layers, readLayers } from "../toml/layers.ts";
import type { StageSignature } from "../contract/stage.ts";
import type { StageKindDeclaration } from "./declaration.ts";
import { checkBest } from "./check_best.ts";
import { checkStaleness } from "./check_staleness.ts";
import { type loopParams, readScope, type Scope, type StageDraft } from "./draft.ts";
import { Findings } from "./findings.ts";
import { gatesOf } from "./gates.ts";
import { type Header, readHeader } from "./header.ts";
import { allStages, declareKinds } from "./kinds.ts";
import { orderStages } from "./order.ts";
import { readParams, type StageParams } from "./params.ts";
import type { ResolvedLoop, ResolvedPipeline, ResolvedStage } from "./resolved.ts";
import { resolvedValues } from "./values.ts";
import { readWires, type StageWires } from "./wiring.ts";

export interface ResolveOptions {
  /** The pipeline file, as the user gave it; messages call it so. */
  readonly path: string;
  /** Overlay files, with or without the leading `@`. */
  readonly overlays?: readonly string[];
  /** `path=value` of each `--set`. */
  readonly sets?: readonly string[];
  /** Built-in kinds by name. */
  readonly kinds: ReadonlyMap<string, StageSignature>;
  /** Reads the declaration of a kind named by path. */
  readonly loadKind?: (absolutePath: string) => Promise<StageKindDeclaration>;
  /** The folder of the package, for `sluice:` paths. */
  readonly sluiceRoot: string;
  /** Looks up an output of an earlier run: `run:ID/stage.port`. */
  readonly earlier?: Scope["earlier"];
  /** Folder to which `path` and overlays are relative; the working directory if left out. */
  readonly cwd?: string;
  /** The file system; this machine's if left out. */
  readonly files?: Partial<Files>;
  /** Whether messages show no line of a document. */
  readonly isHidden?: (absolute: string, typed: boolean) => boolean;
}

/**
 * Reads and checks a pipeline. Nothing is written and no stage is loaded or run.
 *
 * @throws InputError with everything that is wrong, and the texts to show it in.
 */
export async function resolvePipeline(options: ResolveOptions): Promise<ResolvedPipeline> {
  const { pipeline, diagnostics } = await resolveSound(options);
  if (diagnostics.length > 0) throw new InputError(diagnostics, pipeline.sources);
  return pipeline;
}

/** The part of a pipeline that can be read, and everything that is wrong with the rest. */
export interface SoundPipeline {
  /** Without the stages that are not sound. */
  readonly pipeline: ResolvedPipeline;
  /** Everything wrong with stages that were left out. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the sound part of a pipeline.
 *
 * @throws InputError if it is not TOML, or a file that it uses is not there.
 */
export async function resolveSound(options: ResolveOptions): Promise<SoundPipeline> {
  const files: Files = { ...localFiles, ...options.files };
  const cwd = options.cwd ?? Deno.cwd();
  const layers = await readLayers({ ...options, files, cwd });
  const findings = new Findings();
  const header = readHeader(layers.root, options.path, findings);
  const top = { node: layers.root, earlier: options.earlier };
  const scope = readScope(layers.root.entries.get("stages"), top, findings);
  await declareKinds(scope, { ...options, files }, findings);
  const parts = await readParts(scope, { files, sluiceRoot: options.sluiceRoot }, findings);
  const absolutePath = resolve(cwd, options.path);
  const assembly = { path: options.path, absolutePath, header, scope, layers, parts };
  const pipeline = assemble(assembly, findings);
  return { pipeline, diagnostics: findings.all };
}

/** Parts of the result for each stage, beside its draft. */
interface Parts {
  readonly wires: ReadonlyMap<StageDraft, StageWires>;
  readonly params: ReadonlyMap<StageDraft, StageParams>;
}

async function readParts(
  scope: Scope,
  place: { readonly files: Files; readonly sluiceRoot: string },
  findings: Findings,
): Promise<Parts> {
  const wires = new Map<StageDraft, StageWires>();
  const params = new Map<StageDraft, StageParams>();
  for (const stage of allStages(scope)) {
    wires.set(stage, readWires(stage, findings));
    params.set(stage, await readParams(stage, place, findings));
  }
  return { wires, params };
}

interface Assembly {
  readonly path: string;
  readonly absolutePath: string;
  readonly header: Header;
  readonly scope: Scope;
  readonly layers: Layers;
  readonly parts: Parts;
}

function assemble(all: Assembly, findings: Findings): ResolvedPipeline {
  const { path, absolutePath, header, scope, layers, parts } = all;
  const order = orderAll(scope, parts, findings);
  const stages = resolvedStages(scope, order, parts, findings);
  const checks = [...header.checks, ...gatesOf(stages, header.checks)];
  let values: ResolvedPipeline["values"] | undefined;
  return {
    path,
    absolutePath,
    format: 1,
    ...header,
    checks,
    stages,
    sources: layers.sources,
    files: layers.files,
    get values() {
      return values ??= resolvedValues(layers.root, stages);
    },
  };
}

type Order = ReadonlyMap<Scope, readonly StageDraft[]>;

function orderAll(scope: Scope, parts: Parts, findings: Findings): Order {
  const inner = [...allStages(scope)].flatMap((stage) => stage.loop ? [stage.loop.scope] : []);
  const ordered = [scope, ...inner].map((one) =>
    [one, orderStages(one, parts.wires, findings)] as const
  );
  return new Map(ordered);
}

function resolvedStages(
  scope: Scope,
  order: Order,
  parts: Parts,
  findings: Findings,
): readonly ResolvedStage[] {
  return order.get(scope)!.filter((draft) => isSound(draft, parts))
    .map((draft) => resolvedStage(draft, order, parts, findings));
}

function isSound(draft: StageDraft, { params, wires }: Parts): boolean {
  const { declaration } = draft;
  if (!declaration || params.get(draft)!.isWrong) return false;
  const given = wires.get(draft)!.inputs;
  return Object.entries(declaration.inputs).every(([name, { optional }]) =>
    given[name] !== undefined || optional && !draft.inputs.has(name)
  );
}

function resolvedStage(
  draft: StageDraft,
  order: Order,
  parts: Parts,
  findings: Findings,
): ResolvedStage {
  const { inputs, wired } = parts.wires.get(draft)!;
  const { every, retries, timeout, resources } = draft.common;
  return {
    name: draft.name,
    kind: draft.kind!.written,
    kindPath: draft.kindPath,
    declaration: draft.declaration!,
    ...parts.params.get(draft)!,
    inputs,
    wired,
    every,
    retries,
    timeout,
    resources,
    loop: resolvedLoop(draft, order, parts, findings),
    get span() {
      return spanOfNode(draft.node, "key");
    },
    placeOf: (param) => placeOf(draft, param),
  };
}

/** A text or number is shown, of a table the key. */
function placeOf({ node }: StageDraft, param: Path): Span | undefined {
  for (let length = param.length; length > 0; length--) {
    const found = nodeAt(node, param.slice(0, length));
    if (found) return spanOfNode(found, found.kind === "scalar" ? "value" : "key");
  }
  return spanOfNode(node, "key");
}

function resolvedLoop(
  draft: StageDraft,
  order: Order,
  parts: Parts,
  findings: Findings,
): ResolvedLoop | undefined {
  if (!draft.loop) return undefined;
  const { state, next } = parts.wires.get(draft)!;
  const params = parts.params.get(draft)!.params as z.output<typeof loopParams>;
  const loop: ResolvedLoop = {
    steps: params.steps,
    checkpointEvery: params.checkpoint_every,
    ...(params.keep_every !== undefined && { keepEvery: params.keep_every }),
    ...(params.best && { best: params.best }),
    staleness: params.staleness,
    state,
    next,
    stages: resolvedStages(draft.loop.scope, order, parts, findings),
  };
  checkBest(draft.name, loop, placeOf(draft, ["best", "of"]), findings);
  checkStaleness(draft.name, loop, placeOf(draft, ["staleness"]), findings);
  return loop;
}
