/** Chooses a back end. */
import type { EvaluationPlan, Evaluator } from "./evaluator.ts";
import { plainEvaluator } from "./plain.ts";
import { wasmEvaluator } from "./wasm/evaluator.ts";

/** Back end of evaluations: a generated module, or the plain kernels, which are its reference. */
export type Backend = "wasm" | "plain";

/** A plan on a back end; one that is too large for a module takes the plain kernels. */
export function compilePlan(plan: EvaluationPlan, backend: Backend): Evaluator {
  return (backend === "wasm" ? wasmEvaluator(plan) : undefined) ?? plainEvaluator(plan);
}
