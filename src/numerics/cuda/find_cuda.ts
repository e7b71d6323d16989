/** The GPU of this process: libraries that open, a device, and products that are right. */
import { commandLine } from "../../base/command_name.ts";
import { provesProducts } from "../blas/prove_products.ts";
import { CudaBlas, errorText } from "./cuda_blas.ts";
import {
  chosenFolder,
  type CudaCandidate,
  cudaCandidates,
  type CudaSymbols,
  type OpenCuda,
  openCuda,
} from "./cuda_library.ts";

/** Result of the search for a GPU: the device, or the reason that there is none. */
export type CudaSearch = { readonly device: CudaBlas } | { readonly problem: string };

let found: CudaSearch | undefined;

/**
 * The first GPU, searched once in a process, on Linux. Needs `--allow-ffi`.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { findCuda } from "./find_cuda.ts";
 * const search = findCuda(); // wants --allow-ffi
 * assert.equal(typeof search, "object");
 * ```
 */
export function findCuda(): CudaSearch {
  return found ??= searchCuda(cudaCandidates(Deno.build.os, chosenFolder()), openCuda);
}

/** The first candidate that opens; it must have a GPU, and multiply as it should. */
export function searchCuda(candidates: readonly CudaCandidate[], open: OpenCuda): CudaSearch {
  for (const candidate of candidates) {
    let symbols: CudaSymbols;
    try {
      symbols = open(candidate);
    } catch (error) {
      if (error instanceof Deno.errors.NotCapable) return { problem: "it may not load libraries" };
      continue;
    }
    return proved(symbols);
  }
  const names = "neither libcudart.so.13 and libcublas.so.13 nor those of CUDA 12 were found";
  return { problem: `${names}; see \`${commandLine("install", "cuda")}\`` };
}

function proved(symbols: CudaSymbols): CudaSearch {
  const count = new Int32Array(1);
  const status = symbols.cudaGetDeviceCount(count);
  if (status !== 0) return { problem: `the driver says: ${errorText(symbols, status)}` };
  if (count[0] === 0) return { problem: "the driver knows no GPU" };
  try {
    const device = new CudaBlas(nameOf(symbols), symbols);
    const problem = provesProducts(device, "f32") || provesProducts(device, "bf16");
    return problem === "" ? { device } : { problem: `${device.name}: ${problem}` };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/** Name of device and versions: "NVIDIA A100, CUDA 13.0, cuBLAS 13.1.0". */
function nameOf(symbols: CudaSymbols): string {
  const [runtime, products] = [new Int32Array(1), new Int32Array(1)];
  symbols.cudaRuntimeGetVersion(runtime);
  symbols.cublasGetVersion_v2(0n, products);
  const [cuda, cublas] = [runtime[0], products[0]];
  const short = `${Math.floor(cuda / 1000)}.${Math.floor(cuda % 1000 / 10)}`;
  const long = [cublas / 10000, cublas / 100 % 100, cublas % 100].map(Math.floor).join(".");
  return `${deviceName(symbols)}, CUDA ${short}, cuBLAS ${long}`;
}

function deviceName(symbols: CudaSymbols): string {
  const ask = symbols.cudaGetDeviceProperties_v2 ?? symbols.cudaGetDeviceProperties;
  const bytes = new Uint8Array(16384); // more than the structure of any version
  if (!ask || ask(bytes, 0) !== 0) return "GPU 0";
  return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0))) || "GPU 0";
}
