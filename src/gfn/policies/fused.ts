/** Kernels and libraries that may be used here, and their line in the run's header. */
import { type Blas, findBlas } from "../../numerics/blas/mod.ts";
import { Machine } from "../kernels/machine.ts";
import { selfTest } from "../kernels/self_test.ts";

let tested: string | undefined;

/** Empty if every kernel agrees with the plain code; else why they are not used. */
export function fusedProblem(): string {
  return tested ??= selfTest();
}

/** Own kernels over a fresh memory, with or without a library for their matrix products. */
export interface Kernels {
  readonly backend: "fused" | "blas";
  /** The kernels that compute, in one line. */
  readonly computes: string;
  machine(): Machine;
}

const own = "own WebAssembly kernels, one thread";

/** Own kernels; with `problem`, in place of the library that was asked for. */
export function ownKernels(problem = ""): Kernels {
  const instead = problem === "" ? "" : `, instead of blas: ${problem}`;
  return { backend: "fused", computes: `fused: ${own}${instead}`, machine: () => new Machine() };
}

let library: Kernels | undefined;

/** Own kernels around the products of a library, if one is found and passes the self-test. */
export function libraryKernels(): Kernels {
  return library ??= kernelsAround(findBlas());
}

/**
 * Looks for a library as policies do, tests it, and returns the kernels that compute.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { kernelsFound } from "./fused.ts";
 * assert.match(kernelsFound().backend, /^(fused|blas)$/); // wants --allow-ffi
 * ```
 */
export function kernelsFound(): { readonly backend: "fused" | "blas"; readonly computes: string } {
  return libraryKernels();
}

/** For `libraryKernels` and tests: kernels around the library found, if it passes, or own kernels. */
export function kernelsAround(found: ReturnType<typeof findBlas>): Kernels {
  if ("problem" in found) return ownKernels(found.problem);
  const machine = () => new Machine(found.blas);
  const problem = selfTest(machine);
  if (problem !== "") return ownKernels(`${found.blas.name}: ${problem}`);
  return { backend: "blas", computes: lineOf(found.blas), machine };
}

const lineOf = ({ name }: Blas) => `blas: own kernels, products by ${name}, one thread`;

const unheld = "native code is not held by the stage's permissions";

/**
 * Line of a policy on the backend that computes it.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { kernelLine } from "./fused.ts";
 * assert.match(kernelLine("fused", ""), /^fused: /);
 * ```
 *
 * @param backend Requested backend.
 * @param problem Why own kernels cannot be used; empty if they can.
 */
export function kernelLine(backend: string, problem = fusedProblem()): string {
  if (backend === "tensorflow") return `tensorflow: TensorFlow's own library; ${unheld}`;
  if (backend === "cuda") {
    return "cuda: own kernels, products with frozen weights on an NVIDIA GPU (which, says the " +
      `stage's log); ${unheld}`;
  }
  if (backend !== "fused" && backend !== "blas") return `${backend}: TensorFlow.js, stock kernels`;
  if (problem !== "") {
    return `wasm: TensorFlow.js, stock kernels, instead of ${backend}: ${problem}`;
  }
  if (backend === "fused") return `fused: ${own}`;
  return "blas: own kernels, products by OpenBLAS or Accelerate where the stage finds one (see " +
    `its log); ${unheld}`;
}
