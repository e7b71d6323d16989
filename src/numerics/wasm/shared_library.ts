/** One module of elementary functions, which others import. */
import { allFunctions, FunctionLibrary, type OwnFunction } from "./library.ts";
import { sharedMemory } from "./memory.ts";
import { assembleModule } from "./module.ts";

let known: WebAssembly.Exports | undefined;

/**
 * The functions by their names, compiled when they are first asked for.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { libraryExports } from "./shared_library.ts";
 * const { exp } = libraryExports() as unknown as Record<string, unknown>;
 * assert(exp === undefined || typeof exp === "function");
 * ```
 */
export function libraryExports(): Readonly<Record<OwnFunction, WebAssembly.ExportValue>> {
  known ??= instantiate();
  return known as Record<OwnFunction, WebAssembly.ExportValue>;
}

function instantiate(): WebAssembly.Exports {
  const library = new FunctionLibrary(allFunctions, 0);
  const exported = allFunctions.map((name) => ({ name, index: library.index(name) }));
  const bytes = assembleModule([], library.bodies(), exported);
  const host = { memory: sharedMemory() };
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), { host }).exports;
}
