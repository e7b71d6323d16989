/** The digest tells environments apart. */
import assert from "node:assert/strict";
import type { Environment } from "../../src/gfn/environments/environment.ts";

/** The digest tells every one of these environments from every other. */
export function checkDigests(environments: readonly Environment<never>[]): void {
  const digests = environments.map((environment) => environment.digest);
  assert.equal(new Set(digests).size, digests.length, "every parameter is part of the digest");
}
