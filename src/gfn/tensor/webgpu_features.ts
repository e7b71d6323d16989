/** A work-around for the WebGPU backend of TensorFlow.js 4.22, and a check that WebGPU exists. */
import { MissingPartError } from "../../base/diagnostic.ts";

const remedy = 'use a deno that has it, or choose backend = "wasm"';

/** The part of WebGPU's adapter class that is used here. */
interface AdapterClass {
  prototype: {
    readonly features: ReadonlySet<string>;
    requestDevice(descriptor?: Descriptor): Promise<unknown>;
  };
}

interface Descriptor {
  readonly requiredFeatures?: readonly (string | readonly string[])[];
}

let patched = false;

/**
 * TensorFlow.js 4.22 pushes a list into the list of required features, which Deno rejects. This
 * wraps `GPUAdapter.requestDevice` so that the list is flat and asks only for available features.
 *
 * @throws MissingPartError if this runtime has no WebGPU.
 */
export function allowWebGpuFeatures(): void {
  const adapter = (globalThis as { GPUAdapter?: AdapterClass }).GPUAdapter;
  if (!adapter) throw new MissingPartError("This runtime has no WebGPU", remedy);
  if (patched) return;
  patched = true;
  const original = adapter.prototype.requestDevice;
  adapter.prototype.requestDevice = function (descriptor: Descriptor = {}) {
    const wanted = (descriptor.requiredFeatures ?? []).flat();
    const requiredFeatures = wanted.filter((feature) => this.features.has(feature));
    return original.call(this, { ...descriptor, requiredFeatures });
  };
}
