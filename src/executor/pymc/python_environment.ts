/** The Python environment of the PyMC front end: where it is, and what is locked into it. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MissingPartError } from "../../base/diagnostic.ts";
import { sha256 } from "../../base/digest.ts";
import { readOwnFile } from "../own_file.ts";

/** The locked packages, beside this file. */
export const pythonLockFile = fileURLToPath(new URL("./requirements.lock", import.meta.url));

/** SHA-256 of the lock. @throws MissingPartError if Sluice was installed without it. */
export function pythonLockDigest(): string {
  return sha256(readOwnFile(pythonLockFile));
}

/** Folder of the environment in a project. */
export function environmentFolder(root: string): string {
  return join(root, ".sluice", "python");
}

/** Written last by the installation: the digest of the lock that was installed. */
export function stampFile(root: string): string {
  return join(environmentFolder(root), "sluice-lock");
}

/**
 * The interpreter of a project's environment.
 *
 * @throws MissingPartError if it is not there, or was made from another lock.
 */
export function findPython(root: string): string {
  const remedy = "run `sluice doctor --install-python`";
  let installed: string;
  try {
    installed = Deno.readTextFileSync(stampFile(root)).trim();
  } catch {
    throw new MissingPartError("The PyMC executor needs a Python environment of its own", remedy);
  }
  if (installed !== pythonLockDigest()) {
    throw new MissingPartError("The Python environment was made from another lock", remedy);
  }
  const python = join(environmentFolder(root), "bin", "python");
  if (isFile(python)) return python;
  throw new MissingPartError(`The Python environment has no interpreter: ${python}`, remedy);
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
