/** Whether own kernels may be used here, and what the run's header says about them. */
import { selfTest } from "../kernels/self_test.ts";

/** What a policy on own kernels says about itself. */
export const fusedLine = "fused: own WebAssembly SIMD kernels, one thread";

let tested: string | undefined;

/** Empty if every kernel computes what the plain code does; else why they are not used. */
export function fusedProblem(): string {
  return tested ??= selfTest();
}
