/** Files of an installed llama.cpp, and the permissions of its process. */
import { existsSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { denoPath } from "../base/deno_command.ts";
import { commandLine } from "../base/command_name.ts";
import { MissingPartError } from "../base/diagnostic.ts";

/** The version of node-llama-cpp that this code was written for. */
export const llamaVersion = "3.22.1";

const entry = fileURLToPath(new URL("../../.sluice/llama/entry.js", import.meta.url));

/** Permissions of the process, for people. */
export const llamaPermissions =
  "native code (ffi), reading files, variables that are empty, facts of the machine, and to start Deno";

/**
 * Main module and flags of the process, which do not bind native code. The library starts Deno once, to try whether
 * the library loads; reads look for the system's C library.
 *
 * @throws MissingPartError if llama.cpp was not installed.
 */
export function llamaProcess(): { readonly main: string; readonly flags: readonly string[] } {
  if (!existsSync(entry)) {
    const message = 'Cannot use an oracle of kind "llama_cpp": llama.cpp is not installed';
    throw new MissingPartError(message, `${commandLine("install", "llama")}, or kind = "policy"`);
  }
  const own = ["--no-config", "--no-lock", "--node-modules-dir=manual"];
  const may = ["--allow-ffi", "--allow-read", "--allow-env", "--allow-sys"];
  const deno = [...new Set([denoPath(), Deno.execPath(), realpathSync(Deno.execPath())])];
  return { main: entry, flags: [...own, ...may, `--allow-run=${deno.join(",")}`] };
}
