/** The kinds and plug-ins that an entry imported, and the codecs of their ports. */
import type { PortType } from "../contract/port.ts";
import type { StageKind } from "../contract/stage.ts";

/** Imports of a generated entry: modules, by the keys that the job gives them. */
export interface EntryImports {
  readonly kinds: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly plugins: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The stage kind that a module exports: as `default`, as `stage`, or by its name among `kinds`. */
export function kindOf(
  module: Readonly<Record<string, unknown>>,
  name?: string,
): StageKind | undefined {
  const several = module.kinds as Readonly<Record<string, unknown>> | undefined;
  const named = name === undefined ? undefined : several?.[name];
  return [module.default, module.stage, named].find(isStageKind);
}

function isStageKind(value: unknown): value is StageKind {
  if (typeof value !== "object" || value === null) return false;
  const { kind, version, params, inputs, outputs, open } = value as Record<string, unknown>;
  return typeof kind === "string" && typeof version === "number" && typeof open === "function" &&
    typeof inputs === "object" && typeof outputs === "object" && isSchema(params);
}

function isSchema(value: unknown): boolean {
  return typeof value === "object" && value !== null && "_zod" in value;
}

/** The modules of an entry, looked up by key. */
export class ImportedKinds {
  readonly #kinds = new Map<string, StageKind>();
  readonly plugins: ReadonlyMap<string, unknown>;

  constructor(imports: EntryImports) {
    for (const [key, module] of Object.entries(imports.kinds)) {
      const kind = kindOf(module, key);
      if (kind) this.#kinds.set(key, kind);
    }
    const plugins = Object.entries(imports.plugins);
    this.plugins = new Map(plugins.map(([path, module]) => [path, module.default]));
  }

  kind(key: string): StageKind {
    const kind = this.#kinds.get(key);
    if (!kind) throw new Error(`internal: the module of "${key}" exports no stage kind`);
    return kind;
  }

  /** The codec of a port type, from any kind that has such a port. */
  codec(type: string): PortType<unknown> {
    for (const kind of this.#kinds.values()) {
      const ports = [kind.outputs, kind.inputs, kind.wired ?? {}].flatMap(Object.values);
      const found = ports.find((port) => port.type.name === type);
      if (found) return found.type;
    }
    throw new Error(`internal: no kind of this process has a port of type "${type}"`);
  }
}
