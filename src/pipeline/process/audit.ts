/** Accesses of a stage's process, from the record that Deno keeps of permissions. */
import { isAbsolute, relative, resolve } from "node:path";
import type { Grants, PermissionName } from "./permissions.ts";
import { permissionNames } from "./permissions.ts";

/** One thing that was touched, once. */
export interface Access {
  readonly permission: string;
  readonly value: string;
  /** True if the stage's grants cover it. */
  readonly declared: boolean;
}

/** Reads Deno's audit file; repeated accesses are one. Without a file nothing was touched. */
export function readAudit(path: string, grants: Grants): Access[] {
  const found = new Map<string, Access>();
  for (const line of auditLines(path)) {
    const entry = parseLine(line);
    if (!entry) continue;
    const declared = isCovered(grants, entry.permission, entry.value);
    found.set(`${entry.permission} ${entry.value}`, { ...entry, declared });
  }
  return [...found.values()];
}

/** Grants that nothing used: each is a warning. Files that parameters name are not declarations. */
export function unusedGrants(
  grants: Grants,
  accesses: readonly Access[],
): [PermissionName, string][] {
  return permissionNames.flatMap((name) =>
    grants[name]
      .filter((value) =>
        !accesses.some((access) => access.permission === name && covers(name, value, access.value))
      )
      .map((value): [PermissionName, string] => [name, value])
  );
}

function auditLines(path: string): string[] {
  try {
    return Deno.readTextFileSync(path).split("\n");
  } catch {
    return [];
  }
}

function parseLine(line: string): { permission: string; value: string } | undefined {
  try {
    const { permission, value } = JSON.parse(line);
    return { permission: String(permission), value: String(value ?? "") };
  } catch {
    return undefined;
  }
}

function isCovered(grants: Grants, permission: string, value: string): boolean {
  const name = permissionNames.find((known) => known === permission);
  return name !== undefined && grants[name].some((grant) => covers(name, grant, value));
}

function covers(name: PermissionName, grant: string, value: string): boolean {
  if (grant === value || grant === "*") return true;
  if (name === "net") return value.startsWith(`${grant}:`);
  if (name !== "read" && name !== "ffi") return false;
  const inside = relative(grant, resolve(value));
  return inside === "" || (!inside.startsWith("..") && !isAbsolute(inside));
}
