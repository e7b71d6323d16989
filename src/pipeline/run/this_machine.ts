/** Resources of this machine: cores, memory, and the GPUs that a scheduler or the user names. */
import type { MachineResources } from "../basics/resources.ts";

/**
 * Cores and memory of the machine, and GPUs as `CUDA_VISIBLE_DEVICES` lists them, which schedulers
 * set. GPUs that cannot be counted are none, and memory that cannot be read is unlimited.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { thisMachine } from "./this_machine.ts";
 * assert(thisMachine(0).cores >= 1);
 * ```
 */
export function thisMachine(gpus: number = visibleGpus()): MachineResources {
  return { cores: navigator.hardwareConcurrency, gpus, memory: memory() };
}

function visibleGpus(): number {
  const visible = quietly(() => Deno.env.get("CUDA_VISIBLE_DEVICES")) ?? "";
  return visible.split(",").filter((one) => one.trim() !== "").length;
}

function memory(): number {
  return quietly(() => Deno.systemMemoryInfo().total) ?? Infinity;
}

function quietly<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
