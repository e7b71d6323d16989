/** Gives each stage the declaration of its kind: built in, loaded by path, or the loop's own. */
import { InputError, MissingPartError } from "../../base/diagnostic.ts";
import { nearest } from "../../base/nearest.ts";
import { type Files, missingFile, resolveWritten } from "../toml/files.ts";
import { describeValue } from "../toml/json_schema.ts";
import { plainValue, spanOfNode } from "../toml/located.ts";
import type { StageSignature } from "../contract/stage.ts";
import {
  type CheckedDeclaration,
  declarationFromJson,
  declarationOf,
  type StageKindDeclaration,
} from "./declaration.ts";
import { loopKind, loopParams, loopSignature, type Scope, type StageDraft } from "./draft.ts";
import { type Findings, suggest } from "./findings.ts";

interface KindSources {
  readonly kinds: ReadonlyMap<string, StageSignature>;
  /** Reads the declaration of the module at an absolute path; absent where none may be loaded. */
  readonly loadKind?: (path: string) => Promise<StageKindDeclaration>;
  readonly sluiceRoot: string;
  readonly files: Files;
}

/** All stages of a scope and of the loops in it, outer ones first. */
export function* allStages(scope: Scope): Generator<StageDraft> {
  for (const stage of scope.stages.values()) {
    yield stage;
    if (stage.loop) yield* allStages(stage.loop.scope);
  }
}

/** Fills in `declaration` and `kindPath`; unknown kinds go to `findings`. */
export async function declareKinds(
  scope: Scope,
  sources: KindSources,
  findings: Findings,
): Promise<void> {
  const builtIn = new Map<string, CheckedDeclaration>();
  const loader = new KindLoader(sources, findings);
  for (const stage of allStages(scope)) {
    if (stage.loop) stage.declaration = loopDeclaration;
    else if (stage.kind?.isPath) await loader.declare(stage);
    else declareBuiltIn(stage, sources.kinds, builtIn, findings);
  }
}

const loopDeclaration: CheckedDeclaration = declarationOf({ ...loopSignature, params: loopParams });

function declareBuiltIn(
  stage: StageDraft,
  kinds: ReadonlyMap<string, StageSignature>,
  cache: Map<string, CheckedDeclaration>,
  findings: Findings,
): void {
  const name = stage.kind?.written;
  const found = name === undefined ? undefined : kinds.get(name);
  if (!found || name === undefined) return unknownKind(stage, [...kinds.keys()], findings);
  const declaration = cache.get(name) ?? declarationOf(found);
  cache.set(name, declaration);
  stage.declaration = declaration;
}

function unknownKind(stage: StageDraft, kinds: readonly string[], findings: Findings): void {
  const what = `Cannot read stage "${stage.name}"`;
  const known = [...kinds, loopKind].sort();
  const node = stage.node.entries.get("kind");
  if (!node) {
    const hint = `add kind = "…", one of ${known.join(", ")}, or the path of a module`;
    findings.add("toml/missing-key", `${what}: missing key "kind"`, placeOf(stage), hint);
  } else if (!stage.kind) {
    const message = `${what}: kind is ${describeValue(plainValue(node))}, wanted text`;
    findings.add(
      "toml/wrong-value",
      message,
      spanOfNode(node),
      suggest(undefined, "Known kinds", known),
    );
  } else {
    const { written } = stage.kind;
    const hint = /\.m?[tj]s$/.test(written)
      ? `a path begins with "./": kind = "./${written}"`
      : suggest(nearest(written, known), "Known kinds", known);
    findings.add(
      "pipeline/unknown-kind",
      `${what}: unknown kind "${written}"`,
      spanOfNode(node),
      hint,
    );
  }
}

function placeOf(stage: StageDraft) {
  return spanOfNode(stage.node, "key");
}

/** Loads each module once, whatever the number of stages that name it. */
class KindLoader {
  readonly #loaded = new Map<string, Promise<CheckedDeclaration>>();

  constructor(readonly sources: KindSources, readonly findings: Findings) {}

  async declare(stage: StageDraft): Promise<void> {
    const { files, loadKind, sluiceRoot } = this.sources;
    const { written, node } = stage.kind!;
    const path = resolveWritten(written, node.origin.folder, sluiceRoot);
    const what = `Cannot read stage "${stage.name}"`;
    if (!(await files.exists(path))) {
      this.findings.push(await missingFile(what, written, path, spanOfNode(node), files));
    } else if (!loadKind) {
      const message = `${what}: kinds named by path cannot be loaded here`;
      this.findings.add("kind/unreadable", message, spanOfNode(node));
    } else {
      await this.#load(stage, path, loadKind);
    }
  }

  async #load(
    stage: StageDraft,
    path: string,
    loadKind: NonNullable<KindSources["loadKind"]>,
  ): Promise<void> {
    const loading = this.#loaded.get(path) ?? loadKind(path).then(declarationFromJson);
    this.#loaded.set(path, loading);
    try {
      stage.declaration = await loading;
      stage.kindPath = path;
    } catch (error) {
      if (error instanceof InputError) return this.#pass(stage, error);
      if (error instanceof MissingPartError) throw error;
      const reason = error instanceof Error ? error.message : `${error}`;
      const message = `Cannot read stage "${stage.name}": its kind cannot be read: ${reason}`;
      const hint = "the module's default export is made by defineStage";
      this.findings.add("kind/unreadable", message, spanOfNode(stage.kind!.node), hint);
    }
  }

  #pass(stage: StageDraft, error: InputError): void {
    const span = spanOfNode(stage.kind!.node);
    this.findings.push(...error.diagnostics.map((d) => ({ ...d, span: d.span ?? span })));
  }
}
