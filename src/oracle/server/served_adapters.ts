/** Adapters that a server loads from folders of this project, a name for each version. */
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { inputError } from "../../base/diagnostic.ts";
import { sha256 } from "../../base/digest.ts";

/** Versions whose folders stay: older states of a policy may be asked beside it. */
const mostFolders = 4;

const nameForm = /^sluice-[0-9a-f]{16}$/;

/**
 * Writes an adapter where its server finds it.
 *
 * @param root Folder that holds `.sluice`.
 * @param files Of a PEFT folder, by name, their bytes as base64.
 * @returns The name of this version: equal weights, equal names.
 * @throws InputError about files that are no adapter's.
 */
export function writeAdapter(root: string, files: Readonly<Record<string, string>>): string {
  const names = Object.keys(files).sort();
  if (names.join(" ") !== "adapter_config.json adapter_model.safetensors") {
    const message = `Cannot send an adapter of the files ${names.join(", ")}`;
    throw inputError("oracle/adapter", message, undefined, "send those of a PEFT folder");
  }
  const name = `sluice-${sha256(names.map((file) => files[file]).join(" ")).slice(0, 16)}`;
  const folder = adapterFolder(root, name);
  Deno.mkdirSync(folder, { recursive: true });
  for (const file of names) {
    Deno.writeFileSync(join(folder, `${file}.part`), Uint8Array.fromBase64(files[file]));
    Deno.renameSync(join(folder, `${file}.part`), join(folder, file));
  }
  Deno.utimeSync(folder, new Date(), new Date());
  removeOldest(join(folder, ".."));
  return name;
}

/** The folder of a version. @throws Error for any other name. */
export function adapterFolder(root: string, name: string): string {
  if (!nameForm.test(name)) throw new Error(`internal: no version of an adapter: ${name}`);
  return join(root, ".sluice", "oracle", "adapters", name);
}

function removeOldest(folder: string): void {
  const all = readdirSync(folder).filter((name) => nameForm.test(name))
    .map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { path } of all.slice(mostFolders)) rmSync(path, { recursive: true });
}
