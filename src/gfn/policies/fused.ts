/** Whether own kernels may be used here, and what the run's header says about them. */
import { selfTest } from "../kernels/self_test.ts";

let tested: string | undefined;

/** Empty if every kernel computes what the plain code does; else why they are not used. */
export function fusedProblem(): string {
  return tested ??= selfTest();
}

/**
 * What a policy says about what computes it.
 *
 * @param backend What was asked for.
 * @param problem Why own kernels cannot be had, if they cannot.
 */
export function kernelLine(backend: string, problem = fusedProblem()): string {
  if (backend !== "fused") return `${backend}: TensorFlow.js, stock kernels`;
  if (problem === "") return "fused: own WebAssembly SIMD kernels, one thread";
  return `wasm: TensorFlow.js, stock kernels, instead of fused: ${problem}`;
}
