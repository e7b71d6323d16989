/** NVIDIA's runtime and cuBLAS by FFI, where the machine has them. */

/** Functions of `libcudart`, as its C header declares them; addresses are numbers. */
const runtimeFunctions = {
  cudaGetDeviceCount: { parameters: ["buffer"], result: "i32" },
  cudaMemGetInfo: { parameters: ["buffer", "buffer"], result: "i32" },
  cudaMalloc: { parameters: ["buffer", "usize"], result: "i32" },
  cudaFree: { parameters: ["usize"], result: "i32" },
  // target, source, bytes, direction
  cudaMemcpy: { parameters: ["usize", "usize", "usize", "i32"], result: "i32" },
  // target, its pitch, source, its pitch, bytes of a row, rows, direction
  cudaMemcpy2D: {
    parameters: ["usize", "usize", "usize", "usize", "usize", "usize", "i32"],
    result: "i32",
  },
  cudaGetErrorString: { parameters: ["i32"], result: "pointer" },
  cudaRuntimeGetVersion: { parameters: ["buffer"], result: "i32" },
  // Fills a structure that begins with the name, in 256 bytes.
  cudaGetDeviceProperties: { parameters: ["buffer", "i32"], result: "i32", optional: true },
  cudaGetDeviceProperties_v2: { parameters: ["buffer", "i32"], result: "i32", optional: true },
} as const;

/** Functions of `libcublas`. */
const productFunctions = {
  cublasCreate_v2: { parameters: ["buffer"], result: "i32" },
  cublasGetVersion_v2: { parameters: ["usize", "buffer"], result: "i32" },
  cublasGemmEx: {
    // handle, transposes, sizes, alpha, A, type, ld, B, type, ld, beta, C, type, ld, computes, algorithm
    parameters: [
      ...["usize", "i32", "i32", "i32", "i32", "i32", "buffer"] as const,
      ...["usize", "i32", "i32", "usize", "i32", "i32", "buffer"] as const,
      ...["usize", "i32", "i32", "i32", "i32"] as const,
    ],
    result: "i32",
  },
} as const;

/** Both libraries' functions. */
export type CudaSymbols =
  & Deno.StaticForeignLibraryInterface<typeof runtimeFunctions>
  & Deno.StaticForeignLibraryInterface<typeof productFunctions>;

/** A place where a pair of libraries is looked for. */
export interface CudaCandidate {
  readonly runtime: string;
  readonly products: string;
}

/** Opens a pair of libraries; for tests, something else. */
export type OpenCuda = (candidate: CudaCandidate) => CudaSymbols;

/** Where `sluice install cuda FOLDER` writes the folder of the libraries. */
export const chosenFile = new URL("../../../.sluice/cuda/folder", import.meta.url);

/** Versions of CUDA whose functions are the ones above, newest first. */
const versions = ["13", "12"] as const;

/**
 * Files and names by which libraries are looked for, best first: in a folder that was chosen, by
 * the system's loader, and where NVIDIA's installer puts them.
 *
 * @param chosen The folder that was chosen, if there is one.
 */
export function cudaCandidates(os: typeof Deno.build.os, chosen?: string): CudaCandidate[] {
  if (os !== "linux") return [];
  const folders = [...chosen ? [`${chosen}/`] : [], "", "/usr/local/cuda/lib64/"];
  return folders.flatMap((folder) =>
    versions.map((version) => ({
      runtime: `${folder}libcudart.so.${version}`,
      products: `${folder}libcublas.so.${version}`,
    }))
  );
}

/** The folder that was chosen, if one was. */
export function chosenFolder(): string | undefined {
  try {
    return Deno.readTextFileSync(chosenFile).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Opens both by Deno's FFI. Needs `--allow-ffi`. */
export const openCuda: OpenCuda = ({ runtime, products }) => ({
  ...Deno.dlopen(runtime, runtimeFunctions).symbols,
  ...Deno.dlopen(products, productFunctions).symbols,
});
