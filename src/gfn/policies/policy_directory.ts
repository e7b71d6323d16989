/** Policies as directories, written and read in parts: none is in memory as one array of bytes. */
import type { ByteSource } from "../../base/safetensors.ts";
import { readTensors } from "../../base/safetensors.ts";
import { type OpenOptions, policyOf } from "./create_policy.ts";
import type { Policy } from "./policy.ts";

const [policyFile, optimizerFile] = ["policy.safetensors", "optimizer.safetensors"];

/**
 * Writes `policy.safetensors` (the bytes of `save`) and `optimizer.safetensors` (those of
 * `saveOptimizer`) into a directory. A file takes its name when it is whole.
 *
 * @param directory Made if it is not there.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import type { Environment } from "../environments/environment.ts";
 * import { hypergridEnvironment } from "../environments/hypergrid.ts";
 * import { createPolicy } from "./create_policy.ts";
 * import { openPolicy, savePolicy } from "./policy_directory.ts";
 * const grid = hypergridEnvironment({ ndim: 2, height: 3, r0: 1, r1: 0, r2: 0 }) as Environment;
 * const policy = await createPolicy({ kind: "mlp", width: 8 }, grid, "seed 20");
 * const directory = Deno.makeTempDirSync();
 * await savePolicy(policy, directory);
 * const same = await openPolicy(directory);
 * assert.deepEqual(await same.save(), await policy.save());
 * assert.equal(same.version, policy.version);
 * Deno.removeSync(directory, { recursive: true });
 * ```
 */
export async function savePolicy(policy: Policy, directory: string): Promise<void> {
  await Deno.mkdir(directory, { recursive: true });
  await writeParts(`${directory}/${policyFile}`, policy.saveParts());
  await writeParts(`${directory}/${optimizerFile}`, policy.saveOptimizerParts());
}

async function writeParts(path: string, parts: AsyncIterable<Uint8Array>): Promise<void> {
  const unfinished = `${path}.part`;
  using file = await Deno.open(unfinished, { write: true, create: true, truncate: true });
  for await (const part of parts) {
    for (let at = 0; at < part.length;) at += await file.write(part.subarray(at));
  }
  await file.sync();
  await Deno.rename(unfinished, path);
}

/**
 * The policy that `savePolicy` wrote, with its optimiser; tensors are read one by one.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { createPolicy } from "./create_policy.ts";
 * import { openPolicy, savePolicy } from "./policy_directory.ts";
 * const environment = environmentNamed("numbers", { max: 9, base: 10 });
 * const folder = Deno.makeTempDirSync();
 * await savePolicy(await createPolicy({ kind: "table" }, environment, "seed"), folder);
 * assert.equal((await openPolicy(folder)).kind, "table");
 * Deno.removeSync(folder, { recursive: true });
 * ```
 *
 * @param options As for `loadPolicy`.
 * @throws Error if the files are not there or are no policy.
 */
export async function openPolicy(directory: string, options: OpenOptions = {}): Promise<Policy> {
  using parameters = openFile(`${directory}/${policyFile}`);
  const policy = await policyOf(readTensors(parameters), options);
  using optimizer = openFile(`${directory}/${optimizerFile}`);
  await policy.loadOptimizer(readTensors(optimizer).tensors);
  return policy;
}

/** A file that is read by stretches, until it is disposed of. */
function openFile(path: string): ByteSource & Disposable {
  const file = Deno.openSync(path);
  return {
    size: file.statSync().size,
    read(begin, end) {
      const bytes = new Uint8Array(end - begin);
      file.seekSync(begin, Deno.SeekMode.Start);
      for (let at = 0; at < bytes.length;) {
        const count = file.readSync(bytes.subarray(at));
        if (count === null) throw new Error(`Cannot read ${path}: it became shorter`);
        at += count;
      }
      return bytes;
    },
    [Symbol.dispose]: () => file.close(),
  };
}
