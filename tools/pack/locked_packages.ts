/** Holds packages that npm installs to what deno.lock pins: versions and integrities. */

/** Entries of deno.lock about npm packages. */
export interface DenoLock {
  readonly npm?: Readonly<Record<string, { readonly integrity: string }>>;
}

/** npm's record of an installation: package-lock.json of format 3. */
export interface NpmLock {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly integrity?: string }>
  >;
}

/** Integrities by `name@version`: peers, which deno.lock adds to a version, are no part of it. */
export function lockedPackages({ npm = {} }: DenoLock): Map<string, string> {
  return new Map(
    Object.entries(npm).map(([key, { integrity }]) => {
      const at = key.indexOf("@", 1);
      return [`${key.slice(0, at)}@${key.slice(at + 1).split("_", 1)[0]}`, integrity];
    }),
  );
}

/**
 * `overrides` of a package.json, so that npm takes the versions of deno.lock: of every package that is there in one
 * version and is no direct dependency.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { lockedPackages, overridesOf } from "./locked_packages.ts";
 * const locked = lockedPackages({ npm: { "a@1.0.0": { integrity: "x" }, "b@2.0.0_c@1": { integrity: "y" } } });
 * assert.deepEqual(overridesOf(locked, ["a"]), { b: "2.0.0" });
 * ```
 */
export function overridesOf(
  locked: ReadonlyMap<string, string>,
  direct: readonly string[],
): Record<string, string> {
  const versions = Map.groupBy([...locked.keys()], (key) => key.slice(0, key.indexOf("@", 1)));
  return Object.fromEntries(
    [...versions].filter(([name, keys]) => keys.length === 1 && !direct.includes(name))
      .map(([name, [key]]) => [name, key.slice(name.length + 1)]),
  );
}

/**
 * @param apart names, or scopes, of packages that are installed beside and go nowhere.
 * @throws Error with every package that deno.lock does not pin, or pins with another integrity.
 */
export function requireLocked(
  { packages }: NpmLock,
  locked: ReadonlyMap<string, string>,
  apart: readonly string[] = [],
): void {
  const astray = Object.entries(packages).flatMap(([path, { version, integrity }]) => {
    if (path === "" || !integrity) return [];
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    if (apart.includes(name.split("/", 1)[0])) return [];
    const pinned = locked.get(`${name}@${version}`);
    if (pinned === integrity) return [];
    return [`${name}@${version}: ${pinned ? "another integrity" : "not in deno.lock"}`];
  });
  if (astray.length === 0) return;
  throw new Error(
    `npm installed what deno.lock does not pin:\n  ${astray.join("\n  ")}\n` +
      "mend: pin the version in deno.json, or renew deno.lock with `deno install`",
  );
}
