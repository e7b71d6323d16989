/** Inference: densities, chains, predictions, diagnostics. */
export type {
  GeneratedDensity,
  LogDensity,
  MixtureComponents,
  PointwiseDensity,
  PointwiseLikelihood,
  QuantityShape,
  RowLatents,
  StartingRegion,
} from "../../numerics/math/mod.ts";
export type { Backend } from "./density/backend.ts";
export { compileLogDensity, type CompileOptions } from "./density/compile.ts";
export type { RowElements } from "./density/posterior_tasks.ts";
