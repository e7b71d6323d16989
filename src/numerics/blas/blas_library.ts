/** OpenBLAS or Apple's Accelerate by FFI, where the machine has one of them. */
import { commandLine } from "../../base/command_name.ts";
import type { Blas, Operand, Product, Target } from "./blas.ts";
import { BrainRows, type FrozenNumbers } from "./brain_floats.ts";
import { provesProducts } from "./prove_products.ts";
import { coreFor, coreRemark, processorFlags } from "./blas_core.ts";

/** Result of the search for a BLAS library: the opened one, or the reason that there is none. */
export type BlasSearch = { readonly blas: Blas } | { readonly problem: string };

/** Where `sluice install blas` unpacks OpenBLAS. */
const installed = new URL("../../../.sluice/blas/scipy_openblas32/lib/", import.meta.url);

/** Files and names by which libraries are looked for, best first. */
export function blasCandidates(os: typeof Deno.build.os): string[] {
  const file = (name: string) => {
    const path = decodeURIComponent(new URL(name, installed).pathname);
    return os === "windows" ? path.slice(1) : path;
  };
  if (os === "darwin") {
    const accelerate = "/System/Library/Frameworks/Accelerate.framework/Accelerate";
    return [accelerate, file("libscipy_openblas.dylib"), "libopenblas.dylib"];
  }
  if (os === "windows") return [file("libscipy_openblas.dll"), "libopenblas.dll"];
  return [file("libscipy_openblas.so"), "libopenblas.so.0", "libopenblas.so"];
}

/** The same functions have a prefix in the builds that Python's packages ship. */
const prefixes = ["", "scipy_"] as const;

const text = { parameters: [], result: "pointer", optional: true } as const;
const setThreads = { parameters: ["i32"], result: "void", optional: true } as const;
const gemm = {
  // order, transposes, sizes, alpha, A, lda, B, ldb, beta, C, ldc
  parameters: [
    ...["i32", "i32", "i32", "i32", "i32", "i32", "f32", "usize", "i32", "usize", "i32"] as const,
    ...["f32", "usize", "i32"] as const,
  ],
  result: "void",
  optional: true,
} as const;

const functions = {
  cblas_sgemm: gemm,
  scipy_cblas_sgemm: gemm,
  // A and B in bfloat16, alpha, beta and C in single precision; of OpenBLAS with BUILD_BFLOAT16.
  cblas_sbgemm: gemm,
  scipy_cblas_sbgemm: gemm,
  openblas_get_corename: text,
  scipy_openblas_get_corename: text,
  openblas_get_config: text,
  scipy_openblas_get_config: text,
  openblas_set_num_threads: setThreads,
  scipy_openblas_set_num_threads: setThreads,
} as const;

/** Opens a library by file or name; for tests, something else. */
export type OpenLibrary = (path: string) => Deno.StaticForeignLibraryInterface<typeof functions>;

const openLibrary: OpenLibrary = (path) => Deno.dlopen(path, functions).symbols;

let found: BlasSearch | undefined;

/**
 * The library of this process: searched once, on one thread. Needs `--allow-ffi`.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { findBlas } from "./blas_library.ts";
 * const search = findBlas();
 * assert(typeof search === "object");
 * ```
 */
export function findBlas(): BlasSearch {
  return found ??= searchBlas(blasCandidates(Deno.build.os), openLibrary);
}

/** The first candidate that opens and multiplies matrices. */
export function searchBlas(
  candidates: readonly string[],
  open: OpenLibrary,
): BlasSearch {
  const wanted = chooseCore();
  for (const path of candidates) {
    try {
      const blas = bind(path, open(path), wanted);
      if (blas) return { blas };
    } catch (error) {
      if (error instanceof Deno.errors.NotCapable) return { problem: "it may not load libraries" };
    }
  }
  return {
    problem: `neither OpenBLAS nor Accelerate was found; see \`${commandLine("install", "blas")}\``,
  };
}

/** Sets `OPENBLAS_CORETYPE` unless it is set; must come before the library. */
function chooseCore(): string | undefined {
  const wanted = coreFor(processorFlags());
  try {
    if (wanted && !Deno.env.get("OPENBLAS_CORETYPE")) Deno.env.set("OPENBLAS_CORETYPE", wanted);
  } catch {
    // Not permitted: the library chooses, and the remark says if it chose badly.
  }
  return wanted;
}

type Symbols = ReturnType<typeof openLibrary>;

function bind(path: string, symbols: Symbols, wanted: string | undefined): Blas | undefined {
  const prefix = prefixes.find((one) => symbols[`${one}cblas_sgemm`]);
  if (prefix === undefined) return undefined;
  symbols[`${prefix}openblas_set_num_threads`]?.(1);
  const name = nameOf(path, symbols, prefix, wanted);
  const single = symbols[`${prefix}cblas_sgemm`]!;
  const short = symbols[`${prefix}cblas_sbgemm`] ?? undefined;
  const blas = new LibraryBlas(name, single, short);
  return short && provesProducts(blas, "bf16") !== "" ? new LibraryBlas(name, single) : blas;
}

function nameOf(
  path: string,
  symbols: Symbols,
  prefix: typeof prefixes[number],
  wanted: string | undefined,
): string {
  const core = read(symbols[`${prefix}openblas_get_corename`]?.() ?? null);
  if (core === "") return path.includes("Accelerate") ? "Accelerate" : `BLAS in ${path}`;
  const config = read(symbols[`${prefix}openblas_get_config`]?.() ?? null);
  const version = /OpenBLAS ([0-9.]+)/.exec(config)?.[1] ?? "";
  return `OpenBLAS ${version}, ${core} kernels${coreRemark(core, wanted)}`;
}

function read(pointer: Deno.PointerValue): string {
  return pointer === null ? "" : new Deno.UnsafePointerView(pointer).getCString();
}

type Gemm = NonNullable<Symbols["cblas_sgemm"]>;

/** Codes of the C interface (cblas.h): rows first, plain, transposed. */
const [ROW_MAJOR, PLAIN, TRANSPOSED] = [101, 111, 112];

class LibraryBlas implements Blas {
  #memory: ArrayBuffer | undefined;
  #start = 0;
  readonly #short = new BrainRows();

  /** @param shortGemm Multiplies bfloat16, if the library does. */
  constructor(readonly name: string, readonly gemm: Gemm, readonly shortGemm?: Gemm) {}

  get hasBrainFloats(): boolean {
    return this.shortGemm !== undefined;
  }

  multiply(memory: ArrayBuffer, product: Product): void {
    const { rows, depth, a, b } = product;
    if (!(b.values instanceof Uint16Array)) return this.#call(this.gemm, memory, product);
    const values = this.#short.round(memory, a, rows, depth);
    const short = { address: 0, stride: depth, values };
    this.#call(this.shortGemm!, memory, { ...product, a: short });
  }

  #call(gemm: Gemm, memory: ArrayBuffer, product: Product): void {
    const { rows, columns, depth, a, b, c, accumulate } = product;
    if (memory !== this.#memory) this.#locate(memory);
    const start = this.#start;
    const code = ({ transposed = false }: Operand) => transposed ? TRANSPOSED : PLAIN;
    const at = ({ values, address }: Operand | Target) => {
      return BigInt((values ? addressOf(values) : start) + address);
    };
    gemm(
      ROW_MAJOR,
      code(a),
      code(b),
      rows,
      columns,
      depth,
      1,
      at(a),
      a.stride,
      at(b),
      b.stride,
      accumulate ? 1 : 0,
      at(c),
      c.stride,
    );
  }

  /** A WebAssembly memory that has grown has a new buffer, and may have moved. */
  #locate(memory: ArrayBuffer): void {
    this.#memory = memory;
    this.#start = addressOf(new Uint8Array(memory));
  }
}

function addressOf(values: Uint8Array<ArrayBuffer> | FrozenNumbers): number {
  return Number(Deno.UnsafePointer.value(Deno.UnsafePointer.of(values)));
}
