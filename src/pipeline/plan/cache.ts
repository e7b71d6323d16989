/** The cache: looks up the result of a fingerprint, and checks that every artifact is there and whole. */
import type { FingerprintParts } from "./fingerprint.ts";
import type { FingerprintStore } from "../store/fingerprints.ts";
import type { ObjectStore } from "../store/objects.ts";

/** An output of a stage in the object store. */
export interface StoredArtifact {
  readonly port: string;
  readonly type: string;
  readonly digest: string;
  readonly bytes: number;
}

/** Result of a stage: its artifacts and rows. */
export interface StageResult {
  readonly outputs: readonly StoredArtifact[];
  /** Digest of the file of rows of each table. */
  readonly rows: Readonly<Record<string, string>>;
  readonly parts: FingerprintParts;
  readonly runId: string;
  readonly seconds: number;
}

/** A cached result, or why there is none. */
type CacheRead =
  | { readonly kind: "hit"; readonly result: StageResult }
  | { readonly kind: "miss"; readonly unbelieved?: string }
  | { readonly kind: "damaged"; readonly what: string };

type Meta = Pick<StageResult, "parts" | "runId" | "seconds"> & {
  readonly outputs: readonly StoredArtifact[];
};

/** Results by fingerprint. */
export class StageCache {
  constructor(readonly fingerprints: FingerprintStore, readonly objects: ObjectStore) {}

  /** Looks a fingerprint up and verifies that all that it names is there and whole. */
  get(fingerprint: string): CacheRead {
    const found = this.fingerprints.look(fingerprint);
    if (!found) return { kind: "miss" };
    if (found.kind === "unbelieved") return { kind: "miss", unbelieved: found.why };
    const { record } = found;
    const meta = record.meta as unknown as Partial<Meta> | null;
    if (!meta?.outputs || !meta.parts) return { kind: "miss" };
    const named = meta.outputs.map(({ port, digest }) => [`its output "${port}" is`, digest]);
    const rows = record.rows ?? {};
    for (const digest of Object.values(rows)) named.push(["its rows are", digest]);
    for (const [what, digest] of named) {
      const found = this.objects.check(digest);
      if (found !== "found") return { kind: "damaged", what: `${what} ${found}` };
    }
    const { outputs, parts, runId = "", seconds = 0 } = meta;
    return { kind: "hit", result: { outputs, rows, parts, runId, seconds } };
  }

  put(fingerprint: string, { outputs, rows, parts, runId, seconds }: StageResult): void {
    const digests = Object.fromEntries(outputs.map(({ port, digest }) => [port, digest]));
    const meta = JSON.parse(JSON.stringify({ outputs, parts, runId, seconds }));
    this.fingerprints.put(fingerprint, { outputs: digests, rows, meta });
  }
}
