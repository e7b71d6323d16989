/** Lines of a memo: one execution each, with a checksum against damage and a seal against forgery. */
import { sha256 } from "../../base/digest.ts";
import { isRecord } from "../../base/record.ts";
import { sandboxLevels } from "../../base/sandbox_level.ts";
import { isSealed, keyIdLength, type Sealer, sealLength } from "../../base/seal.ts";
import { isSettled } from "../../engine/score/execution/mod.ts";
import { decodeExecution, encodeExecution } from "../execution_json.ts";
import type { ExecutionOutcome } from "../worker_process.ts";
import { agreesWithParts } from "./totals.ts";

/** Version in the first line of every file; a greater number is a newer format. */
export const formatVersion = 1;

const checksumLength = 16;
const keyAt = checksumLength + 1;
const sealAt = keyAt + keyIdLength + 1;
const jsonAt = sealAt + sealLength + 1;
/** A line's JSON begins with the program's hash, so that an index needs no parser. */
const jsonStart = '{"text":"';
const hashAt = jsonAt + jsonStart.length;

/** Hexadecimal digits of the hash by which a program is known. */
export const hashLength = 64;

/** Bytes of a line that are enough for `hashIn`. */
export const beginningBytes = hashAt + hashLength;

/** The first line of a file. */
export function headerLine(): string {
  return `sluice-memo ${formatVersion}\n`;
}

/** The version of the format that a first line names; undefined if it is none. */
export function versionOf(line: string): number | undefined {
  const [, version] = /^sluice-memo (\d{1,9})$/.exec(line) ?? [];
  return version === undefined ? undefined : Number(version);
}

/**
 * `"<16 digits of the SHA-256 of the rest> <key> <seal> <JSON>\n"`. The seal is over the memo's
 * name too: an entry that is moved to other data, or another engine, is no entry of theirs.
 */
export function encodeLine(
  memo: string,
  hash: string,
  outcome: ExecutionOutcome,
  sealer: Sealer,
): string {
  const json = JSON.stringify({
    text: hash,
    ...outcome,
    execution: encodeExecution(outcome.execution),
  });
  const rest = `${sealer.keyId} ${sealer.seal(`${memo}\n${json}`)} ${json}`;
  return `${sha256(rest).slice(0, checksumLength)} ${rest}\n`;
}

/** The hash that a line seems to be about, before anything is verified. */
export function hashIn(line: string): string | undefined {
  const hash = line.slice(hashAt, hashAt + hashLength);
  const isHash = /^[0-9a-f]{64}$/.test(hash) && line.startsWith(jsonStart, jsonAt);
  return isHash ? hash : undefined;
}

/** Content of a line. */
type LineRead =
  | { readonly kind: "entry"; readonly outcome: ExecutionOutcome }
  /** Sealed by a key that is not trusted. */
  | { readonly kind: "foreign"; readonly keyId: string }
  | { readonly kind: "damaged" };

/**
 * Reads the line of a program; rejects one that is not sealed by one of these keys, or whose parts
 * do not make up its totals.
 */
export function readLine(
  line: string,
  { memo, hash, keys }: {
    readonly memo: string;
    readonly hash: string;
    readonly keys: ReadonlySet<string>;
  },
): LineRead {
  const damaged: LineRead = { kind: "damaged" };
  const rest = line.slice(keyAt);
  if (sha256(rest).slice(0, checksumLength) !== line.slice(0, checksumLength)) return damaged;
  const keyId = line.slice(keyAt, keyAt + keyIdLength);
  if (!keys.has(keyId)) return { kind: "foreign", keyId };
  const [seal, json] = [line.slice(sealAt, sealAt + sealLength), line.slice(jsonAt)];
  if (!isSealed(`${memo}\n${json}`, seal, keyId)) return damaged;
  const outcome = readOutcome(JSON.parse(json), hash);
  return outcome ? { kind: "entry", outcome } : damaged;
}

/** The outcome in the JSON of an entry, if it is that of this program and adds up. */
function readOutcome(value: unknown, hash: string): ExecutionOutcome | undefined {
  if (!isRecord(value) || value.text !== hash) return undefined;
  const execution = decodeExecution(value.execution);
  const level = sandboxLevels.find((name) => name === value.level);
  if (!execution || !level || typeof value.wallMs !== "number") return undefined;
  if (!isSettled(execution.status)) return undefined;
  if (execution.score && !agreesWithParts(execution.score)) return undefined;
  const [cpuMs, maxRssKib] = [optional(value.cpuMs), optional(value.maxRssKib)];
  const attestation = typeof value.attestation === "string" && { attestation: value.attestation };
  return { execution, wallMs: value.wallMs, cpuMs, maxRssKib, level, ...attestation };
}

function optional(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
