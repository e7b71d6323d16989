/** The digest of what makes a graph of a text: the extraction, and the locked packages of Python. */
import { fileURLToPath } from "node:url";
import { digestOf, sha256 } from "../../base/digest.ts";
import { readOwnFile } from "../own_file.ts";
import { pythonLockDigest } from "./python_environment.ts";

/** The script that has PyMC build a model and prints its graph. */
export const extractionScript = fileURLToPath(
  new URL("../../engine/language/graph_import/extract.py", import.meta.url),
);

/** SHA-256 of both. @throws MissingPartError if Sluice was installed without them. */
export function frontEndDigest(): string {
  return digestOf([sha256(readOwnFile(extractionScript)), pythonLockDigest()]);
}
