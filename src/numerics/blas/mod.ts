/** Matrix products by OpenBLAS. */
export { summedAlike } from "./alike_rows.ts";
export type { Blas, Operand, Product } from "./blas.ts";
export { findBlas } from "./blas_library.ts";
export { brainFloatsOf, copyWide, type FrozenNumbers, singlesOf } from "./brain_floats.ts";
export { sumsRowsAlike } from "./rows_alike.ts";
export type { Target } from "./blas.ts";
export type { BlasSearch } from "./blas_library.ts";
