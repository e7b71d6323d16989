/** Servers as they answered when they were first met: one that answers otherwise is another model. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { explainWrites, writeAtomic } from "../../base/atomic.ts";
import { digestOf } from "../../base/digest.ts";
import { readRegularText } from "../../base/regular_file.ts";
import { JsonSeals } from "../../base/sealed_json.ts";
import type { ServerIdentity } from "../oracle.ts";

/** Least tolerance of answers to the trial against those of the first time, nats a token: batches differ. */
const leastTolerance = 2e-2;

/** Address of a server, its model, and the tokenizer of the ids that it is sent. */
interface ServedModel {
  readonly url: string;
  readonly model: string;
  /** SHA-256 of the tokenizer of the project. */
  readonly tokenizer: string;
}

/** The identity of a server, and the tolerance of equal calls. */
interface SaidIdentity {
  readonly identity: ServerIdentity;
  readonly tolerance: number;
}

/**
 * Whether two sets of answers are one model's.
 *
 * @param tolerance Of the oracle, nats by which calls that ask the same may differ.
 */
export function isSameServer(a: ServerIdentity, b: ServerIdentity, tolerance: number): boolean {
  const most = Math.max(leastTolerance, tolerance);
  return a.version === b.version && a.trial.length === b.trial.length &&
    a.trial.every((one, i) => Math.abs(one - b.trial[i]) <= most);
}

/**
 * The digest by which the answers of a server are kept: URL, served name, version, and its answer to
 * a fixed text. Within the tolerance it is the digest of the first time; another version or other
 * answers make another digest, so that no answer of one model is used for another.
 *
 * @param root Folder that holds `.sluice`.
 */
export function digestOfServer(
  root: string,
  served: ServedModel,
  { identity, tolerance }: SaidIdentity,
): string {
  const { version, trial } = identity;
  const own = digestOf({ ...served, version, trial: [...trial] });
  const known = knownOf(root, served);
  const same = known.find((one) => isSameServer(one.identity, identity, tolerance));
  if (same) return same.digest;
  keep(root, served, [...known, { digest: own, identity }]);
  return own;
}

interface Known {
  readonly digest: string;
  readonly identity: ServerIdentity;
}

function fileOf(root: string, served: ServedModel): string {
  return join(root, ".sluice", "oracle", `server-${digestOf({ ...served }).slice(0, 32)}.json`);
}

/** Known identities of this URL and name; a file that others wrote, or that is no JSON, counts as absent. */
function knownOf(root: string, served: ServedModel): Known[] {
  const file = fileOf(root, served);
  if (!existsSync(file)) return [];
  try {
    const value: unknown = JSON.parse(readRegularText(file, 1 << 20));
    const opened = new JsonSeals(root).open(file.slice(root.length), value);
    return (opened?.known ?? []) as Known[];
  } catch {
    return [];
  }
}

function keep(root: string, served: ServedModel, known: readonly Known[]): void {
  const file = fileOf(root, served);
  explainWrites(file, () => mkdirSync(join(root, ".sluice", "oracle"), { recursive: true }));
  const sealed = new JsonSeals(root).seal(file.slice(root.length), { known });
  writeAtomic(file, `${JSON.stringify(sealed)}\n`);
}
