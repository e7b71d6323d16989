/** Matrix products by CUDA. */
export { requireRoom } from "./cuda_blas.ts";
export { chosenFile } from "./cuda_library.ts";
export { findCuda } from "./find_cuda.ts";
export type { CudaSearch } from "./find_cuda.ts";
export type { CudaBlas } from "./cuda_blas.ts";
export type { CudaSymbols } from "./cuda_library.ts";
