/** Starts Deno by the path of the one that runs, with a scrubbed environment. */
import { realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { MissingPartError } from "./diagnostic.ts";

/** Variables without which a process does not start, or finds no folder for its files, by system. */
const needed: Readonly<Record<string, readonly string[]>> = {
  windows: ["SystemRoot", "TEMP", "TMP", "LOCALAPPDATA", "APPDATA"],
};

/**
 * Of the caller's environment, the part that a child needs: nothing, but on Windows.
 *
 * @param read value of a variable; undefined if it is not there, or may not be read.
 */
export function inheritedEnvironment(
  os: string = Deno.build.os,
  read: (name: string) => string | undefined = readVariable,
): Record<string, string> {
  const found = (needed[os] ?? []).map((name) => [name, read(name)] as const);
  return Object.fromEntries(found.filter((one): one is [string, string] => one[1] !== undefined));
}

const quietEnvironment = { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", DENO_NO_PROMPT: "1" };

/**
 * A command that runs the Deno that runs this code, with all three standard streams piped and none of
 * the caller's environment but variables that the system needs. The child is in a process group of its own: a terminal's Ctrl-C reaches
 * the runner alone, also while the child starts.
 *
 * @param options.cwd Working folder of the child; that of this process if left out.
 * @param options.env Added to the variables that keep Deno quiet; nothing else is inherited,
 * @param options.inherits unless this is true: its flags say which variables a child may read.
 * @throws MissingPartError if that Deno may not be started.
 */
export function denoCommand(
  args: readonly string[],
  options: {
    readonly cwd?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly inherits?: boolean;
  } = {},
): Deno.Command {
  return new Deno.Command(denoPath(), {
    args: [...args],
    cwd: options.cwd,
    clearEnv: options.inherits !== true,
    env: { ...inheritedEnvironment(), ...quietEnvironment, ...options.env },
    detached: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  });
}

/**
 * A module as an argument of Deno, which reads some paths as URLs: in them, `#` and `%` would begin
 * something else. A `data:` URL stays as it is.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { moduleArgument } from "./deno_command.ts";
 * assert.equal(moduleArgument("/a#b/50%.ts"), "file:///a%23b/50%25.ts");
 * ```
 */
export function moduleArgument(module: string): string {
  return /^(data|file):/.test(module) ? module : pathToFileURL(module).href;
}

/** Path of a module beside another, given as in the repository: in a package it ends as that does. */
export function moduleBeside(module: string, url: string): string {
  const ending = url.slice(url.lastIndexOf("."));
  return fileURLToPath(new URL(module.replace(/\.ts$/, ending), url));
}

let known: string | undefined;

/**
 * Path of the Deno that runs this code, as it may be started. A name is never looked up to be
 * started: a folder of the project may come first on the PATH, and any package may put a `deno`
 * there. Where `--allow-run=deno` grants the file of the PATH, that must be the same file.
 *
 * @throws MissingPartError if the permission is another's, or none.
 */
export function denoPath(): string {
  return known ??= findDeno(Deno.execPath(), readVariable("PATH"));
}

/**
 * `own` if it may be started, else the first Deno on the PATH if that is the same file.
 *
 * @param path value of the variable, if it may be read.
 * @param mayRun whether a path may be started.
 * @throws MissingPartError if it is neither.
 */
export function findDeno(
  own: string,
  path: string | undefined,
  mayRun: (file: string) => boolean = isGranted,
): string {
  if (mayRun(own)) return own;
  const named = firstOn(path ?? "");
  if (named && mayRun(named) && realpathSync(named) === realpathSync(own)) return named;
  const found = named === undefined || realpathSync(named) === realpathSync(own)
    ? "the permission is missing"
    : `"deno" on the PATH is another one, ${named}`;
  throw new MissingPartError(
    `Cannot start a child process of ${own}: ${found}`,
    `start with --allow-run=${own}, by npx sluice, or with that Deno first on the PATH`,
  );
}

function isGranted(command: string): boolean {
  return Deno.permissions.querySync({ name: "run", command }).state === "granted";
}

function readVariable(name: string): string | undefined {
  try {
    return Deno.env.get(name);
  } catch {
    return undefined; // it may not be read
  }
}

/** The first file named `deno` in the folders of a PATH. */
function firstOn(path: string): string | undefined {
  const name = Deno.build.os === "windows" ? "deno.exe" : "deno";
  const files = path.split(delimiter).filter(isAbsolute).map((folder) => join(folder, name));
  return files.find((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}

/** Version and size of the running Deno, without reading all of it: part of every attestation. */
export function denoIdentity(): { readonly version: string; readonly bytes: number } {
  return { version: Deno.version.deno, bytes: statSync(Deno.execPath()).size };
}

/**
 * Refuses a Deno of another version: attestations and recorded bits hold for one alone.
 *
 * @throws MissingPartError if `version` differs from the version that runs this code.
 */
export function checkDenoVersion(version: string): void {
  if (version === Deno.version.deno) return;
  throw new MissingPartError(
    `Cannot use a child process: it runs Deno ${version}, this process ${Deno.version.deno}`,
    "the executable was replaced meanwhile: start again",
  );
}

/** The error for a Deno that cannot be started. */
export function missingDeno(cause: unknown): MissingPartError {
  if (cause instanceof MissingPartError) return cause;
  const reason = cause instanceof Error ? cause.message : `${cause}`;
  return new MissingPartError(
    `Cannot start a child process "${Deno.execPath()}": ${reason}`,
    `allow it: --allow-run=${Deno.execPath()}`,
  );
}
