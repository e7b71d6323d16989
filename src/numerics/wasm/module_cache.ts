/** Compiled modules by their bytes: programs that differ in constants alone have the same code. */

// Numbers of a program lie in memory, not in the code. Code that V8 has compiled and optimised
// serves the next program of that structure.

/** Most modules that are kept; the least recently used goes first. */
const mostModules = 64;
/** The same of modules whose instances are kept. */
const mostInstances = 1024;

interface Entry {
  readonly bytes: Uint8Array;
  readonly module: WebAssembly.Module;
  instance?: WebAssembly.Instance;
}

/** Entries by a hash of the bytes, oldest first. */
type Entries = Map<number, Entry>;

const modules: Entries = new Map();
const instances: Entries = new Map();

/**
 * The module of these bytes, compiled now or earlier.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { moduleOf } from "./module_cache.ts";
 * const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
 * assert(moduleOf(empty) === moduleOf(empty)); // compiled once
 * ```
 */
export function moduleOf(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module {
  return entryOf(modules, bytes, mostModules).module;
}

/**
 * The instance of these bytes, made now or earlier.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { instanceOf } from "./module_cache.ts";
 * const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
 * assert(instanceOf(empty, {}) === instanceOf(empty, {}));
 * ```
 *
 * @param host its imports, the same for the same bytes.
 */
export function instanceOf(
  bytes: Uint8Array<ArrayBuffer>,
  host: WebAssembly.ModuleImports,
): WebAssembly.Instance {
  const entry = entryOf(instances, bytes, mostInstances);
  return entry.instance ??= new WebAssembly.Instance(entry.module, { host });
}

function entryOf(entries: Entries, bytes: Uint8Array<ArrayBuffer>, most: number): Entry {
  const key = hashOf(bytes);
  const known = entries.get(key);
  const same = known !== undefined && equal(known.bytes, bytes);
  const entry: Entry = same ? known : { bytes, module: new WebAssembly.Module(bytes) };
  entries.delete(key);
  entries.set(key, entry);
  if (entries.size > most) entries.delete(entries.keys().next().value!);
  return entry;
}

/** FNV-1a (Fowler, Noll and Vo), 32 bits. */
function hashOf(bytes: Uint8Array): number {
  let hash = 2166136261;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i], 16777619);
  return hash;
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
