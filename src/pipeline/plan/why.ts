/** Why stages of finished runs ran, and differences between two runs, from their records alone. */
import { join } from "node:path";
import type { Json } from "../../base/canonical_json.ts";
import { isRecord } from "../../base/record.ts";
import { readJsonFile } from "../process/json_file.ts";
import type { ResolvedValue } from "../read/resolved.ts";
import { FingerprintStore } from "../store/fingerprints.ts";
import { type RecordedStage, stagesIn } from "../store/run_stages.ts";
import { type ChangedPart, changedParts, type FingerprintParts } from "./fingerprint.ts";

/** A run as its folder has it. */
export interface RecordedRun {
  /** Name of its folder. */
  readonly runId: string;
  /** How it stands: `running`, `done`, `failed`, `interrupted`. */
  readonly status: string;
  /** Path of the pipeline file, relative to the project. */
  readonly pipeline: string;
  /** In the order of the plan; none before the run ended. */
  readonly stages: readonly RecordedStage[];
  /** Every value, with its file and line. */
  readonly values: readonly ResolvedValue[];
}

/**
 * Reads `run.json` and `pipeline.json` of a run; parts that cannot be read are left out.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { readRecordedRun } from "./why.ts";
 * assert.equal(typeof readRecordedRun("/nowhere", "01J"), "object");
 * ```
 */
export function readRecordedRun(projectRoot: string, runId: string): RecordedRun {
  const folder = join(projectRoot, "runs", runId);
  const run = readJsonFile(join(folder, "run.json"));
  const pipeline = readJsonFile(join(folder, "pipeline.json"));
  const { status = "unknown", pipeline: path = "" } = (isRecord(run) ? run : {}) as {
    status?: string;
    pipeline?: string;
  };
  const values = isRecord(pipeline) && Array.isArray(pipeline.values) ? pipeline.values : [];
  return { runId, status, pipeline: path, stages: stagesIn(run), values };
}

/** How a stage of one run stands to that of another. */
export interface StageDifference {
  /** Name in the runs. */
  readonly stage: string;
  /** `gone` where the record of its inputs was removed with the cache. */
  readonly kind: "same" | "changed" | "only-first" | "only-second" | "gone";
  /** Each change in words: `learning_rate 0.001 -> 0.003 (p.toml:12)`. */
  readonly changes: readonly string[];
}

/**
 * Compares stages of two runs by the inputs that their results depend on.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { compareRecorded } from "./why.ts";
 * const run = (fingerprint: string) => ({
 *   runId: fingerprint, status: "done", pipeline: "p.toml", values: [],
 *   stages: [{ stage: "train", fingerprint, kind: "train" }],
 * });
 * const [difference] = compareRecorded("/nowhere", run("a") as never, run("a") as never);
 * assert.equal(difference.kind, "same");
 * ```
 */
export function compareRecorded(
  projectRoot: string,
  first: RecordedRun,
  second: RecordedRun,
): StageDifference[] {
  const store = new FingerprintStore(projectRoot);
  const [before, now] = [first, second].map(({ stages }) =>
    new Map(stages.map((one) => [one.stage, one]))
  );
  const names = [...new Set([...now.keys(), ...before.keys()])];
  return names.map((stage): StageDifference => {
    const [a, b] = [before.get(stage), now.get(stage)];
    if (!a) return { stage, kind: "only-second", changes: [] };
    if (!b) return { stage, kind: "only-first", changes: [] };
    if (a.fingerprint && a.fingerprint === b.fingerprint) {
      return { stage, kind: "same", changes: [] };
    }
    const [old, fresh] = [a, b].map((one) => partsOf(store, one.fingerprint));
    if (!old || !fresh) return { stage, kind: "gone", changes: [] };
    const changes = changedParts(old, fresh).map((one) => inWords(stage, one, fresh, second));
    return { stage, kind: "changed", changes };
  });
}

function partsOf(store: FingerprintStore, fingerprint?: string): FingerprintParts | undefined {
  const meta = fingerprint === undefined ? undefined : store.get(fingerprint)?.meta;
  return isRecord(meta) && isRecord(meta.parts) ? meta.parts as FingerprintParts : undefined;
}

/** A change as a plan would print it, from the names that the parts themselves have. */
function inWords(
  stage: string,
  { path, before, now }: ChangedPart,
  parts: FingerprintParts,
  run: RecordedRun,
): string {
  if (path === "modules") return "its code changed";
  const { unit, part } = unitOf(path, parts);
  const input = /^(?:inputs|state|wired\.(?:.*\*\.)?[^.]*)\.(.*)\.artifact$/.exec(part);
  if (input) return `input "${unit}${input[1]}" changed`;
  const file = /^params\.(.*)\.content$/.exec(part);
  if (file) return `file "${unit}${file[1]}" changed`;
  const name = part.replace(/^params\./, "");
  const inFile = stage.replace(/\[[^\]]*\]$/, "");
  const place = `stages.${inFile}.${unit && `stages.${unit}`}${name}`;
  const found = run.values.find((value) => value.path === place);
  const where = found?.file && found.line ? ` (${found.file}:${found.line})` : "";
  return `${unit}${name} ${show(before)} -> ${show(now)}${where}`;
}

function unitOf(path: string, parts: FingerprintParts): { unit: string; part: string } {
  const inner = /^loop\.stages\.([0-9]+)\.(.*)$/.exec(path);
  if (!inner) return { unit: "", part: path.replace(/^loop\./, "") };
  const { stages } = parts.loop as { stages?: readonly { name?: string }[] };
  const name = stages?.[Number(inner[1])]?.name ?? inner[1];
  return { unit: `${name.slice(name.lastIndexOf(".") + 1)}.`, part: inner[2] };
}

function show(value: Json | undefined): string {
  return value === undefined ? "(absent)" : JSON.stringify(value);
}
