/** Digests of module graphs: everything that a stage's code consists of, by `deno info --json`. */
import { existsSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { liesOutside } from "../../base/regular_file.ts";
import { fileURLToPath } from "node:url";
import { type InputError, inputError } from "../../base/diagnostic.ts";
import { digestOf } from "../../base/digest.ts";
import { writeAtomic } from "../../base/atomic.ts";
import { isRecord } from "../../base/record.ts";
import { JsonSeals } from "../../base/sealed_json.ts";
import { type HashedFile, hashedFile, stillHolds } from "./hashed_file.ts";
import { readJsonFile } from "./json_file.ts";
import type { ProjectLayout, SluiceHome } from "../project/project.ts";

/** The code of one entry. */
export interface ModuleGraph {
  /** SHA-256 over names and contents of all local modules, and names and integrity of packages. */
  readonly digest: string;
  /** Absolute paths of the local modules, the generated entry left out. */
  readonly files: readonly string[];
}

interface CachedGraph extends ModuleGraph {
  readonly stamps: readonly HashedFile[];
}

interface InfoModule {
  readonly kind?: string;
  readonly local?: string;
  readonly specifier: string;
  readonly npmPackage?: string;
  readonly error?: string;
}

interface Info {
  readonly modules: readonly InfoModule[];
  readonly npmPackages?: Readonly<Record<string, { readonly dependencies?: readonly string[] }>>;
}

/** What the cache of graphs is sealed as. */
const cacheName = "modules";

/** Runs `deno info --json` on a file and returns what it printed. */
export type InfoCommand = (entry: string, config?: string) => Promise<unknown>;

/** The module graphs of a project, remembered until one of their files changes. */
export class ModuleGraphs {
  readonly #layout: ProjectLayout;
  readonly #home: SluiceHome;
  readonly #info: InfoCommand;
  readonly #known: Map<string, CachedGraph>;
  readonly #seals: JsonSeals;
  readonly #running = new Map<string, Promise<CachedGraph>>();
  /** Entries whose files were looked at: stages of one plan share their code. */
  readonly #verified = new Set<string>();
  #changed = false;

  constructor(layout: ProjectLayout, home: SluiceHome, info: InfoCommand) {
    this.#layout = layout;
    this.#home = home;
    this.#info = info;
    this.#seals = new JsonSeals(layout.root);
    this.#known = new Map(Object.entries(this.#readCache()));
  }

  /**
   * The module graph of an entry.
   *
   * @throws InputError if a module cannot be found or read.
   */
  async of(entry: string): Promise<ModuleGraph> {
    const known = this.#verified.has(entry) ? this.#known.get(entry) : this.#current(entry);
    if (known) {
      this.#verified.add(entry);
      return known;
    }
    const running = this.#running.get(entry) ?? this.#read(entry);
    this.#running.set(entry, running);
    try {
      const graph = await running;
      this.#known.set(entry, graph);
      this.#verified.add(entry);
      this.#changed = true;
      return graph;
    } finally {
      this.#running.delete(entry);
    }
  }

  /** True if no file of the graph changed since it was read. */
  isCurrent(entry: string): boolean {
    return this.#current(entry) !== undefined;
  }

  /** Record of an entry, if it still holds; files that were only touched get new stamps. */
  #current(entry: string): CachedGraph | undefined {
    const known = this.#known.get(entry);
    const stamps = known?.stamps.map(stillHolds);
    if (!known || !stamps || !stamps.every((stamp) => stamp !== undefined)) return undefined;
    if (stamps.every((stamp, i) => stamp === known.stamps[i])) return known;
    const fresh = { ...known, stamps };
    this.#known.set(entry, fresh);
    this.#changed = true;
    return fresh;
  }

  /** Writes what is known for the next run. */
  save(): void {
    if (!this.#changed) return;
    const sealed = this.#seals.seal(cacheName, { graphs: Object.fromEntries(this.#known) });
    writeAtomic(this.#layout.modules, JSON.stringify(sealed));
    this.#changed = false;
  }

  #readCache(): Record<string, CachedGraph> {
    const { graphs } = this.#seals.open(cacheName, readJsonFile(this.#layout.modules)) ?? {};
    return isRecord(graphs) ? graphs as Record<string, CachedGraph> : {};
  }

  async #read(entry: string): Promise<CachedGraph> {
    const info = await this.#info(entry, this.#home.config) as Info;
    const broken = info.modules.find((module) => module.error);
    if (broken) throw this.#notLoadable(broken);
    const paths = this.#localFiles(info).filter((path) => path !== entry);
    const stamps = paths.map(hashedFile);
    const local = stamps.map(({ path, sha256 }) => [this.#name(path), sha256]);
    const packages = this.#packages(info);
    const digest = digestOf({ local: local.sort(byFirst), packages });
    return { digest, files: paths, stamps: [...stamps, ...this.#lockStamps()] };
  }

  /** Deno's words quote the file; of one outside the project they would show what it holds. */
  #notLoadable({ specifier, error }: InfoModule): InputError {
    const path = specifier.startsWith("file:") ? fileURLToPath(specifier) : undefined;
    const isOutside = path !== undefined && liesOutside(path, [this.#layout.root]);
    const reason = isOutside ? "it is no module, and lies outside the project" : error;
    return inputError("kind/not-loadable", `Cannot load ${specifier}: ${reason}`);
  }

  /**
   * Files of the graph. `deno info` does not follow imports inside `node_modules`: of an installed
   * Sluice every module counts, of any other package its `package.json`.
   */
  #localFiles(info: Info): string[] {
    const files = info.modules.flatMap(({ kind, local }) => {
      if (local === undefined || kind === "npm") return [];
      if (kind !== "external") return [local];
      const isPackaged = /[\\/]node_modules[\\/]/.test(local);
      const owner = isPackaged ? packageFolder(local) : undefined;
      if (owner === undefined) return [local]; // a file that is imported as text
      if (owner === this.#home.root) return codeFiles(owner);
      const manifest = join(owner, "package.json");
      return [existsSync(manifest) ? manifest : local];
    });
    return [...new Set(files)].sort();
  }

  #name(path: string): string {
    for (const [name, root] of [["sluice", this.#home.root], ["project", this.#layout.root]]) {
      const inside = relative(root, path);
      if (!inside.startsWith("..") && inside !== "") {
        return `${name}/${inside.split(sep).join("/")}`;
      }
    }
    return `outside/${basename(path)}`;
  }

  #lockFile(): string {
    return join(this.#home.root, "deno.lock");
  }

  #lockStamps(): HashedFile[] {
    try {
      return [hashedFile(this.#lockFile())];
    } catch {
      return [];
    }
  }

  #packages(info: Info): string[] {
    const lock = readJsonFile(this.#lockFile()) as
      | { npm?: Record<string, { integrity?: string }> }
      | undefined;
    const roots = info.modules.flatMap((module) => module.npmPackage ?? []);
    const names = reachable(roots, (name) => info.npmPackages?.[name]?.dependencies ?? []);
    return names.map((name) => `${name} ${lock?.npm?.[name]?.integrity ?? ""}`).sort();
  }
}

function packageFolder(file: string): string {
  for (let at = dirname(file);; at = dirname(at)) {
    if (existsSync(join(at, "package.json")) || dirname(at) === at) return at;
  }
}

function codeFiles(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = join(folder, name);
    if (isDirectory) return name === "node_modules" ? [] : codeFiles(path);
    return /\.(m?[jt]s|json)$/.test(name) ? [path] : [];
  });
}

function reachable(roots: readonly string[], next: (name: string) => readonly string[]): string[] {
  const seen = new Set<string>();
  const open = [...roots];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    open.push(...next(name));
  }
  return [...seen];
}

function byFirst(a: readonly string[], b: readonly string[]): number {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
}
