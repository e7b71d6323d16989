/** Describes an oracle before it is asked: its model, how texts begin and end, and its back end. */
import { inputError } from "../base/diagnostic.ts";
import { digestOf } from "../base/digest.ts";
import { type ModelEntry, ModelStore } from "../models/store/mod.ts";
import { llamaVersion } from "./llama_files.ts";
import type { OracleConfig, OracleRecord, ServerConfig, ServerIdentity } from "./oracle.ts";
import { digestOfServer } from "./server/known_servers.ts";

/** Raised when the decoder of `src/models` gives other log probabilities than before. */
export const decoderVersion = 2;

/**
 * The record of an oracle.
 *
 * @param root Folder that holds `.sluice`.
 * @throws MissingPartError if the model was not added; InputError if llama.cpp cannot read it.
 */
export function describeOracle(
  config: Exclude<OracleConfig, ServerConfig>,
  root: string,
): OracleRecord {
  if (config.kind === "table") {
    const sha256 = digestOf(config.entries.map((one) => ({ ...one })));
    const computes = computesOf(config);
    return { config, model: "table", model_sha256: sha256, computes, ...noTexts };
  }
  const entry = new ModelStore(root).find(config.model);
  if (config.kind === "llama_cpp") ggufOf(entry);
  const { begin, begin_is_added, end, system_text, chat_template, tokenizer } = entry;
  return {
    config,
    model: entry.name,
    model_sha256: entry.sha256,
    computes: computesOf(config),
    begin,
    begin_is_added,
    end,
    system_text,
    chat_template,
    tokens_sha256: tokenizer.sha256,
  };
}

/**
 * The record of an oracle on an identified server: its texts begin and end as those of
 * the tokenizer's model, its digest is that of its answers.
 *
 * @throws MissingPartError if the tokenizer's model was not added.
 */
export function describeServer(
  config: ServerConfig,
  root: string,
  server: ServerIdentity,
): OracleRecord {
  const { tokenizer, begin, begin_is_added, end, system_text, chat_template, ...entry } =
    new ModelStore(root).find(config.tokenizer);
  const { url, model } = config;
  const served = { url, model, tokenizer: tokenizer.sha256 };
  return {
    config,
    model,
    model_sha256: digestOfServer(root, served, { identity: server, tolerance: config.tolerance }),
    computes: computesOf(config, server),
    begin,
    begin_is_added,
    end,
    system_text,
    chat_template,
    server,
    tokenizer_sha256: entry.sha256,
    tokens_sha256: tokenizer.sha256,
  };
}

const noTexts = {
  begin: null,
  begin_is_added: false,
  end: null,
  system_text: null,
  chat_template: null,
};

/**
 * Checks a record that a stage sends against its own configuration, since answers are kept for later
 * runs by its digest and its library.
 *
 * @throws InputError if it is the record of another oracle; MissingPartError if the model was removed.
 */
export function requireDescribed(record: OracleRecord, root: string): void {
  const { config, model, model_sha256, computes, server } = record;
  const own = config.kind === "server"
    ? model_sha256
    : config.kind === "table"
    ? describeOracle(config, root).model_sha256
    : new ModelStore(root).find(model_sha256).sha256;
  if (own === model_sha256 && computes === computesOf(config, server)) return;
  const message = `Cannot ask oracle "${model}": its record describes another one`;
  throw inputError("oracle/record", message, undefined, "give the record of its stage on as it is");
}

function computesOf(config: OracleConfig, server?: ServerIdentity): string {
  if (config.kind === "table") return "table";
  if (config.kind === "server") {
    const way = server?.way === "token" ? "token by token" : "prompts";
    return `${config.url}, version ${server?.version ?? "unknown"}, ${way}${heated(config)}`;
  }
  if (config.kind === "llama_cpp") return `node-llama-cpp ${llamaVersion}`;
  const by = config.backend === "blas" ? "blas" : "own kernels";
  return `decoder ${decoderVersion}, ${by}${heated(config)}`;
}

/** Nothing at temperature 1, by which answers have always been kept. */
function heated({ temperature = 1 }: { readonly temperature?: number | undefined }): string {
  return temperature === 1 ? "" : `, temperature ${temperature}`;
}

/** The file that llama.cpp reads. @throws InputError if the model has none. */
export function ggufOf(
  { name, files }: Pick<ModelEntry, "name" | "files">,
): { readonly name: string; readonly sha256: string } {
  const file = files.find((one) => one.name.endsWith(".gguf"));
  if (file) return file;
  const message =
    `Cannot use oracle "${name}" by llama.cpp: it reads GGUF, the model is safetensors`;
  throw inputError("oracle/no-gguf", message, undefined, 'use kind = "policy"');
}
