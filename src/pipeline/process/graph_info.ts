/** The answer of `deno info --json` about modules, and the part of it that one entry reaches. */
import { pathToFileURL } from "node:url";

/** A module, and the specifiers of what it imports. */
export interface InfoModule {
  readonly kind?: string;
  readonly local?: string;
  readonly specifier: string;
  readonly npmPackage?: string;
  readonly error?: string;
  readonly dependencies?: readonly InfoDependency[];
}

interface InfoDependency {
  /** Where the code is; an import of types alone has none. */
  readonly code?: { readonly specifier?: string };
}

/** The answer about entries: every module that one of them reaches. */
export interface GraphInfo {
  readonly modules: readonly InfoModule[];
  readonly redirects?: Readonly<Record<string, string>>;
  readonly npmPackages?: Readonly<Record<string, { readonly dependencies?: readonly string[] }>>;
}

/** Runs `deno info --json` on files, all at once, and returns what it printed. */
export type InfoCommand = (entries: readonly string[], config?: string) => Promise<unknown>;

/** The modules that an entry runs, itself among them; an import of types alone runs nothing. */
export function modulesOf(entry: string, info: GraphInfo): InfoModule[] {
  const known = new Map(info.modules.map((module) => [module.specifier, module]));
  const next = (name: string) => importsOf(known.get(name)).map((to) => info.redirects?.[to] ?? to);
  const names = reachable([pathToFileURL(entry).href], next);
  return names.flatMap((name) => known.get(name) ?? []);
}

function importsOf(module: InfoModule | undefined): string[] {
  return module?.dependencies?.flatMap(({ code }) => code?.specifier ?? []) ?? [];
}

/** Names that are reached from roots, each once. */
export function reachable(
  roots: readonly string[],
  next: (name: string) => readonly string[],
): string[] {
  const seen = new Set<string>();
  const open = [...roots];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    open.push(...next(name));
  }
  return [...seen];
}
