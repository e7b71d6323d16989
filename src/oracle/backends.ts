/** Back ends of an oracle on this machine: a table, the own decoder, or llama.cpp. */
import { join } from "node:path";
import { moduleBeside } from "../base/deno_command.ts";
import { ModelStore } from "../models/store/mod.ts";
import type { ScoredText, TextIds } from "../models/text/mod.ts";
import { findSluiceHome, homeFlags } from "../pipeline/project/mod.ts";
import { ggufOf } from "./describe.ts";
import { llamaProcess } from "./llama_files.ts";
import type {
  OracleAnswer,
  OracleBackend,
  OracleCall,
  OracleConfig,
  OracleDraw,
  OracleProbe,
  OracleRecord,
  ServerConfig,
} from "./oracle.ts";
import { ServerBackend } from "./server/server_backend.ts";
import type { ServiceKeeper } from "./server/service_keeper.ts";
import { TableOracle } from "./table_oracle.ts";
import { OracleWorker } from "./worker.ts";

/** @throws MissingPartError if llama.cpp is wanted and not installed, or the model was removed. */
export function openBackend(
  record: OracleRecord,
  root: string,
  keeper?: ServiceKeeper,
): OracleBackend {
  const { config } = record;
  if (config.kind === "table") return new TableOracle(config.entries);
  if (config.kind === "server") return openServer(config, root, { record, keeper });
  const { backend = "fused", temperature = 1 } = config.kind === "policy" ? config : {};
  const texts = modelWorker(record, root, backend, temperature);
  if (config.kind === "policy") return new DrawingBackend(texts, texts);
  return new ProcessBackend(texts, llamaWorker(record, config, root));
}

/**
 * A server and the tokenizer that it is sent ids of.
 *
 * @param more.record Expected record; left out of one that is opened.
 * @param more.keeper Keeper of its service in this run; left out of a server of its own.
 * @throws MissingPartError if the tokenizer's model was not added.
 */
export function openServer(
  config: ServerConfig,
  root: string,
  { record, keeper }: {
    readonly record?: OracleRecord;
    readonly keeper?: ServiceKeeper | undefined;
  } = {},
): ServerBackend {
  const entry = new ModelStore(root).find(record?.tokenizer_sha256 ?? config.tokenizer);
  const texts = modelWorker({ model: entry.name, model_sha256: entry.sha256 }, root, "fused");
  return new ServerBackend(texts, config, entry.sizes.vocabulary, {
    expected: record,
    keeper,
    root,
  });
}

/** A text that every model knows something of. */
const trial: ScoredText = { scored: "The capital of France is Paris, and 2 + 2 = 4." };

/** Texts are read in one process and scored in the same, or in another that sees ids alone. */
class ProcessBackend implements OracleBackend {
  constructor(readonly texts: OracleWorker, readonly scores: OracleWorker) {}

  encode(texts: readonly ScoredText[]): Promise<readonly TextIds[]> {
    return this.texts.ask("encode", texts);
  }

  score(calls: readonly OracleCall[]): Promise<readonly OracleAnswer[]> {
    return this.scores.ask("score", calls);
  }

  async probe(): Promise<OracleProbe> {
    const [{ ids, from }] = await this.encode([trial]);
    return await this.scores.ask("probe", [callOf(ids, from)]);
  }

  async close(): Promise<void> {
    await Promise.all([...new Set([this.texts, this.scores])].map((one) => one.close()));
  }
}

/** A process that also writes. */
class DrawingBackend extends ProcessBackend {
  draw(draws: readonly OracleDraw[]): Promise<readonly OracleAnswer[]> {
    return this.scores.ask("draw", draws);
  }
}

/** The call of a text's ids. */
export function callOf(ids: readonly number[], from: number): OracleCall {
  return { prompt_ids: ids.slice(0, from), ids: ids.slice(from) };
}

const ownMain = moduleBeside("./model_worker_main.ts", import.meta.url);

/** Worker of a model, which may read the models and, for a library, load it. */
function modelWorker(
  record: Pick<OracleRecord, "model" | "model_sha256">,
  root: string,
  backend: "fused" | "blas",
  temperature = 1,
): OracleWorker {
  const home = findSluiceHome();
  const { folder } = new ModelStore(root);
  const blas = backend === "blas";
  const readable = [folder, ...(blas ? [join(home.root, ".sluice", "blas"), "/proc/cpuinfo"] : [])];
  const native = blas ? ["--allow-ffi", "--allow-env=OPENBLAS_CORETYPE"] : [];
  const flags = [
    ...homeFlags(),
    `--allow-read=${readable.map((path) => path.replaceAll(",", ",,")).join(",")}`,
    "--allow-sys=systemMemoryInfo",
    ...native,
  ];
  const title = `the process of model "${record.model}"`;
  return new OracleWorker({
    title,
    flags,
    main: ownMain,
    args: [root, record.model_sha256, backend, `${temperature}`],
  });
}

function llamaWorker(
  record: OracleRecord,
  { threads, context }: OracleConfig & { readonly kind: "llama_cpp" },
  root: string,
): OracleWorker {
  const store = new ModelStore(root);
  const entry = store.find(record.model_sha256);
  const { name, sha256 } = ggufOf(entry);
  const args = [join(store.folderOf(entry), name), sha256, `${threads}`, `${context}`];
  const title = `llama.cpp with model "${record.model}"`;
  return new OracleWorker({ title, ...llamaProcess(), args });
}
