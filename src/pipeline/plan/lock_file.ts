/** `<pipeline>.lock.json`, to be reviewed in git: kept up to date, or compared with its content. */
import { basename, dirname, join } from "node:path";
import type { Json } from "../../base/canonical_json.ts";
import { type Diagnostic, InputError, inputError } from "../../base/diagnostic.ts";
import { readIfThere, writeAtomic } from "../../base/atomic.ts";
import { isRecord } from "../../base/record.ts";
import type { Span } from "../../base/span.ts";
import { parsePath, type Path } from "../toml/path.ts";
import type { ResolvedPipeline, ResolvedStage } from "../read/resolved.ts";
import type { PipelineLock } from "./lock_content.ts";

/** `pipelines/dugongs.toml` has its lock in `pipelines/dugongs.lock.json`. */
function lockPath(pipelineFile: string): string {
  return join(dirname(pipelineFile), `${basename(pipelineFile).replace(/\.toml$/, "")}.lock.json`);
}

/** Findings that are reported at most. */
const mostTold = 20;

/**
 * Brings the lock file up to date; with `anew`, whatever stands there.
 *
 * @throws InputError `lock/would-change` with every difference and its place if it is frozen and
 * would change; `lock/unreadable` if it has conflict markers, or is frozen and no lock.
 */
export function updateLock(
  pipeline: ResolvedPipeline,
  lock: PipelineLock,
  frozen: boolean,
  anew = false,
): void {
  const path = lockPath(pipeline.absolutePath);
  const before = readLock(path, { frozen, anew });
  const text = JSON.stringify(lock, null, 2) + "\n";
  const changes = before ? differences(before, lock) : [];
  if (before?.format === 2 && changes.length === 0) return;
  if (!frozen) return writeAtomic(path, text);
  if (!before) {
    const hint = "run sluice lock, and commit the lock file";
    throw inputError(
      "lock/none",
      `Cannot keep ${path} frozen: there is no lock file`,
      undefined,
      hint,
    );
  }
  if (changes.length > 0) throw wouldChange(path, pipeline, changes);
}

/** A difference between a lock file and what is. */
interface Difference {
  /** Absent where it is about the whole pipeline. */
  readonly stage?: string;
  /** Dotted, within the stage: `values.params.steps`. */
  readonly path: string;
  readonly before: Json | undefined;
  readonly now: Json | undefined;
}

/** Lock files of format 1 held permissions alone, and are compared by those. */
type AnyLock = PipelineLock | {
  readonly format: 1;
  readonly stages: Readonly<Record<string, PipelineLock["stages"][string]["permissions"]>>;
};

function readLock(
  path: string,
  { frozen, anew }: { readonly frozen: boolean; readonly anew: boolean },
): AnyLock | undefined {
  const bytes = readIfThere(path);
  if (!bytes) return undefined;
  const text = new TextDecoder().decode(bytes);
  try {
    const value = JSON.parse(text);
    if (isRecord(value) && isRecord(value.stages)) return value as unknown as AnyLock;
  } catch {
    // reported below
  }
  if (anew) return undefined;
  const conflict = text.split("\n").findIndex((line) => /^(<{7}|={7}|>{7})/.test(line)) + 1;
  if (!frozen && conflict === 0) return undefined;
  const what = conflict > 0
    ? `it has conflict markers of a merge, the first at line ${conflict}`
    : "it is no lock file";
  const hint = "take either side, then run sluice lock to write it again";
  throw inputError("lock/unreadable", `Cannot read ${path}: ${what}`, undefined, hint);
}

/** Everything in which two locks differ, stage by stage. */
function differences(before: AnyLock, now: PipelineLock): Difference[] {
  const old = before.format === 1
    ? Object.fromEntries(
      Object.entries(before.stages).map(([name, permissions]) => [name, { permissions }]),
    )
    : before.stages;
  const parts = before.format === 1 ? ["permissions"] : ["values", "code", "permissions"];
  const stages = [...new Set([...Object.keys(old), ...Object.keys(now.stages)])].sort();
  const whole = before.format === 2 && before.sandbox !== now.sandbox
    ? [{ path: "sandbox", before: before.sandbox, now: now.sandbox }]
    : [];
  return [
    ...whole,
    ...stages.flatMap((stage) => stageDifferences(stage, old[stage], now.stages[stage], parts)),
  ];
}

function stageDifferences(
  stage: string,
  old: object | undefined,
  now: object | undefined,
  parts: readonly string[],
): Difference[] {
  if (!old || !now) {
    return [{ stage, path: "stage", before: old && "there", now: now && "there" }];
  }
  const table = (of: object, part: string) =>
    ((of as Record<string, unknown>)[part] ?? {}) as Readonly<Record<string, Json>>;
  return parts.flatMap((part) => {
    const [before, fresh] = [table(old, part), table(now, part)];
    const names = [...new Set([...Object.keys(before), ...Object.keys(fresh)])].sort();
    return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(fresh[name]))
      .map((name) => ({ stage, path: `${part}.${name}`, before: before[name], now: fresh[name] }));
  });
}

function wouldChange(
  path: string,
  pipeline: ResolvedPipeline,
  changes: readonly Difference[],
): InputError {
  const more = changes.length - mostTold;
  const hint = "run sluice lock, and commit the lock file if the change is meant";
  const last = (i: number) => i === Math.min(changes.length, mostTold) - 1;
  const findings = changes.slice(0, mostTold).map((change, i): Diagnostic => ({
    code: "lock/would-change",
    severity: "error",
    message: `Cannot keep ${path} frozen: ${inWords(change)}` +
      (last(i) && more > 0 ? `, and ${more} more` : ""),
    span: placeOf(change, pipeline),
    ...(last(i) && { hint }),
  }));
  return new InputError(findings, pipeline.sources);
}

function inWords({ stage, path, before, now }: Difference): string {
  const at = stage === undefined ? "" : `${stage}: `;
  if (path === "stage") return `${at}${now ? "a stage that it lacks" : "the stage is gone"}`;
  const [part, ...rest] = path.split(".");
  const name = rest.join(".");
  if (part === "code") return `${at}code ${name} ${changeOf(before, now)}`;
  if (part === "permissions") return `${at}${setChange(name, before, now)}`;
  const file = /^(?:loop\.stages\.\d+\.)?params\.(.*)\.content$/.exec(name);
  if (file) return `${at}file "${file[1]}" ${changeOf(before, now)}`;
  if (/(^|\.)kind\.content$/.test(name)) return `${at}the module of its kind changed`;
  return `${at}${name.replace(/^params\./, "") || path} ${show(before)} -> ${show(now)}`;
}

function changeOf(before: Json | undefined, now: Json | undefined): string {
  return before === undefined ? "is new" : now === undefined ? "is gone" : "changed";
}

/** `+ net example.org`. */
function setChange(name: string, before: Json | undefined, now: Json | undefined): string {
  const [old, fresh] = [before, now].map((one) => (Array.isArray(one) ? one : []).map(String));
  return [
    ...fresh.filter((one) => !old.includes(one)).map((one) => `+ ${name} ${one}`),
    ...old.filter((one) => !fresh.includes(one)).map((one) => `- ${name} ${one}`),
  ].join("; ");
}

function show(value: Json | undefined): string {
  return value === undefined ? "(absent)" : JSON.stringify(value);
}

/** Where the value of a difference is written: a parameter at its key, else the stage at its name. */
function placeOf({ stage, path }: Difference, { stages }: ResolvedPipeline): Span | undefined {
  const found = stages.find(({ name }) => name === stage);
  if (!found) return undefined;
  const inner = /^values\.loop\.stages\.(\d+)\.params\.(.*)$/.exec(path);
  const unit: ResolvedStage = (inner && found.loop?.stages[Number(inner[1])]) || found;
  const param = (inner?.[2] ?? /^values\.(?:params|loop)\.(.*)$/.exec(path)?.[1] ?? "")
    .replace(/\.content$/, "");
  return unit.placeOf?.(partsOfPath(param)) ?? unit.span;
}

function partsOfPath(dotted: string): Path {
  const parsed = parsePath(dotted);
  return parsed.kind === "error" ? [] : parsed.parts.map(({ name }) => name);
}
