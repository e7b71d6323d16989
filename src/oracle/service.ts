/** Oracles as a service of pipelines: texts in, log probabilities by token out, a row for each call. */
import { join } from "node:path";
import { inputError, MissingPartError } from "../base/diagnostic.ts";
import { digestOf, sha256 } from "../base/digest.ts";
import { shellWords } from "../base/shell_words.ts";
import type { ScoredText } from "../models/text/mod.ts";
import { hostOf } from "../pipeline/contract/mod.ts";
import type {
  OpenService,
  Service,
  ServiceCaller,
  ServiceCounts,
  ServiceSession,
} from "../pipeline/contract/mod.ts";
import { callOf, openBackend, openServer } from "./backends.ts";
import { callKey, CallMemo } from "./call_memo.ts";
import { checkAnswers } from "./check_answers.ts";
import { decoderVersion, describeOracle, describeServer } from "./describe.ts";
import { llamaPermissions, llamaVersion } from "./llama_files.ts";
import { blasRemedy } from "./messages.ts";
import type {
  OracleAnswer,
  OracleBackend,
  OracleCall,
  OracleConfig,
  OracleProbe,
  OracleRecord,
  ServerConfig,
} from "./oracle.ts";
import { ServiceKeeper } from "./server/service_keeper.ts";

/** Name by which kinds ask for the service. */
const oracleServiceName = "oracle";

/** To be asked first: what an oracle is, once it has been tried. */
interface OpenOracle {
  readonly op: "open";
  readonly oracle: OracleConfig;
}

/** What the answer to {@link OpenOracle} is. */
export interface OpenedOracle {
  readonly record: OracleRecord;
  readonly probe: OracleProbe;
  /** What its process may do beside computing; undefined if that is nothing to speak of. */
  readonly permissions?: string;
  /** Why own kernels compute where a library was asked for; undefined if none was, or it is there. */
  readonly instead?: string;
}

/** Texts to be scored as a term of a target. */
export interface ScoreByOracle {
  readonly op: "score";
  readonly oracle: OracleRecord;
  /** The objects that are rewarded, and their log priors. */
  readonly programs: readonly string[];
  readonly logPriors: readonly number[];
  /** What is scored of each. */
  readonly texts: readonly ScoredText[];
  /** `evaluation`: asked to measure, not to train. */
  readonly purpose?: "training" | "evaluation";
  /** Columns of `oracle_call` that say whose call it is. */
  readonly term: Readonly<Record<string, unknown>>;
}

/** Calls that go to a backend at a time. */
const batchSize = 32;

/** The service. What it answers depends on models, which records name by their digests, and on this. */
export function oracleService({ root }: { readonly root: string }): Service {
  return {
    name: oracleServiceName,
    title: "what computes oracles",
    digest: () => digestOf(["oracle", decoderVersion, llamaVersion]),
    open: ({ hosts = [], commands = [], logs }) => {
      return new OraclesOfRun(root, { hosts, commands, logs });
    },
  };
}

/** What the user was asked for. */
interface AllowedServers {
  /** `host:port`. */
  readonly hosts: readonly string[];
  /** Commands as a shell reads them. */
  readonly commands: readonly string[];
  /** Folder of the run's logs. */
  readonly logs: string | undefined;
}

interface OpenBackend {
  readonly backend: OracleBackend;
  readonly memo: CallMemo;
}

/** One process for each oracle of a run, started when something is asked that nobody remembers. */
class OraclesOfRun implements OpenService {
  readonly #open = new Map<string, OpenBackend>();

  readonly #keepers = new Map<string, ServiceKeeper>();

  /** @param allowed Servers that the user lets the pipeline's oracles ask, and commands of services. */
  constructor(readonly root: string, readonly allowed: AllowedServers) {}

  session(caller: ServiceCaller): ServiceSession {
    return new OracleSession(
      this.root,
      (record) => this.#backend(record),
      caller,
      (config) => this.#keeperOf(config),
    );
  }

  /**
   * What serves an oracle; undefined if nothing of this run does.
   *
   * @throws InputError if a stage asks for a server, or a command, that no stage of the pipeline names.
   */
  #keeperOf({ url, service }: ServerConfig): ServiceKeeper | undefined {
    this.#requireHost(url);
    if (!service) return undefined;
    this.#requireHost(service.url);
    const command = shellWords(service.command);
    if (!this.allowed.commands.includes(command)) throw unnamedCommand(command);
    const key = digestOf({ ...service, command: [...service.command] });
    const log = join(this.allowed.logs ?? this.root, `service-${new URL(service.url).port}.log`);
    const keeper = this.#keepers.get(key) ?? new ServiceKeeper(service, log);
    this.#keepers.set(key, keeper);
    return keeper;
  }

  #requireHost(url: string): void {
    const host = hostOf(url);
    if (this.allowed.hosts.includes(host)) return;
    const message = `Cannot ask ${url}: no stage of kind oracle has leave to reach ${host}`;
    const hint = 'write it as url of oracle = { kind = "server" }, and allow it';
    throw inputError("oracle/host", message, undefined, hint);
  }

  #backend(record: OracleRecord): OpenBackend {
    const key = digestOf([record.model_sha256, record.computes]);
    const known = this.#open.get(key);
    if (known) return known;
    const { config } = record;
    const keeper = config.kind === "server" ? this.#keeperOf(config) : undefined;
    const made = {
      backend: openBackend(record, this.root, keeper),
      memo: new CallMemo(this.root, record),
    };
    this.#open.set(key, made);
    return made;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ backend }) => backend.close()));
    await Promise.all([...this.#keepers.values()].map((keeper) => keeper.close()));
  }
}

/** Serves the requests of one attempt at a stage. */
export class OracleSession implements ServiceSession {
  readonly #counts: { -readonly [K in keyof ServiceCounts]: ServiceCounts[K] } = {
    executed: 0,
    recalled: 0,
  };

  constructor(
    readonly root: string,
    readonly backend: (record: OracleRecord) => OpenBackend,
    readonly caller: ServiceCaller,
    readonly keeperOf: (config: ServerConfig) => ServiceKeeper | undefined = () => undefined,
  ) {}

  get counts(): ServiceCounts {
    return this.#counts;
  }

  /** @throws MissingPartError, InputError: what is missing, or wrong with an answer. */
  async answer(asked: unknown, signal: AbortSignal): Promise<unknown> {
    const request = asked as OpenOracle | ScoreByOracle;
    return request.op === "open" ? await this.#try(request) : await this.#score(request, signal);
  }

  async #try({ oracle }: OpenOracle): Promise<OpenedOracle> {
    if (oracle.kind === "server") return await this.#tryServer(oracle);
    const record = describeOracle(oracle, this.root);
    try {
      const probe = await this.backend(record).backend.probe();
      requireSound(record, probe);
      const native = oracle.kind === "llama_cpp" && { permissions: llamaPermissions };
      return { record, probe, ...native };
    } catch (error) {
      const instead = withoutLibrary(oracle, error);
      if (!instead) throw error;
      const { message } = error as Error;
      const opened = await this.#try({ op: "open", oracle: instead });
      return { ...opened, instead: message };
    }
  }

  /** What it is comes first: by that its answers are kept. */
  async #tryServer(config: ServerConfig): Promise<OpenedOracle> {
    const opened = openServer(config, this.root, { keeper: this.keeperOf(config) });
    try {
      const record = describeServer(config, this.root, await opened.identify());
      const probe = await opened.probe();
      requireSound(record, probe, config.tolerance);
      const permissions = `the network, ${hostOf(config.url)} alone`;
      return { record, probe, permissions };
    } finally {
      await opened.close();
    }
  }

  async #score(request: ScoreByOracle, signal: AbortSignal): Promise<(readonly number[])[]> {
    const { oracle, texts } = request;
    const { backend, memo } = this.backend(oracle);
    const encoded = await backend.encode(texts);
    const calls = encoded.map(({ ids, from }) => callOf(ids, from));
    const keys = calls.map((call) => callKey(oracle, call));
    const fresh = new Map(calls.flatMap((call, i) => memo.get(keys[i]) ? [] : [[keys[i], call]]));
    await this.#ask(oracle, { backend, memo }, [...fresh], signal);
    const answers = keys.map((key) => memo.get(key)!);
    checkAnswers(oracle.model, calls, answers);
    this.#record(request, calls, answers, keys.map((key) => !fresh.has(key)));
    return answers.map(({ log_probs }) => log_probs);
  }

  async #ask(
    { model, config }: OracleRecord,
    { backend, memo }: OpenBackend,
    fresh: readonly (readonly [string, OracleCall])[],
    signal: AbortSignal,
  ): Promise<void> {
    const size = config.kind === "server"
      ? Math.max(batchSize, 4 * config.max_concurrency)
      : batchSize;
    for (let at = 0; at < fresh.length; at += size) {
      signal.throwIfAborted();
      this.#counts.batch = { done: at, total: fresh.length };
      this.caller.onProgress();
      const batch = fresh.slice(at, at + size);
      const calls = batch.map(([, call]) => call);
      const answers = await backend.score(calls, signal);
      checkAnswers(model, calls, answers);
      batch.forEach(([key], i) => memo.put(key, answers[i]));
    }
    this.#counts.batch = undefined;
  }

  #record(
    { oracle, programs, logPriors, term }: ScoreByOracle,
    calls: readonly OracleCall[],
    answers: readonly OracleAnswer[],
    recalled: readonly boolean[],
  ): void {
    for (const known of recalled) this.#counts[known ? "recalled" : "executed"]++;
    const named = programs.map((text) => sha256(text));
    const about = programs.map((text, i) => ({ sha256: named[i], text, log_prior: logPriors[i] }));
    this.caller.append("program", about);
    this.caller.append(
      "oracle_call",
      calls.map(({ prompt_ids, ids }, i) => ({
        ...term,
        program: named[i],
        model_sha256: oracle.model_sha256,
        prompt_ids,
        ids,
        log_probs: answers[i].log_probs,
        seconds: answers[i].seconds,
        cost: answers[i].cost,
        memo: recalled[i],
      })),
    );
  }
}

/** The same oracle by own kernels, where the library that it asks for is not there. */
function withoutLibrary(oracle: OracleConfig, error: unknown): OracleConfig | undefined {
  const isMissing = error instanceof MissingPartError && error.remedy === blasRemedy;
  return isMissing && oracle.kind === "policy" ? { ...oracle, backend: "fused" } : undefined;
}

/** How far sums in single precision over a vocabulary may lie from the full distribution, nats. */
const tolerance = 1e-2;

function requireSound(record: OracleRecord, probe: OracleProbe, within = tolerance): void {
  const { largest_difference, largest_mass_error } = probe;
  if (largest_difference <= within && largest_mass_error <= tolerance) return;
  if (record.server) throw unsound(record, probe);
  const message = `Cannot use oracle "${record.model}": tried on ${probe.tokens} tokens, its log ` +
    `probabilities lie ${largest_difference} nats from its own full distribution, whose sum is ` +
    `${largest_mass_error} from 1`;
  throw inputError("oracle/probe", message, undefined, 'use kind = "policy", and report this');
}

function unsound(
  { model }: OracleRecord,
  { tokens, largest_difference, largest_mass_error }: OracleProbe,
) {
  const message =
    `Cannot use oracle "${model}": tried on ${tokens} tokens, its log probabilities ` +
    `differ by ${largest_difference} nats where a text is asked twice or in two parts, and its ` +
    `candidates have ${largest_mass_error} more than the whole probability`;
  const hint = "serve it in single precision, or set tolerance to what rewards may be off by";
  return inputError("oracle/probe", message, undefined, hint);
}

function unnamedCommand(command: string) {
  const message = `Cannot start ${command}: no stage of kind service has leave to run it`;
  return inputError("oracle/command", message, undefined, "write it as command of such a stage");
}
