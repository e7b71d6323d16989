/** Small JSON files of Sluice's own, sealed by the user's key: files that others wrote count as absent. */
import { canonicalJson } from "./canonical_json.ts";
import { isRecord } from "./record.ts";
import { isSealed, openSealer, type Sealer } from "./seal.ts";
import { readTrust } from "./trust.ts";

/** Seals records of one project, and opens them. */
export class JsonSeals {
  readonly #root: string;
  #sealer: Sealer | undefined;
  #keys: ReadonlySet<string> | undefined;

  /** Seals by the user's key, or by the project's where no folder of the user's can be written. */
  constructor(root: string) {
    this.#root = root;
  }

  /** The record with `sealed_by` and `seal`; `name` identifies the record, so that none replaces another. */
  seal(name: string, record: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const plain = JSON.parse(JSON.stringify(record)); // as it will be read
    const { keyId, seal } = this.#own();
    return { ...plain, sealed_by: keyId, seal: seal(textOf(name, plain)) };
  }

  /** The record without its seal; undefined if it was not sealed by the user, or by a key that is trusted. */
  open(name: string, value: unknown): Record<string, unknown> | undefined {
    if (!isRecord(value)) return undefined;
    const { sealed_by: keyId, seal, ...record } = value;
    if (typeof keyId !== "string" || typeof seal !== "string") return undefined;
    return this.trusts(keyId) && isSealed(textOf(name, record), seal, keyId) ? record : undefined;
  }

  /** Whether a key is the user's own, or one that the user trusts. */
  trusts(keyId: string): boolean {
    this.#keys ??= new Set([this.#own().keyId, ...readTrust().keys]);
    return this.#keys.has(keyId);
  }

  #own(): Sealer {
    return this.#sealer ??= openSealer(this.#root);
  }
}

function textOf(name: string, record: Readonly<Record<string, unknown>>): string {
  return `${name}\n${canonicalJson(record)}`;
}
