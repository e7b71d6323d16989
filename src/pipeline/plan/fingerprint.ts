/** Fingerprints: everything that the outputs of a stage depend on, as JSON, and its digest. */
import type { Json } from "../../base/canonical_json.ts";
import { digestOf, sha256 } from "../../base/digest.ts";
import { modelsNamed } from "../contract/model_param.ts";
import { parsePath } from "../toml/path.ts";
import type { ResolvedStage, Wire, Wires } from "../read/resolved.ts";

/** Raised when the meaning of a fingerprint, or of what is kept under it, changes. */
const epoch = 1;

/** Facts that a fingerprint needs beside the stage itself. */
export interface FingerprintFacts {
  /** Digest of the module graph of the stage's entry: kinds, plug-ins and host. */
  readonly modules: string;
  /** The stream key of everything random. */
  readonly seed: number;
  /** Digest of each artifact that flows in, by `stage.port`. */
  readonly artifacts: ReadonlyMap<string, string>;
  /** Digest of a service that the stage asks. */
  readonly service: (name: string) => string;
  /** Tensor backend and kernels, for stages whose bits depend on them. */
  readonly tensors: Json;
  readonly fileDigest: (path: string) => string;
  /** Digest of a language model of the project. */
  readonly modelDigest: (name: string) => string;
  /** Where a loop goes on from: a state of another run. */
  readonly continued?: Json;
  /** Value of a declared variable of the environment. */
  readonly variable: (name: string) => string | undefined;
}

/** Content that a fingerprint is the digest of; kept beside it so that changes can be named. */
export type FingerprintParts = Readonly<Record<string, Json>>;

/**
 * Everything that the outputs and rows of a stage depend on. Not in it: timeouts, retries, how
 * often a checkpoint is written, log level, and the place of the project on disk; nor the name of a
 * stage that draws no random numbers: its rows get the name that a run has for it.
 */
export function fingerprintParts(stage: ResolvedStage, facts: FingerprintFacts): FingerprintParts {
  const units = [stage, ...stage.loop?.stages ?? []];
  const named = stage.loop !== undefined || stage.declaration.random === true;
  const { name, ...unnamed } = unitParts(stage, facts);
  return drop({
    epoch,
    ...unnamed,
    name: named ? name : undefined,
    modules: facts.modules,
    seed: units.some(({ declaration }) => declaration.random) ? facts.seed : undefined,
    services: servicesPart(stage, facts),
    tensors: units.some(({ declaration }) => declaration.tensors) ? facts.tensors : undefined,
    models: modelsPart(stage, facts),
    loop: stage.loop && loopParts(stage, facts),
    continued: facts.continued,
  });
}

/** Digests of the language models that the stage names. */
function modelsPart(stage: ResolvedStage, { modelDigest }: FingerprintFacts): Json | undefined {
  const names = modelsNamed(stage);
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map((name) => [name, modelDigest(name)]));
}

/** SHA-256 of the canonical JSON of the parts. */
export function fingerprintOf(parts: FingerprintParts): string {
  return digestOf(parts);
}

/** The services that a stage, or the stages of a loop, may ask. */
export function servicesOf(stage: ResolvedStage): ReadonlySet<string> {
  const units = [stage, ...stage.loop?.stages ?? []];
  return new Set(units.flatMap(({ declaration }) => declaration.uses ?? []));
}

/** The services that values at the ports of a stage may ask, where the run has them. */
export function askedByValues(stage: ResolvedStage): ReadonlySet<string> {
  const units = [stage, ...stage.loop?.stages ?? []];
  const ports = units.flatMap(({ declaration: { inputs, outputs } }) => [
    ...Object.values(inputs),
    ...Object.values(outputs),
  ]);
  return new Set(ports.flatMap(({ asks }) => asks === undefined ? [] : [asks]));
}

function servicesPart(stage: ResolvedStage, { service }: FingerprintFacts): Json | undefined {
  const names = [...servicesOf(stage)].sort();
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map((name) => [name, service(name)]));
}

/** The name is a part because random streams are keyed by it, and wires of a loop lead to it. */
function unitParts(unit: ResolvedStage, facts: FingerprintFacts): FingerprintParts {
  const { declaration } = unit;
  const { env = [], ...permissions } = declaration.permissions ?? {};
  return drop({
    name: unit.instance?.of ?? unit.name,
    kind: unit.kindPath ? { content: facts.fileDigest(unit.kindPath) } : declaration.kind,
    version: declaration.version,
    params: unit.loop ? undefined : paramsByContent(unit, facts.fileDigest),
    inputs: wireParts(unit.inputs, facts),
    wired: mapValues(unit.wired, (wires) => wireParts(wires, facts)),
    permissions: permissions as Json,
    environment: Object.fromEntries(env.map((name) => [name, digestOfVariable(facts, name)])),
    every: unit.every,
  });
}

function loopParts({ loop }: ResolvedStage, facts: FingerprintFacts): Json {
  const { steps, best, staleness, state, next, stages } = loop!;
  return {
    steps,
    ...(best && { best: { of: best.of, want: best.want } }),
    ...(staleness > 0 && { staleness }),
    state: wireParts(state, facts),
    next: wireParts(next, facts),
    stages: stages.map((stage) => unitParts(stage, facts)),
  };
}

/** Wires from outside by the digest of their artifact; wires inside a loop by name. */
function wireParts(wires: Wires, { artifacts }: FingerprintFacts): Json {
  return mapValues(wires, (wire) => {
    const artifact = wire.scope === "stage" ? artifacts.get(wireKey(wire)) : undefined;
    return artifact ? { artifact } : { [wire.scope]: wireKey(wire) };
  });
}

/** `stage.port`. */
export function wireKey(wire: Wire): string {
  return `${wire.stage}.${wire.port}`;
}

/** Wires of a stage, and of its inner stages, that come from other top-level stages. */
export function outsideWires(stage: ResolvedStage): Wire[] {
  const inner = new Set(stage.loop?.stages.map(({ name }) => name));
  const units = [stage, ...stage.loop?.stages ?? []];
  const all = units.flatMap((unit) => [unit.inputs, ...Object.values(unit.wired)]);
  const loops = stage.loop ? [stage.loop.state, stage.loop.next] : [];
  return [...all, ...loops]
    .flatMap((wires) => Object.values(wires))
    .filter((wire) => wire.scope === "stage" && !inner.has(wire.stage));
}

/** Parameters as written, each file or module replaced by the digest of its content. */
function paramsByContent(unit: ResolvedStage, digest: (path: string) => string): Json {
  const params = copied(withoutWired(unit));
  for (const { param, path } of [...unit.files, ...unit.modules]) {
    setAt(params, param, { content: digest(path) });
  }
  return params as Json;
}

/** Parameters as written, each file or module as an absolute path, as the process gets them. */
export function paramsByPath(unit: ResolvedStage): unknown {
  const params = copied(withoutWired(unit));
  for (const { param, path } of [...unit.files, ...unit.modules]) setAt(params, param, path);
  return params;
}

function withoutWired(unit: ResolvedStage): Record<string, Json> {
  const entries = Object.entries(unit.rawParams).filter(([key]) => !(key in unit.wired));
  return Object.fromEntries(entries);
}

/** JSON whose objects and lists are new: as `structuredClone`, which takes ten times as long. */
function copied<T extends Json>(value: T): T;
function copied(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copied);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copied(one)]));
}

function setAt(root: unknown, dotted: string, value: unknown): void {
  const parsed = parsePath(dotted);
  if (parsed.kind === "error") throw new Error(`internal: ${dotted}: ${parsed.message}`);
  const names = parsed.parts.map(({ name }) => name);
  const last = names.pop()!;
  const parent = names.reduce((at, name) => at[name] as Tree, root as Tree);
  parent[last] = value;
}

type Tree = Record<string | number, unknown>;

function digestOfVariable({ variable }: FingerprintFacts, name: string): string | null {
  const value = variable(name);
  return value === undefined ? null : sha256(value);
}

function mapValues<T>(record: Readonly<Record<string, T>>, f: (value: T) => Json): Json {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, f(value)]));
}

function drop(parts: Readonly<Record<string, Json | undefined>>): FingerprintParts {
  return Object.fromEntries(
    Object.entries(parts).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
}

/** A part that differs between two fingerprints. */
export interface ChangedPart {
  /** Dotted: `params.learning_rate`. */
  readonly path: string;
  readonly before: Json | undefined;
  readonly now: Json | undefined;
}

/** Leaves in which two fingerprints differ, in the order of their paths. */
export function changedParts(before: FingerprintParts, now: FingerprintParts): ChangedPart[] {
  const [old, fresh] = [leaves(before), leaves(now)];
  const paths = [...new Set([...old.keys(), ...fresh.keys()])].sort();
  return paths
    .filter((path) => old.get(path) !== fresh.get(path))
    .map((path) => ({ path, before: old.get(path), now: fresh.get(path) }));
}

/** Values that hold no other, by their dotted paths. */
export function leaves(
  value: Json,
  path = "",
  found = new Map<string, Json>(),
): Map<string, Json> {
  if (typeof value !== "object" || value === null) return found.set(path, value);
  for (const [key, child] of Object.entries(value)) {
    leaves(child as Json, path ? `${path}.${key}` : key, found);
  }
  return found;
}
