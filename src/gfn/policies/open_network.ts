/** Opening networks that are computed by own kernels, or by a backend of TensorFlow.js. */
import { EngineNetwork, type NetworkPlan } from "./engine_network.ts";
import { kernelLine, type Kernels, libraryKernels, ownKernels } from "./fused.ts";
import type { Network } from "./network.ts";
import type { PolicyBackend } from "./policy_kind.ts";

/** A backend of TensorFlow.js. */
export type TensorBackendName = Exclude<PolicyBackend, "fused" | "blas" | "cuda">;

/**
 * The fused engine, unless there is a problem with it: then TensorFlow.js on `wasm`. Without the
 * library of `blas` it computes its products itself.
 */
export async function openNetwork<F, K>(
  backend: PolicyBackend,
  problem: string,
  fused: (kernels: Kernels) => NetworkPlan<F>,
  tensors: (backend: TensorBackendName, line: string) => NetworkPlan<K>,
  parameters: Float32Array,
  frozen: readonly string[],
): Promise<Network> {
  if (backend === "cuda") throw new Error("internal: small networks have no backend cuda");
  const around = <T>(plan: NetworkPlan<T>) => EngineNetwork.open(plan, parameters, frozen);
  if (backend === "fused" || backend === "blas") {
    const kernels = backend === "fused" ? ownKernels : libraryKernels;
    if (problem === "") return await around(fused(kernels()));
    return await around(tensors("wasm", kernelLine(backend, problem)));
  }
  return await around(tensors(backend, kernelLine(backend, problem)));
}
