/** The user's own folder of Sluice, outside of every project: keys, and the list of trust. */
import { isAbsolute, join } from "node:path";

let chosen: string | undefined;

/** Takes another folder instead, in this realm alone: variables are those of the whole process. */
export function chooseUserFolder(folder: string | undefined): void {
  chosen = folder;
}

/**
 * `$XDG_CONFIG_HOME/sluice`, else `~/.config/sluice`: the first of them in which this process may
 * write (XDG Base Directory Specification); undefined if there is none. Nothing is created.
 */
export function userFolder(): string | undefined {
  if (chosen !== undefined) return chosen;
  const [config, home] = [variable("XDG_CONFIG_HOME"), variable("HOME")];
  const folders = [config, home && join(home, ".config")];
  return folders.filter((folder) => folder !== undefined && isAbsolute(folder))
    .map((folder) => join(folder!, "sluice"))
    .find(mayWrite);
}

function variable(name: string): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable: name });
  return state === "granted" ? Deno.env.get(name) || undefined : undefined;
}

function mayWrite(path: string): boolean {
  return Deno.permissions.querySync({ name: "write", path }).state === "granted";
}
