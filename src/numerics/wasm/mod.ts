/** WebAssembly written at run time. */
export {
  assemble,
  type Code,
  f32,
  f32x4,
  f64,
  i32,
  increase,
  Kernel,
  type Local,
  range,
  sequence,
  type Statement,
  v128,
  when,
} from "./assembler.ts";
export { type Columns, columnsOf } from "./columns.ts";
export { FunctionBody, type Local as LocalIndex } from "./function_body.ts";
export { pushExponential } from "./functions.ts";
export type { SimdOp, ValueType } from "./instructions.ts";
export { FunctionLibrary, type OwnFunction } from "./library.ts";
export {
  type Guest,
  isGuest,
  isTenant,
  lodge,
  moveIn,
  reservedBytes,
  sharedMemory,
  type Tenant,
} from "./memory.ts";
export { assembleModule, type FunctionType, type ImportedFunction } from "./module.ts";
export { instanceOf, moduleOf } from "./module_cache.ts";
export { productsOfColumns } from "./products.ts";
export { libraryExports } from "./shared_library.ts";
export type { ByteWriter } from "./byte_writer.ts";
export type { Access, Operation, Type } from "./instructions.ts";
export type { FarFunction } from "./library.ts";
export type { PlainOp, typeCodes } from "./instructions.ts";
