/** Which kernels OpenBLAS should use here: old ones do not know new processors, and fall far back. */

/** Kernels with AVX2. For processors that it does not know OpenBLAS takes some of twenty years ago. */
const fastCores = ["Haswell", "Zen", "SkylakeX", "Cooperlake", "SapphireRapids"];

/**
 * The value of `OPENBLAS_CORETYPE` for a processor with these features, or undefined if OpenBLAS
 * is to decide. It must be in the environment before the library is loaded.
 *
 * @param flags Names of features, as the line `flags` of /proc/cpuinfo has them.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { coreFor } from "./blas_core.ts";
 * assert.equal(coreFor("fma avx2"), "Haswell");
 * assert.equal(coreFor("sse4_2 avx"), undefined);
 * ```
 */
export function coreFor(flags: string): string | undefined {
  const known = new Set(flags.split(/\s+/));
  const has = (...names: readonly string[]) => names.every((name) => known.has(name));
  if (!has("avx2", "fma")) return undefined;
  return has("avx512f", "avx512dq", "avx512bw", "avx512vl") ? "SkylakeX" : "Haswell";
}

/** A remark for the run's header if the library has chosen kernels that waste this processor. */
export function coreRemark(core: string, wanted: string | undefined): string {
  const isSlow = wanted !== undefined && !fastCores.includes(core);
  return isSlow ? ` (slow here: set OPENBLAS_CORETYPE=${wanted})` : "";
}

/** Features of the first processor; empty where they cannot be read. */
export function processorFlags(): string {
  try {
    return /^flags\s*: (.*)$/m.exec(Deno.readTextFileSync("/proc/cpuinfo"))?.[1] ?? "";
  } catch {
    return "";
  }
}
