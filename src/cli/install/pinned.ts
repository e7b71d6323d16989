/** Loads native packages whose hashes stand beside this file: nothing else is unpacked or run. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Why an installation ended. */
export class InstallError extends Error {
  constructor(message: string, readonly remedy: string) {
    super(message);
  }
}

/** Runs a program to its end. @throws InstallError if it is missing or fails. */
export async function command(
  name: string,
  args: readonly string[],
  remedy: string,
): Promise<void> {
  const env = { TF_CPP_MIN_LOG_LEVEL: "3" };
  try {
    const child = new Deno.Command(name, { args: [...args], env, stdin: "null" }).spawn();
    if ((await child.status).success) return;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  throw new InstallError(`${name} is missing or has failed`, remedy);
}

/**
 * Loads a wheel by pip and unpacks it.
 *
 * @param requirements A file beside this one: name, version and a hash for each platform.
 * @throws InstallError if there is no wheel for this machine with one of the hashes.
 */
export async function unpackWheel(requirements: string, folder: string): Promise<void> {
  const remedy = "install Python 3 with pip; a hash that differs is a wheel that was exchanged";
  const only = ["--no-deps", "--only-binary=:all:", "--require-hashes"];
  const from = ["-d", folder, "-r", join(here, requirements)];
  await command("python3", ["-m", "pip", "download", "-q", ...only, ...from], remedy);
  const wheel = readdirSync(folder).find((name) => name.endsWith(".whl"));
  if (!wheel) throw new InstallError(`pip left no wheel in ${folder}`, "try again");
  await command("python3", ["-m", "zipfile", "-e", join(folder, wheel), folder], remedy);
  rmSync(join(folder, wheel));
}

/** Installs the packages of a lock beside this file; npm refuses what has another integrity. */
export async function installLocked(name: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) {
    copyFileSync(join(here, name, file), join(folder, file));
  }
  const flags = ["--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund"];
  await command("npm", ["ci", ...flags, "--prefix", folder], "install Node.js with npm");
}

/**
 * Unpacks one package of npm into `node_modules`.
 *
 * @param integrity As npm states it: `sha512-…`.
 * @throws InstallError if npm hands out other bytes.
 */
export async function unpackPackage(
  name: string,
  integrity: string,
  folder: string,
): Promise<void> {
  const into = join(folder, "packed");
  mkdirSync(into, { recursive: true });
  const remedy = "install Node.js with npm";
  await command("npm", ["pack", "--silent", "--pack-destination", into, name], remedy);
  const [file] = readdirSync(into);
  requireIntegrity(name, readFileSync(join(into, file)), integrity);
  const own = join(folder, "node_modules", name.slice(0, name.lastIndexOf("@")));
  mkdirSync(own, { recursive: true });
  await command(
    "tar",
    ["-xzf", join(into, file), "--strip-components=1", "-C", own],
    "install tar",
  );
  rmSync(into, { recursive: true });
}

/** @throws InstallError if these bytes are others than were pinned. */
export function requireIntegrity(name: string, bytes: Uint8Array, integrity: string): void {
  const found = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  if (found === integrity) return;
  throw new InstallError(
    `${name} has the integrity ${found}, wanted ${integrity}`,
    "the package was exchanged, or the cache of npm is damaged: npm cache clean --force",
  );
}

/** Runs an installer, and ends with status 3 and what to do where it cannot. */
export async function installing(what: string, folder: string, install: () => Promise<void>) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    await install();
  } catch (error) {
    if (!(error instanceof InstallError)) throw error;
    rmSync(folder, { recursive: true, force: true });
    console.error(`Cannot install ${what}: ${error.message}\n  mend: ${error.remedy}`);
    Deno.exit(3);
  }
}
