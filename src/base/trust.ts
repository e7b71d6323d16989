/** Trust of a user beyond the own key and the project: keys of others, and folders of links. */
import { join, resolve } from "node:path";
import { readIfThere, writeAtomic } from "./atomic.ts";
import { inputError } from "./diagnostic.ts";
import { isRecord } from "./record.ts";
import { userFolder } from "./user_folder.ts";

/** The list, as `sluice trust` prints and changes it. */
export interface Trust {
  /** Public keys whose entries of a memo are believed. */
  readonly keys: readonly string[];
  /** Folders and files outside of projects in which links of a project may end. */
  readonly folders: readonly string[];
}

/** Trust in no key and no folder. */
const noTrust: Trust = { keys: [], folders: [] };

/** The list in the user's own folder; empty if there is none, or none that can be read. */
export function readTrust(): Trust {
  const path = listPath();
  const bytes = path === undefined ? undefined : readIfThere(path);
  if (!bytes) return noTrust;
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes));
    return isRecord(value) ? { keys: texts(value.keys), folders: texts(value.folders) } : noTrust;
  } catch {
    return noTrust;
  }
}

/**
 * Adds a key or a folder, whichever it is.
 *
 * @throws InputError `trust/no-folder` if nothing can be kept, `trust/neither` if it is no key and
 * there is no such file or folder.
 */
export function addTrust(what: string): Trust {
  const [name, list] = [kindOf(what), readTrust()];
  if (name === "folders" && !exists(what)) {
    const message = `Cannot trust ${what}: it is no key, and there is no such folder`;
    const hint = "a key has 64 hexadecimal digits: sluice trust prints it, on its owner's machine";
    throw inputError("trust/neither", message, undefined, hint);
  }
  const all = new Set([...list[name], normal(what)]);
  return write({ ...list, [name]: [...all].sort() });
}

/** Takes a key or a folder off the list. @throws InputError `trust/unknown` if it is not on it. */
export function removeTrust(what: string): Trust {
  const [name, list] = [kindOf(what), readTrust()];
  const kept = list[name].filter((each) => each !== normal(what));
  if (kept.length === list[name].length) {
    const message = `Cannot remove ${what}: it is not on the list`;
    throw inputError("trust/unknown", message, undefined, "sluice trust prints the list");
  }
  return write({ ...list, [name]: kept });
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

function write(trust: Trust): Trust {
  const path = listPath();
  if (path === undefined) {
    const message = "Cannot keep what is trusted: the user's own folder cannot be written";
    throw inputError("trust/no-folder", message, undefined, "set HOME, and allow to write there");
  }
  writeAtomic(path, JSON.stringify(trust, null, 2) + "\n");
  return trust;
}

function listPath(): string | undefined {
  const folder = userFolder();
  return folder && join(folder, "trusted.json");
}

function kindOf(what: string): "keys" | "folders" {
  return /^[0-9a-f]{64}$/i.test(what) ? "keys" : "folders";
}

function normal(what: string): string {
  return kindOf(what) === "keys" ? what.toLowerCase() : resolve(what);
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
