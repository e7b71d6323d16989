/** A server as the back end of an oracle: texts are read in one process, ids are asked of it by another. */
import { moduleBeside } from "../../base/deno_command.ts";
import { inputError } from "../../base/diagnostic.ts";
import type { ScoredText, TextIds } from "../../models/text/mod.ts";
import type {
  OracleAnswer,
  OracleBackend,
  OracleCall,
  OracleDraw,
  OracleProbe,
  OracleRecord,
  ServerConfig,
  ServerIdentity,
} from "../oracle.ts";
import type { OracleWorker } from "../worker.ts";
import { askingWorker } from "./asking_worker.ts";
import type { ServiceKeeper } from "./service_keeper.ts";
import { adapterFolder } from "./served_adapters.ts";
import { isSameServer } from "./known_servers.ts";
import type { ServerOptions } from "./server_scorer.ts";

/** Text by which a server is identified. */
const trial = "The capital of France is Paris, and 2 + 2 = 4.";

/** Reads texts by the tokenizer of the project, and asks the server about ids. */
export class ServerBackend implements OracleBackend {
  readonly #server: OracleWorker;
  #sound: Promise<unknown> | undefined;

  /**
   * @param texts The process of the tokenizer.
   * @param vocabulary Number of its tokens.
   * @param more.expected Identity of the server when its oracle was opened: checked again before
   * answers are used.
   * @param more.keeper Keeper of its service in this run.
   * @param more.root Folder that holds `.sluice`, where adapters are.
   */
  constructor(
    readonly texts: OracleWorker,
    readonly config: ServerConfig,
    vocabulary: number,
    readonly more: {
      readonly expected?: Pick<OracleRecord, "model" | "server"> | undefined;
      readonly keeper?: ServiceKeeper | undefined;
      readonly root?: string;
    } = {},
  ) {
    this.#server = serverWorker(config, vocabulary, more.keeper?.token);
  }

  /** Asks the server for its identity. */
  async identify(): Promise<ServerIdentity> {
    await this.more.keeper?.ready();
    return await this.#server.ask("identify", { text: trial, ids: await this.trialIds() });
  }

  /** Ids of the text by which it is known. */
  async trialIds(): Promise<readonly number[]> {
    const [{ ids }] = await this.encode([{ scored: trial, ends: false }]);
    return ids;
  }

  encode(texts: readonly ScoredText[]): Promise<readonly TextIds[]> {
    return this.texts.ask("encode", texts);
  }

  async score(calls: readonly OracleCall[]): Promise<readonly OracleAnswer[]> {
    await (this.#sound ??= this.#requireSame());
    return await this.#server.ask("score", calls);
  }

  async draw(draws: readonly OracleDraw[]): Promise<readonly OracleAnswer[]> {
    await (this.#sound ??= this.#requireSame());
    for (const name of new Set(draws.flatMap(({ adapter = [] }) => adapter))) {
      const path = adapterFolder(this.more.root!, name);
      await this.#server.ask("adapt", { name, path, ids: await this.trialIds() });
    }
    return await this.#server.ask("draw", draws);
  }

  async probe(): Promise<OracleProbe> {
    const [{ ids, from }] = await this.encode([{ scored: trial }]);
    return await this.#server.ask("probe", [
      { prompt_ids: ids.slice(0, from), ids: ids.slice(from) },
    ]);
  }

  async close(): Promise<void> {
    await Promise.all([this.texts.close(), this.#server.close()]);
  }

  /** @throws InputError if its identity changed since the oracle was opened. */
  async #requireSame(): Promise<void> {
    const found = await this.identify();
    const wanted = this.more.expected?.server;
    const { url, tolerance } = this.config;
    if (!wanted || isSameServer(wanted, found, tolerance)) return;
    const what = wanted.version === found.version
      ? "it gives other log probabilities to the text by which it is known"
      : `its version is ${found.version ?? "none"}, and was ${wanted.version ?? "none"}`;
    const message = `Cannot use ${url} as oracle "${this.more.expected!.model}": ${what}`;
    const hint = "run the stage of the oracle again: sluice run --force STAGE";
    throw inputError("oracle/another", message, undefined, hint);
  }
}

const main = moduleBeside("./server_worker_main.ts", import.meta.url);

function serverWorker(
  { url, model, key, max_concurrency, retries, timeout, pause, price, temperature = 1 }:
    ServerConfig,
  vocabulary: number,
  token: string | undefined,
): OracleWorker {
  const root = url.replace(/\/+$/, "").replace(/\/v1$/, "");
  const manner = { concurrency: max_concurrency, retries, timeout, pause };
  const options: ServerOptions = { url: root, model, vocabulary, ...manner, price, temperature };
  return askingWorker({ url, main, options, key, token });
}
