/** Index from fingerprints to the digests of a stage's outputs and of its rows. */
import { join } from "node:path";
import { canonicalJson } from "../../base/canonical_json.ts";
import type { Json } from "../../base/canonical_json.ts";
import { readIfThere, writeAtomic } from "../../base/atomic.ts";
import { isRecord } from "../../base/record.ts";
import { JsonSeals } from "../../base/sealed_json.ts";

/** The record of a stage that was run to its end. */
interface FingerprintRecord {
  /** Port name to the digest of its artifact. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Table to the digest of its rows, as `RunStore.exportStage` gives them. */
  readonly rows?: Readonly<Record<string, string>>;
  /** Inputs of the fingerprint, so that a later plan can say what changed; and more. */
  readonly meta: Json;
}

/** A record of a fingerprint, or why it is not accepted. */
type Looked =
  | { readonly kind: "record"; readonly record: FingerprintRecord }
  | { readonly kind: "unbelieved"; readonly why: string };

/**
 * Records under `<root>/.sluice/fingerprints/<fingerprint>.json`, sealed by the user's key: a
 * forged record could claim any result of a stage.
 */
export class FingerprintStore {
  readonly #folder: string;
  readonly #seals: JsonSeals;

  constructor(root: string) {
    this.#folder = join(root, ".sluice", "fingerprints");
    this.#seals = new JsonSeals(root);
  }

  /** The record of a fingerprint; undefined if there is none that can be read and is accepted. */
  get(fingerprint: string): FingerprintRecord | undefined {
    const found = this.look(fingerprint);
    return found?.kind === "record" ? found.record : undefined;
  }

  /** The record of a fingerprint, or why it is not accepted; undefined if there is none. */
  look(fingerprint: string): Looked | undefined {
    const bytes = readIfThere(this.#path(fingerprint));
    if (!bytes) return undefined;
    const text = new TextDecoder().decode(bytes);
    const record = this.#read(fingerprint, text);
    return record ? { kind: "record", record } : { kind: "unbelieved", why: this.#why(text) };
  }

  #read(fingerprint: string, text: string): FingerprintRecord | undefined {
    try {
      return readRecord(this.#seals.open(fingerprint, JSON.parse(text)));
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  #why(text: string): string {
    const key = /"sealed_by":"([0-9a-f]{64})"/.exec(text)?.[1];
    const isForeign = key !== undefined && !this.#seals.trusts(key);
    const mend = isForeign ? `: "sluice trust add ${key}" believes its key` : ": it was altered";
    return `its record has no seal trusted here${mend}`;
  }

  /** Keeps a record; the last one written counts. */
  put(fingerprint: string, record: FingerprintRecord): void {
    const sealed = this.#seals.seal(fingerprint, { ...record });
    writeAtomic(this.#path(fingerprint), canonicalJson(sealed) + "\n");
  }

  #path(fingerprint: string): string {
    if (!/^[0-9a-f]{64}$/.test(fingerprint)) {
      throw new TypeError(`internal: "${fingerprint}" is no fingerprint`);
    }
    return join(this.#folder, `${fingerprint}.json`);
  }
}

function readRecord(value: Record<string, unknown> | undefined): FingerprintRecord | undefined {
  const record = value as Partial<FingerprintRecord> | undefined;
  if (!isTexts(record?.outputs)) return undefined;
  if (record.rows !== undefined && !isTexts(record.rows)) return undefined;
  return { outputs: record.outputs, rows: record.rows, meta: record.meta ?? null };
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every((one) => typeof one === "string");
}
