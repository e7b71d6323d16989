/** TensorFlow.js backends by name, imported only when one is asked for. */
import { commandLine } from "../../base/command_name.ts";
import type * as tfjs from "@tensorflow/tfjs-core";
import { MissingPartError } from "../../base/diagnostic.ts";
import { allowWebGpuFeatures } from "./webgpu_features.ts";

/** `tensorflow` is TensorFlow's own library through tfjs-node or tfjs-node-gpu. */
export type BackendName = "cpu" | "wasm" | "webgpu" | "tensorflow";

/** TensorFlow.js as this project uses it. */
export type TensorLibrary = typeof tfjs;

/** One ready backend. Several may be open in one process. */
export interface TensorBackend {
  readonly name: BackendName;
  readonly tf: TensorLibrary;
  /**
   * Runs `compute` synchronously on this backend inside `tf.tidy`: the caller has to dispose of
   * the result; all other tensors are freed.
   */
  use<T extends tfjs.TensorContainer>(compute: () => T): T;
}

const opened = new Map<BackendName, Promise<TensorBackend>>();

/**
 * Opens a backend, once per process, and proves it with a small product.
 *
 * `wasm` needs permission to read `node_modules/@tensorflow`; `tensorflow` needs `--allow-ffi`.
 *
 * @throws MissingPartError if the machine lacks what the backend needs; says how to get it.
 */
export function openBackend(name: BackendName): Promise<TensorBackend> {
  let backend = opened.get(name);
  if (!backend) {
    backend = open(name);
    opened.set(name, backend);
    backend.catch(() => opened.delete(name));
  }
  return backend;
}

async function open(name: BackendName): Promise<TensorBackend> {
  const tf = await loaders[name]();
  tf.enableProdMode(); // No advice on the console.
  if (!(await tf.setBackend(name).catch(() => false))) {
    throw new MissingPartError(`TensorFlow.js cannot start its ${name} backend`, remedies[name]);
  }
  const backend: TensorBackend = { name, tf, use: (compute) => useBackend(tf, name, compute) };
  await probe(backend);
  return backend;
}

const remedies: Readonly<Record<BackendName, string>> = {
  cpu: "report this with the version of deno",
  wasm: "allow reading node_modules/@tensorflow (--allow-read=node_modules/@tensorflow)",
  webgpu: 'install a driver that WebGPU can use, or choose backend = "wasm"',
  tensorflow: 'allow ffi, or choose backend = "wasm"',
};

/** Switching is synchronous once a backend has been started, which `open` has done. */
function useBackend<T extends tfjs.TensorContainer>(
  tf: TensorLibrary,
  name: BackendName,
  compute: () => T,
): T {
  if (tf.getBackend() !== name) void tf.setBackend(name);
  return tf.tidy(compute);
}

const loaders: Readonly<Record<BackendName, () => Promise<TensorLibrary>>> = {
  cpu: async () => {
    await import("@tensorflow/tfjs-backend-cpu");
    return await import("@tensorflow/tfjs-core");
  },
  wasm: async () => {
    const wasm = await import("@tensorflow/tfjs-backend-wasm");
    wasm.setWasmPaths(wasmFolder(import.meta.resolve("@tensorflow/tfjs-backend-wasm")));
    return await import("@tensorflow/tfjs-core");
  },
  webgpu: async () => {
    allowWebGpuFeatures();
    await import("@tensorflow/tfjs-backend-webgpu");
    return await import("@tensorflow/tfjs-core");
  },
  tensorflow: loadNativeTensorFlow,
};

/** The folder of the .wasm files, by the short path under which permission is asked for. */
function wasmFolder(moduleUrl: string): string {
  const folder = decodeURIComponent(new URL("../wasm-out/", moduleUrl).pathname);
  const path = folder.replace(/\/node_modules\/\.deno\/[^/]+\/node_modules\//, "/node_modules/");
  return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
}

/** Folder of the libraries that `sluice install tensorflow` builds. */
const nativeFolder = new URL("../../../.sluice/tensorflow/", import.meta.url);

/** Loads the library that `sluice install tensorflow` built, for a GPU if any. Not a dependency. */
async function loadNativeTensorFlow(): Promise<TensorLibrary> {
  // tfjs-node 4.22 calls this function, which Node removed in version 23 and Deno does not have.
  const util = (await import("node:util")).default as unknown as Record<string, unknown>;
  util.isNullOrUndefined ??= (value: unknown) => value === null || value === undefined;
  const { createRequire } = await import("node:module");
  const require = createRequire(nativeFolder);
  const failures: string[] = [];
  for (const name of ["tfjs-node-gpu", "tfjs-node"]) {
    try {
      return require(`./node_modules/@tensorflow/${name}`) as TensorLibrary;
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  throw new MissingPartError(
    `Cannot load native TensorFlow; ${failures.join("; ")}`,
    `run \`${commandLine("install", "tensorflow")}\`, or choose backend = "wasm"`,
  );
}

/** A product whose result is known: a backend that starts but cannot compute is found here. */
async function probe(backend: TensorBackend): Promise<void> {
  const { tf } = backend;
  const product = backend.use(() => tf.matMul(tf.tensor2d([[1, 2], [3, 4]]), tf.eye(2)));
  const values = await product.data();
  product.dispose();
  if ([1, 2, 3, 4].every((x, i) => Math.abs(values[i] - x) < 1e-5)) return;
  throw new MissingPartError(
    `The ${backend.name} backend computes wrong products on this machine`,
    'choose backend = "wasm"',
  );
}
