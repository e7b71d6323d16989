/** Oracles as a service of pipelines: texts in, log probabilities by token out, a row for each call. */
import { inputError, MissingPartError } from "../base/diagnostic.ts";
import { digestOf, sha256 } from "../base/digest.ts";
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
import { Budget, type BudgetLimits } from "./budget.ts";
import { callKey, CallMemo, drawKey } from "./call_memo.ts";
import { checkAnswers } from "./check_answers.ts";
import { decoderVersion, describeOracle, describeServer, requireDescribed } from "./describe.ts";
import { llamaPermissions, llamaVersion } from "./llama_files.ts";
import { blasRemedy } from "./messages.ts";
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
import { requireVariable } from "./server/asking_worker.ts";
import { type Distance, distanceFrom } from "./server/local_weights.ts";
import { writeAdapter } from "./server/served_adapters.ts";
import type { ServiceKeeper } from "./server/service_keeper.ts";
import { type AllowedServices, ServiceKeepers } from "./server/service_keepers.ts";

/** Name by which kinds ask for the service. */
const oracleServiceName = "oracle";

/** First request for an oracle, which tries it and returns its identity. */
interface OpenOracle {
  readonly op: "open";
  readonly oracle: OracleConfig;
}

/** Answer to {@link OpenOracle}. */
export interface OpenedOracle {
  readonly record: OracleRecord;
  readonly probe: OracleProbe;
  /** Permissions of its process beside computing; undefined if there are none worth a line. */
  readonly permissions?: string;
  /** Distance of a server from its weights on this machine, if they are here. */
  readonly distance?: Distance;
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
  /** Text that is scored of each. */
  readonly texts: readonly ScoredText[];
  /** Where the oracle itself writes the scored text, behind `given` of each. */
  readonly generate?: GeneratedAnswers;
  /** `evaluation`: asked to measure, not to train. */
  readonly purpose?: "training" | "evaluation";
  /** Columns of `oracle_call` that identify the caller. */
  readonly term: Readonly<Record<string, unknown>>;
}

/** Tokens that an oracle is to write behind others, with nothing recorded as a reward. */
export interface DrawByOracle {
  readonly op: "draw";
  readonly oracle: OracleRecord;
  /** Ids before the first that is drawn. */
  readonly prompts: readonly (readonly number[])[];
  readonly temperature: number;
  readonly most_tokens: number;
  /** Names of the draws, one for each prompt. */
  readonly draws: readonly string[];
  /** The version of an adapter that writes them: the answer to {@linkcode AdaptOracle}. */
  readonly adapter?: string;
}

/** An adapter that is to write: its files, as base64, by their names in a PEFT folder. */
export interface AdaptOracle {
  readonly op: "adapt";
  readonly oracle: OracleRecord;
  readonly files: Readonly<Record<string, string>>;
}

/** Tokens that a mask lets follow others, edge by edge, with nothing recorded as a reward. */
export interface EdgesByOracle {
  readonly op: "edges";
  readonly oracle: OracleRecord;
  /** Ids before each. */
  readonly befores: readonly (readonly number[])[];
  /** One for each. */
  readonly ids: readonly number[];
}

/** Settings of answers that an oracle writes. */
interface GeneratedAnswers {
  readonly temperature: number;
  readonly most_tokens: number;
  /** Names of the draws, one for each text: equal names and prompts, equal answers. */
  readonly draws: readonly string[];
}

/** A call or a draw that no memo has. */
interface Fresh {
  readonly key: string;
  /** Request; the ids of a draw are not known yet. */
  readonly asked: OracleCall | OracleDraw;
}

/** Calls that go to a backend at a time. */
const batchSize = 32;

/** The service. Its answers depend on models, which records name by their digests, and on this digest. */
export function oracleService({ root }: { readonly root: string }): Service {
  return {
    name: oracleServiceName,
    title: "the computation of oracles",
    digest: () => digestOf(["oracle", decoderVersion, llamaVersion]),
    open: ({ hosts = [], variables = [], commands = [], logs = root }) => {
      return new OraclesOfRun(root, { hosts, variables, commands, logs });
    },
  };
}

/** Servers, commands and variables that the user allowed. */
interface AllowedServers extends AllowedServices {
  /** Variables that hold keys. */
  readonly variables: readonly string[];
}

interface OpenBackend {
  readonly backend: OracleBackend;
  readonly memo: CallMemo;
  /** Left out where nothing limits it. */
  readonly budget?: Budget;
}

/** One process for each oracle of a run, started by the first call that no memo has. */
class OraclesOfRun implements OpenService {
  readonly #open = new Map<string, OpenBackend>();

  readonly #keepers: ServiceKeepers;

  /** @param allowed Servers that the user lets the pipeline's oracles ask, and commands of services. */
  constructor(readonly root: string, readonly allowed: AllowedServers) {
    this.#keepers = ServiceKeepers.ofRun(allowed);
  }

  session(caller: ServiceCaller): ServiceSession {
    return new OracleSession(
      this.root,
      (record) => this.#backend(record),
      caller,
      (config) => this.#keeperOf(config),
    );
  }

  /**
   * Keeper of an oracle's service; undefined if the run starts none.
   *
   * @throws InputError if a stage asks for a server, a variable or a command that no stage of the pipeline names.
   */
  #keeperOf({ url, key: variable, service }: ServerConfig): ServiceKeeper | undefined {
    this.#keepers.requireHost(url, 'oracle = { kind = "server" }');
    requireVariable(variable, this.allowed.variables);
    return service && this.#keepers.of(service);
  }

  #backend(record: OracleRecord): OpenBackend {
    const key = digestOf([record.model_sha256, record.computes]);
    const known = this.#open.get(key);
    if (known) return known;
    requireDescribed(record, this.root);
    const { config } = record;
    const keeper = config.kind === "server" ? this.#keeperOf(config) : undefined;
    const budget = config.kind === "server" && {
      budget: new Budget(
        this.root,
        record.model,
        `${config.url} ${config.model}`,
        limitsOf(config),
      ),
    };
    const made = {
      ...budget,
      backend: openBackend(record, this.root, keeper),
      memo: new CallMemo(this.root, record),
    };
    this.#open.set(key, made);
    return made;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ backend }) => backend.close()));
    await this.#keepers.close();
  }
}

function limitsOf(config: ServerConfig): BudgetLimits {
  const { most_calls, most_tokens, most_cost } = config;
  const { most_calls_per_day, most_tokens_per_day, most_cost_per_day } = config;
  const ofDay = { most_calls_per_day, most_tokens_per_day, most_cost_per_day };
  return { most_calls, most_tokens, most_cost, ...ofDay };
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

  /** @throws MissingPartError for a missing part, InputError for a faulty answer. */
  async answer(asked: unknown, signal: AbortSignal): Promise<unknown> {
    const request = asked as
      | OpenOracle
      | ScoreByOracle
      | DrawByOracle
      | EdgesByOracle
      | AdaptOracle;
    if (request.op === "open") return await this.#try(request);
    if (request.op === "adapt") return this.#adapt(request);
    if (request.op === "draw") return await this.#draw(request, signal);
    if (request.op === "edges") return await this.#edges(request, signal);
    return await this.#score(request, signal);
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

  /** Identifies the server before the trial, since answers are kept under its identity. */
  async #tryServer(config: ServerConfig): Promise<OpenedOracle> {
    const opened = openServer(config, this.root, { keeper: this.keeperOf(config) });
    try {
      const identity = await opened.identify();
      const record = describeServer(config, this.root, identity);
      const probe = await opened.probe();
      requireSound(record, probe, config.tolerance);
      const { weights } = config;
      const at = { ids: await opened.trialIds(), root: this.root };
      const compared = weights !== undefined && {
        distance: await distanceFrom(weights, config, identity, at),
      };
      const permissions = `the network, ${hostOf(config.url)} alone`;
      return { record, probe, permissions, ...compared };
    } finally {
      await opened.close();
    }
  }

  async #score(request: ScoreByOracle, signal: AbortSignal): Promise<(readonly number[])[]> {
    const { oracle, texts } = request;
    const opened = this.backend(oracle);
    const encoded = await opened.backend.encode(texts);
    const asked = encoded.map(({ ids, from }, i) => {
      return request.generate ? drawOf(oracle, ids, request.generate, i) : callOf(ids, from);
    });
    const { answers, recalled } = await this.#answers(oracle, opened, asked, signal);
    const calls = asked.map((one, i) => calledBy(one, answers[i]));
    checkAnswers(oracle.model, calls, answers);
    this.#record(request, calls, answers, recalled);
    return answers.map(({ log_probs }) => log_probs);
  }

  /** @throws InputError if the oracle is none that loads adapters. */
  #adapt({ oracle: { config, model }, files }: AdaptOracle): string {
    if (config.kind === "server") return writeAdapter(this.root, files);
    const message = `Cannot send an adapter to oracle "${model}": it is on no server`;
    throw inputError("oracle/adapter", message, undefined, 'write oracle = { kind = "server", … }');
  }

  async #draw(
    { oracle, prompts, draws, temperature, most_tokens, adapter }: DrawByOracle,
    signal: AbortSignal,
  ): Promise<readonly OracleAnswer[]> {
    const opened = this.backend(oracle);
    const named = { temperature, most_tokens, draws };
    const asked = prompts.map((ids, i) => ({
      ...drawOf(oracle, ids, named, i),
      ...(adapter !== undefined && { adapter }),
    }));
    return await this.#counted(oracle, opened, asked, signal);
  }

  async #edges({ oracle, befores, ids }: EdgesByOracle, signal: AbortSignal): Promise<number[]> {
    const opened = this.backend(oracle);
    const asked = ids.map((id, i): OracleCall => ({ prompt_ids: befores[i], ids: [id] }));
    const answers = await this.#counted(oracle, opened, asked, signal);
    return answers.map(({ log_probs }) => log_probs[0]);
  }

  /** Answers that no row records. */
  async #counted(
    oracle: OracleRecord,
    opened: OpenBackend,
    asked: readonly (OracleCall | OracleDraw)[],
    signal: AbortSignal,
  ): Promise<readonly OracleAnswer[]> {
    const { answers, fresh } = await this.#answers(oracle, opened, asked, signal);
    this.#counts.executed += fresh;
    this.#counts.recalled += asked.length - fresh;
    return answers;
  }

  /** Answers in order, and which of them the memo had; the others are asked for, each once. */
  async #answers(
    oracle: OracleRecord,
    opened: OpenBackend,
    asked: readonly (OracleCall | OracleDraw)[],
    signal: AbortSignal,
  ) {
    const { memo } = opened;
    const keys = asked.map((one) => {
      return "most_tokens" in one ? drawKey(oracle, one) : callKey(oracle, one);
    });
    const known = keys.map((key) => memo.get(key));
    const fresh = new Map(asked.flatMap((one, i) => known[i] ? [] : [[keys[i], one]]));
    const wanted = [...fresh].map(([key, one]) => ({ key, asked: one }));
    await this.#ask(oracle, opened, wanted, signal);
    return {
      answers: known.map((one, i) => one ?? memo.get(keys[i])!),
      recalled: known.map((one) => one !== undefined),
      fresh: fresh.size,
    };
  }

  async #ask(
    oracle: OracleRecord,
    { backend, memo, budget }: OpenBackend,
    fresh: readonly Fresh[],
    signal: AbortSignal,
  ): Promise<void> {
    const { model, config } = oracle;
    const size = config.kind === "server"
      ? Math.max(batchSize, 4 * config.max_concurrency)
      : batchSize;
    for (let at = 0; at < fresh.length; at += size) {
      signal.throwIfAborted();
      this.#counts.batch = { done: at, total: fresh.length };
      this.caller.onProgress();
      const batch = fresh.slice(at, at + size);
      const room = budget?.room(batch.map(({ asked }) => mostOf(oracle, asked))) ?? batch.length;
      const part = batch.slice(0, room);
      if (part.length > 0) {
        const answers = await answersOf(backend, oracle, part.map(({ asked }) => asked), signal);
        const calls = part.map(({ asked }, i) => calledBy(asked, answers[i]));
        checkAnswers(model, calls, answers);
        part.forEach(({ key }, i) => memo.put(key, answers[i]));
        const tokens = calls.reduce((sum, one) => sum + tokensOf(one), 0);
        const cost = answers.reduce((sum, one) => sum + one.cost, 0);
        budget?.spend({ calls: part.length, tokens, cost });
      }
      if (part.length === batch.length) continue;
      throw budget!.spentError(fresh.slice(at + room).map(({ asked }) => mostOf(oracle, asked)));
    }
    this.#counts.batch = undefined;
  }

  #record(
    { oracle, programs, logPriors, term, generate }: ScoreByOracle,
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
        ...(generate && { temperature: generate.temperature, draw: generate.draws[i] }),
      })),
    );
  }
}

/** A draw behind the prompt of a text, whose scored part is one token in place of the answer. */
function drawOf(
  { end }: OracleRecord,
  prompt_ids: readonly number[],
  { temperature, most_tokens, draws }: GeneratedAnswers,
  i: number,
): OracleDraw {
  return { prompt_ids, end: end?.id ?? null, most_tokens, temperature, seed: draws[i] };
}

/** The call that an answer is to: of a draw, with the ids that were written. */
function calledBy(asked: OracleCall | OracleDraw, answer: OracleAnswer | undefined): OracleCall {
  return "ids" in asked ? asked : { prompt_ids: asked.prompt_ids, ids: answer?.ids ?? [] };
}

async function answersOf(
  backend: OracleBackend,
  { config, model }: OracleRecord,
  asked: readonly (OracleCall | OracleDraw)[],
  signal: AbortSignal,
): Promise<readonly OracleAnswer[]> {
  if (asked.every((one) => "ids" in one)) return await backend.score(asked, signal);
  if (backend.draw) return await backend.draw(asked as OracleDraw[]);
  const message = `Cannot have oracle "${model}" write answers: it is of kind "${config.kind}"`;
  const hint = 'answer = { generate = true } wants an oracle of kind "policy" or "server"';
  throw inputError("oracle/no-answers", message, undefined, hint);
}

function tokensOf({ prompt_ids, ids }: OracleCall): number {
  return prompt_ids.length + ids.length;
}

/** The most that a call may cost. */
function mostOf({ config, server }: OracleRecord, asked: OracleCall | OracleDraw) {
  const own = "ids" in asked ? asked.ids.length : asked.most_tokens;
  const tokens = asked.prompt_ids.length + own;
  const price = config.kind === "server" ? config.price / 1e6 : 0;
  // Token by token each is asked behind all before it; half a character twice.
  const scored = server?.way === "token" ? 2 * own * tokens : tokens;
  return { tokens, cost: price * (scored + ("ids" in asked ? 0 : tokens)) };
}

/** The same oracle by own kernels, where the library that it asks for is not there. */
function withoutLibrary(oracle: OracleConfig, error: unknown): OracleConfig | undefined {
  const isMissing = error instanceof MissingPartError && error.remedy === blasRemedy;
  return isMissing && oracle.kind === "policy" ? { ...oracle, backend: "fused" } : undefined;
}

/** Tolerance of sums in single precision over a vocabulary against the full distribution, nats. */
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
