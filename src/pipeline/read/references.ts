/** Looks up what a wire refers to: `stage.port`, `stage`, or `state.name` inside a loop. */
import { nearest } from "../../base/nearest.ts";
import { earlierPrefix } from "../store/earlier_output.ts";
import type { Located } from "../toml/located.ts";
import type { PortDeclarations } from "./declaration.ts";
import type { Scope, StageDraft } from "./draft.ts";
import { suggest } from "./findings.ts";
import type { Wire } from "./resolved.ts";

/** Target of a reference. A wire without a type leads to a stage or port that is itself faulty. */
type Reference =
  | { readonly kind: "wire"; readonly wire: Wire; readonly target?: StageDraft }
  | { readonly kind: "untyped"; readonly target?: StageDraft }
  | {
    readonly kind: "error";
    readonly code: string;
    readonly reason: string;
    readonly hint?: string;
  };

/** Referrer: a stage (or none, for the `next` of a loop), seen from a scope. */
export interface Referrer {
  readonly scope: Scope;
  readonly self?: StageDraft;
}

/** The text of a wire. */
export function wireText(node: Located): string {
  return node.kind === "scalar" ? `${node.value}` : "";
}

/** Resolves a reference without reporting anything. */
export function resolveReference(
  text: string,
  from: Referrer,
  open: ReadonlySet<string> = new Set(),
): Reference {
  if (text.startsWith(earlierPrefix)) return earlierReference(text, from.scope);
  const [first, ...rest] = text.split(".");
  if (first === "state") return stateReference(rest.join("."), from, open);
  const target = findStage(first, from.scope);
  if (!target) return unknownStage(first, from);
  if (target === from.self) return ownOutput(target);
  if (isAround(target, from.scope)) return loopFromInside(target, rest[0]);
  if (rest.length > 1) return tooDeep(text, target);
  if (!target.declaration) return { kind: "untyped", target };
  return portReference(target, rest[0], outputTypes(target, open));
}

/** An output of an earlier run, `run:ID/stage.port`. */
function earlierReference(text: string, scope: Scope): Reference {
  let top = scope;
  while (top.outer) top = top.outer;
  const code = "pipeline/earlier-run";
  const found = top.earlier?.(text);
  if (!found) {
    return { kind: "error", code, reason: "runs can be named only in the file of a project" };
  }
  if ("reason" in found) return { kind: "error", code, ...found };
  return { kind: "wire", wire: { ...found, scope: "stage" } };
}

/** Output ports and their types; a loop's are what it hands on. */
function outputTypes(
  stage: StageDraft,
  open: ReadonlySet<string>,
): Map<string, string | undefined> {
  if (!stage.loop) return portTypes(stage.declaration!.outputs);
  const { next, scope } = stage.loop;
  const entries = [...next].map(([name, node]) => {
    const mark = `${stage.name} next ${name}`;
    if (open.has(mark)) return [name, undefined] as const;
    const found = resolveReference(wireText(node), { scope }, new Set([...open, mark]));
    return [name, found.kind === "wire" ? found.wire.type : undefined] as const;
  });
  return new Map(entries);
}

function portTypes(ports: PortDeclarations): Map<string, string> {
  return new Map(Object.entries(ports).map(([name, { type }]) => [name, type]));
}

/** Names of the output ports of a stage. */
function outputNames(stage: StageDraft): readonly string[] {
  return stage.loop ? [...stage.loop.next.keys()] : Object.keys(stage.declaration?.outputs ?? {});
}

function portReference(
  target: StageDraft,
  port: string | undefined,
  types: ReadonlyMap<string, string | undefined>,
): Reference {
  const names = [...types.keys()];
  const only = names.length === 1 ? names[0] : undefined;
  const name = port ?? only;
  if (name === undefined) {
    const code = "pipeline/unknown-port";
    if (names.length === 0) {
      return { kind: "error", code, reason: `"${target.name}" has no outputs` };
    }
    const reason = `"${target.shortName}" has ${names.length} outputs`;
    const options = names.map((n) => `"${target.shortName}.${n}"`).join(" or ");
    return { kind: "error", code, reason, hint: `write ${options}` };
  }
  if (!types.has(name)) return unknownPort(target, name, names);
  const type = types.get(name);
  if (type === undefined) return { kind: "untyped", target };
  return { kind: "wire", wire: { stage: target.name, port: name, scope: "stage", type }, target };
}

function unknownPort(target: StageDraft, name: string, names: readonly string[]): Reference {
  return {
    kind: "error",
    code: "pipeline/unknown-port",
    reason: `stage "${target.name}" has no output "${name}"`,
    hint: suggest(nearest(name, names), "Its outputs", names),
  };
}

function stateReference(name: string, from: Referrer, open: ReadonlySet<string>): Reference {
  const loop = from.scope.loop;
  const code = "pipeline/unknown-state";
  if (!loop?.loop) {
    const reason = '"state" exists only inside a loop';
    return { kind: "error", code, reason, hint: "write the name of a stage" };
  }
  const node = loop.loop.state.get(name);
  if (!node) {
    const names = [...loop.loop.state.keys()];
    const reason = `loop "${loop.name}" has no state "${name}"`;
    return { kind: "error", code, reason, hint: suggest(nearest(name, names), "Its state", names) };
  }
  const mark = `${loop.name} state ${name}`;
  if (open.has(mark)) return { kind: "untyped" };
  const outside: Referrer = { scope: loop.scope, self: loop };
  const found = resolveReference(wireText(node), outside, new Set([...open, mark]));
  if (found.kind !== "wire") return { kind: "untyped" };
  const wire: Wire = { stage: loop.name, port: name, scope: "state", type: found.wire.type };
  return { kind: "wire", wire, target: loop };
}

function findStage(name: string, scope: Scope): StageDraft | undefined {
  for (let here: Scope | undefined = scope; here; here = here.outer) {
    const found = here.stages.get(name);
    if (found) return found;
  }
}

const inSight = new WeakMap<Scope, readonly StageDraft[]>();

/**
 * Every stage that can be named from a scope, inner ones first, without loops around it. Scopes are
 * complete before the first wire is read, so each is looked through once.
 */
function visibleStages(scope: Scope): readonly StageDraft[] {
  const known = inSight.get(scope) ?? stagesInSight(scope);
  inSight.set(scope, known);
  return known;
}

function stagesInSight(scope: Scope): StageDraft[] {
  const found: StageDraft[] = [];
  for (let here: Scope | undefined = scope; here; here = here.outer) {
    found.push(...[...here.stages.values()].filter((stage) => !isAround(stage, scope)));
  }
  return found;
}

const givers = new WeakMap<Scope, readonly Giver[]>();

/** An output in sight: how a wire names it, and what it gives. */
interface Giver {
  readonly stage: StageDraft;
  readonly text: string;
  readonly type: string;
}

/** The outputs of the visible stages that have a type. */
export function visibleOutputs(scope: Scope): readonly Giver[] {
  const known = givers.get(scope) ?? visibleStages(scope).flatMap((s) => outputsOf(s, scope));
  givers.set(scope, known);
  return known;
}

function outputsOf(stage: StageDraft, scope: Scope): Giver[] {
  const names = outputNames(stage);
  return names.flatMap((port) => {
    const text = names.length === 1 ? stage.shortName : `${stage.shortName}.${port}`;
    const found = resolveReference(text, { scope });
    return found.kind === "wire" ? [{ stage, text, type: found.wire.type }] : [];
  });
}

function isAround(stage: StageDraft, scope: Scope): boolean {
  for (let here: Scope | undefined = scope; here; here = here.outer) {
    if (here.loop?.name === stage.name) return true;
  }
  return false;
}

function unknownStage(name: string, { scope, self }: Referrer): Reference {
  const others = visibleStages(scope).filter((stage) => stage !== self);
  const known = others.map((stage) => stage.shortName);
  if (scope.loop?.loop) known.unshift("state");
  const near = nearest(name, known);
  const shown = known.length > 12 ? [...known.slice(0, 12), "…"] : known;
  const hint = suggest(near, "Known stages", shown);
  return {
    kind: "error",
    code: "pipeline/unknown-stage",
    reason: `there is no stage "${name}"`,
    hint,
  };
}

function ownOutput(stage: StageDraft): Reference {
  const reason = "that is an output of the stage itself";
  const hint = stage.loop ? "start from a stage outside the loop" : "wire it to another stage";
  return { kind: "error", code: "pipeline/self-reference", reason, hint };
}

function loopFromInside(loop: StageDraft, port = "name"): Reference {
  const reason = "that is what leaves the loop that this stage is in";
  const hint = `write "state.${port}" for what flows into the step`;
  return { kind: "error", code: "pipeline/self-reference", reason, hint: loop.loop && hint };
}

function tooDeep(text: string, target: StageDraft): Reference {
  const code = "pipeline/unknown-port";
  const names = outputNames(target);
  if (!target.loop) {
    const hint = suggest(undefined, "Its outputs", names);
    return { kind: "error", code, reason: 'that is not of the form "stage.port"', hint };
  }
  const last = text.split(".").at(-1);
  const reason = `that is inside the loop "${target.name}"`;
  const hint = `hand it on with next = { ${last} = "${text.split(".").slice(1).join(".")}" } ` +
    `and write "${target.shortName}.${last}"`;
  return { kind: "error", code, reason, hint };
}
