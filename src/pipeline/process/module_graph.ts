/** Digests of module graphs: everything that a stage's code consists of, by `deno info --json`. */
import { existsSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { liesOutside } from "../../base/regular_file.ts";
import { fileURLToPath } from "node:url";
import { type InputError, inputError } from "../../base/diagnostic.ts";
import { digestOf } from "../../base/digest.ts";
import { writeAtomic } from "../../base/atomic.ts";
import { JsonSeals } from "../../base/sealed_json.ts";
import {
  type GraphInfo,
  type InfoCommand,
  type InfoModule,
  modulesOf,
  reachable,
} from "./graph_info.ts";
import { readJsonFile } from "./json_file.ts";
import { type KeptGraphs, type KnownGraph, readKept, toKeep } from "./kept_graphs.ts";
import { KnownFiles } from "./known_files.ts";
import type { ProjectLayout, SluiceHome } from "../project/project.ts";

/** The code of one entry. */
export interface ModuleGraph {
  /** SHA-256 over names and contents of all local modules, and names and integrity of packages. */
  readonly digest: string;
  /** Absolute paths of the local modules, the generated entry left out. */
  readonly files: readonly string[];
}

/** Name under which the cache of graphs is sealed. */
const cacheName = "modules";

/** Entries of one call: its argument names them all, and has a longest length. */
const mostEntries = 100;

/** A call of `deno info` that is made once all of a turn have asked. */
interface InfoCall {
  readonly entries: string[];
  readonly info: Promise<GraphInfo>;
}

/** The module graphs of a project, remembered until one of their files changes. */
export class ModuleGraphs {
  readonly #layout: ProjectLayout;
  readonly #home: SluiceHome;
  readonly #info: InfoCommand;
  readonly #known: Map<string, KnownGraph>;
  readonly #files: KnownFiles;
  readonly #seals: JsonSeals;
  /** Graphs since their files were read: many stages share an entry. */
  readonly #held = new Map<string, Promise<ModuleGraph>>();
  #call: InfoCall | undefined;
  #changed = false;

  constructor(layout: ProjectLayout, home: SluiceHome, info: InfoCommand) {
    this.#layout = layout;
    this.#home = home;
    this.#info = info;
    this.#seals = new JsonSeals(layout.root);
    const { files, graphs } = this.#readCache();
    this.#files = new KnownFiles(files);
    this.#known = graphs;
  }

  /**
   * The module graph of an entry. Entries that are asked for side by side are read by one call.
   *
   * @throws InputError if a module cannot be found or read.
   */
  of(entry: string): Promise<ModuleGraph> {
    const held = this.#held.get(entry) ?? this.#look(entry);
    this.#held.set(entry, held);
    return held;
  }

  async #look(entry: string): Promise<ModuleGraph> {
    const known = this.#known.get(entry);
    const graph = known?.contents.every((file) => this.#files.holds(file))
      ? known
      : await this.#read(entry);
    const lock = this.#lockFile();
    const paths = graph.contents.map(({ path }) => path);
    return { digest: graph.digest, files: paths.filter((path) => path !== lock) };
  }

  /** True if no file of the graph changed since it was read. */
  isCurrent(entry: string): boolean {
    this.#held.clear();
    return this.#known.get(entry)?.contents.every((file) => this.#files.holdsNow(file)) ?? false;
  }

  /** Writes what is known for the next run. */
  save(): void {
    if (!this.#changed && !this.#files.changed) return;
    const record = toKeep(this.#known, this.#files);
    writeAtomic(this.#layout.modules, JSON.stringify(this.#seals.seal(cacheName, record)));
    this.#changed = false;
    this.#files.saved();
  }

  #readCache(): KeptGraphs {
    return readKept(this.#seals.open(cacheName, readJsonFile(this.#layout.modules)) ?? {});
  }

  async #read(entry: string): Promise<KnownGraph> {
    const info = await this.#infoOf(entry);
    const graph = this.#graphOf(entry, info);
    this.#known.set(entry, graph);
    this.#changed = true;
    return graph;
  }

  async #infoOf(entry: string): Promise<GraphInfo> {
    const isOpen = this.#call !== undefined && this.#call.entries.length < mostEntries;
    const call = isOpen ? this.#call! : this.#call = this.#nextCall();
    call.entries.push(entry);
    return await call.info;
  }

  #nextCall(): InfoCall {
    const entries: string[] = [];
    const info = Promise.resolve().then(() => {
      this.#call = undefined;
      return this.#info([...new Set(entries)], this.#home.config) as Promise<GraphInfo>;
    });
    return { entries, info };
  }

  #graphOf(entry: string, info: GraphInfo): KnownGraph {
    const modules = modulesOf(entry, info);
    const broken = modules.find((module) => module.error);
    if (broken) throw this.#notLoadable(broken);
    const paths = this.#localFiles(modules).filter((path) => path !== entry);
    const contents = paths.map((path) => this.#files.read(path));
    const local = contents.map(({ path, sha256 }) => [this.#name(path), sha256]);
    const packages = this.#packages(modules, info);
    const digest = digestOf({ local: local.sort(byFirst), packages });
    return { digest, contents: [...contents, ...this.#lock()] };
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
  #localFiles(modules: readonly InfoModule[]): string[] {
    const files = modules.flatMap(({ kind, local }) => {
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

  #lock(): KnownGraph["contents"] {
    return existsSync(this.#lockFile()) ? [this.#files.read(this.#lockFile())] : [];
  }

  #packages(modules: readonly InfoModule[], { npmPackages }: GraphInfo): string[] {
    const lock = readJsonFile(this.#lockFile()) as
      | { npm?: Record<string, { integrity?: string }> }
      | undefined;
    const roots = modules.flatMap((module) => module.npmPackage ?? []);
    const names = reachable(roots, (name) => npmPackages?.[name]?.dependencies ?? []);
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

function byFirst(a: readonly string[], b: readonly string[]): number {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
}
