/** Kernels in WebAssembly. */
export { ArrayMemory, roundUp } from "./array_memory.ts";
export { exponential } from "./exponential.ts";
export { bytes, packingKernels } from "./packing.ts";
export { productKernels } from "./products.ts";
export { laneMax, laneSum } from "./reductions.ts";
export { padded, softmaxRow } from "./softmax.ts";
