/** Models that were added to a project: `.sluice/models/<sha256>/` with `model.json`. */
import { commandLine } from "../../base/command_name.ts";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { explainWrites } from "../../base/atomic.ts";
import { inputError, MissingPartError } from "../../base/diagnostic.ts";
import { nearest } from "../../base/nearest.ts";
import { modelError } from "../files/model_error.ts";
import { catalogue } from "./catalogue.ts";
import { type ModelEntry, modelEntrySchema } from "./model_entry.ts";

/** The file that makes a folder a model. */
export const entryFile = "model.json";

/** The models of one project. */
export class ModelStore {
  /** Where they lie. */
  readonly folder: string;

  /**
   * Opens no file; the folder may be missing.
   *
   * @param root The project's folder.
   */
  constructor(root: string) {
    this.folder = join(root, ".sluice", "models");
  }

  /** All models, by name. */
  list(): ModelEntry[] {
    if (!existsSync(this.folder)) return [];
    const folders = readdirSync(this.folder).map((name) => join(this.folder, name));
    const models = folders.filter((folder) => existsSync(join(folder, entryFile)));
    return models.map(readEntry).sort((a, b) => a.name < b.name ? -1 : 1);
  }

  /** The folder of a model. */
  folderOf({ sha256 }: ModelEntry): string {
    return join(this.folder, sha256);
  }

  /**
   * The model of that name, or whose digest begins so (eight letters at least).
   *
   * @throws MissingPartError with the command that adds it.
   */
  find(name: string): ModelEntry {
    const models = this.list();
    const isDigest = /^[0-9a-f]{8,64}$/.test(name);
    const found = models.find((one) => one.name === name) ??
      models.find(({ sha256 }) => isDigest && sha256.startsWith(name));
    if (found) return found;
    const known = [...models.map((one) => one.name), ...Object.keys(catalogue)];
    throw notAdded(name, [...new Set(known)]);
  }

  /** Removes a model and its files. @throws MissingPartError if there is none. */
  remove(name: string): ModelEntry {
    const entry = this.find(name);
    const folder = this.folderOf(entry);
    explainWrites(folder, () => rmSync(folder, { recursive: true }));
    return entry;
  }

  /** Makes a fresh folder beside the models, to prepare one in; the caller removes it. */
  temporary(): string {
    const folder = join(this.folder, `.tmp-${Deno.pid}-${crypto.randomUUID().slice(0, 8)}`);
    explainWrites(folder, () => mkdirSync(folder, { recursive: true }));
    return folder;
  }
}

function notAdded(name: string, known: readonly string[]): MissingPartError {
  const near = nearest(name, known);
  const isTypo = near !== undefined && near !== name;
  const hint = isTypo ? `did you mean "${near}"?` : `known are ${known.join(", ")}`;
  return new MissingPartError(
    `Cannot use model "${name}": it was not added` + (name in catalogue ? "" : `; ${hint}`),
    isTypo && !(near in catalogue)
      ? commandLine("model", "list")
      : commandLine("model", "add", name in catalogue ? name : near ?? "FOLDER"),
  );
}

/** The entry of a folder. @throws InputError if `model.json` is not one. */
function readEntry(folder: string): ModelEntry {
  const path = join(folder, entryFile);
  try {
    const parsed = modelEntrySchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
    if (parsed.success) return parsed.data;
    const [{ path: at, message }] = parsed.error.issues;
    throw new Error(`${at.join(".")}: ${message}`);
  } catch (error) {
    const problem = (error as Error).message;
    const mend = "remove its folder, and add the model again";
    throw modelError({ kind: "entry", path, problem, mend });
  }
}

/** Refuses names that would be taken for a path or a digest. */
export function checkName(name: string): void {
  if (/^[a-z0-9][a-z0-9._-]{0,63}$/i.test(name)) return;
  const message = `Cannot add a model as "${name}": wanted letters, digits, ".", "_" and "-"`;
  throw inputError("model/name", message, undefined, "choose a name with --name");
}
