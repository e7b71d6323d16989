/** Reads a document with everything that lies over and under it: `use`, overlays, `--set`. */
import { basename, dirname, relative, resolve } from "node:path";
import { type Diagnostic, InputError } from "../../base/diagnostic.ts";
import type { Span } from "../../base/span.ts";
import { type Files, missingFile, resolveWritten } from "./files.ts";
import {
  locate,
  type Located,
  type LocatedTable,
  type Origin,
  spanOfNode,
  type ValueSource,
  without,
} from "./located.ts";
import { layTableOver } from "./merge.ts";
import { parseTomlFile, type TomlDocument } from "./parse.ts";
import { layAt, readSet, setFile } from "./sets.ts";

interface LayerOptions {
  /** As the user gave it; messages call the file by this name. */
  readonly path: string;
  /** Laid over the document from left to right; a leading `@` is left out. */
  readonly overlays?: readonly string[];
  /** `path=value`, laid over everything from left to right. */
  readonly sets?: readonly string[];
  readonly files: Files;
  /** Absolute folder to which `path` and `overlays` are relative. */
  readonly cwd: string;
  /** Where `sluice:` paths begin. */
  readonly sluiceRoot: string;
  /** Whether no line of a file is shown; `typed`: the user named it, and no other file. */
  readonly isHidden?: (absolute: string, typed: boolean) => boolean;
}

export interface Layers {
  /** The merged document; no `use` is left in it. */
  readonly root: LocatedTable;
  /** Text of each file by the name that spans use. */
  readonly sources: Map<string, string>;
  /** Absolute paths, the document first. */
  readonly files: string[];
}

/**
 * Reads and merges all layers.
 *
 * @throws InputError with every file that is missing, malformed or uses itself.
 */
export async function readLayers(options: LayerOptions): Promise<Layers> {
  const reader = new LayerReader(options);
  const root = await reader.all();
  if (reader.diagnostics.length > 0) {
    throw new InputError(reader.diagnostics, reader.sources);
  }
  return { root, sources: reader.sources, files: reader.files };
}

/** A file being read, and the file that asked for it. */
interface Reading {
  readonly absolute: string;
  readonly name: string;
  readonly source: ValueSource;
  readonly parent?: Reading;
}

/** How messages speak of a file that cannot be read. */
interface Request {
  readonly what: string;
  readonly written: string;
  readonly span?: Span;
}

class LayerReader {
  readonly diagnostics: Diagnostic[] = [];
  readonly sources = new Map<string, string>();
  readonly files: string[] = [];

  constructor(readonly options: LayerOptions) {}

  async all(): Promise<LocatedTable> {
    const { path, overlays = [], sets = [] } = this.options;
    let root = await this.#top(path, "file");
    for (const overlay of overlays) {
      root = layTableOver(root, await this.#top(overlay.replace(/^@/, ""), "overlay"));
    }
    return this.#setAll(root, sets);
  }

  async #setAll(start: LocatedTable, sets: readonly string[]): Promise<LocatedTable> {
    const absolute = resolve(this.options.cwd, this.options.path);
    if (sets.length > 0) this.sources.set(setFile, sets.join("\n"));
    let root = start;
    let line = 1;
    for (const argument of sets) {
      const read = readSet(argument, line, dirname(absolute));
      line += argument.split("\n").length;
      if ("diagnostic" in read) {
        this.diagnostics.push(read.diagnostic);
        continue;
      }
      const { request } = read;
      const value = await this.#expand(request.value, { absolute, name: setFile, source: "set" });
      root = layAt(root, { ...request, value });
    }
    return root;
  }

  #top(name: string, source: ValueSource): Promise<LocatedTable> {
    const reading = { absolute: resolve(this.options.cwd, name), name, source };
    return this.#read(reading, { what: `Cannot read ${name}`, written: name });
  }

  /** The located values of a file, its own `use`s expanded; an empty table if it cannot be read. */
  async #read(reading: Reading, request: Request): Promise<LocatedTable> {
    const { absolute, name, source } = reading;
    const text = await this.#text(reading, request);
    const document = this.#parse(text, name);
    const origin: Origin = { source, document, path: [], folder: dirname(absolute) };
    return await this.#expandTable(locate(document.value, origin), reading);
  }

  #parse(text: string, name: string): TomlDocument {
    try {
      return parseTomlFile(text, name);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.diagnostics.push(...error.diagnostics);
      return parseTomlFile("", name);
    }
  }

  async #text(
    { absolute, name, parent }: Reading,
    { what, written, span }: Request,
  ): Promise<string> {
    const { files, isHidden } = this.options;
    try {
      const text = await files.readText(absolute);
      this.sources.set(name, isHidden?.(absolute, parent === undefined) ? "" : text);
      if (!this.files.includes(absolute)) this.files.push(absolute);
      return text;
    } catch (error) {
      if (await files.exists(absolute)) {
        if (error instanceof InputError) {
          this.diagnostics.push(...error.diagnostics.map((one) => ({ ...one, span })));
          return "";
        }
        const reason = error instanceof Error ? error.message : `${error}`;
        this.#report("file/unreadable", `${what}: ${reason}`, span);
      } else {
        this.diagnostics.push(await missingFile(what, written, absolute, span, files));
      }
      return "";
    }
  }

  async #expand(node: Located, reading: Reading): Promise<Located> {
    if (node.kind === "table") return await this.#expandTable(node, reading);
    if (node.kind === "scalar") return node;
    const items: Located[] = [];
    for (const item of node.items) items.push(await this.#expand(item, reading));
    return { ...node, items };
  }

  async #expandTable(table: LocatedTable, reading: Reading): Promise<LocatedTable> {
    const entries = new Map<string, Located>();
    for (const [key, child] of table.entries) {
      entries.set(key, key === "use" ? child : await this.#expand(child, reading));
    }
    const use = entries.get("use");
    if (!use) return { ...table, entries };
    const rest = without({ ...table, entries }, new Set(["use"]));
    return layTableOver(await this.#used(use, reading), rest);
  }

  async #used(use: Located, parent: Reading): Promise<LocatedTable> {
    const span = spanOfNode(use);
    const empty: LocatedTable = { kind: "table", entries: new Map(), origin: use.origin };
    if (use.kind !== "scalar" || typeof use.value !== "string") {
      this.#report("toml/wrong-value", "Cannot read use: wanted the path of a TOML file", span);
      return empty;
    }
    const absolute = resolveWritten(use.value, use.origin.folder, this.options.sluiceRoot);
    const cycle = cycleOf(absolute, parent);
    if (cycle) {
      const names = cycle.map((path) => basename(path)).join(" → ");
      this.#report("toml/use-cycle", `Cannot read "${use.value}": it uses itself: ${names}`, span);
      return empty;
    }
    const source = parent.source === "file" ? "use" : parent.source;
    const name = relative(this.options.cwd, absolute);
    const request = { what: "Cannot read use", written: use.value, span };
    return await this.#read({ absolute, name, source, parent }, request);
  }

  #report(code: string, message: string, span?: Span): void {
    this.diagnostics.push({ code, severity: "error", message, span });
  }
}

/** The files from `absolute` back to itself, if it is being read already. */
function cycleOf(absolute: string, reading: Reading): string[] | undefined {
  const chain = [absolute];
  for (let here: Reading | undefined = reading; here; here = here.parent) {
    chain.unshift(here.absolute);
    if (here.absolute === absolute) return chain;
  }
}
