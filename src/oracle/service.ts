/** Oracles as a service of pipelines: texts in, log probabilities by token out, a row for each call. */
import { inputError, MissingPartError } from "../base/diagnostic.ts";
import { digestOf, sha256 } from "../base/digest.ts";
import type { ScoredText } from "../models/text/mod.ts";
import type {
  OpenService,
  Service,
  ServiceCaller,
  ServiceCounts,
  ServiceSession,
} from "../pipeline/contract/mod.ts";
import { callOf, openBackend } from "./backends.ts";
import { callKey, CallMemo } from "./call_memo.ts";
import { checkAnswers } from "./check_answers.ts";
import { decoderVersion, describeOracle } from "./describe.ts";
import { llamaPermissions, llamaVersion } from "./llama_files.ts";
import { blasRemedy } from "./messages.ts";
import type {
  OracleAnswer,
  OracleBackend,
  OracleCall,
  OracleConfig,
  OracleProbe,
  OracleRecord,
} from "./oracle.ts";

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
    open: () => new OraclesOfRun(root),
  };
}

interface OpenBackend {
  readonly backend: OracleBackend;
  readonly memo: CallMemo;
}

/** One process for each oracle of a run, started when something is asked that nobody remembers. */
class OraclesOfRun implements OpenService {
  readonly #open = new Map<string, OpenBackend>();

  constructor(readonly root: string) {}

  session(caller: ServiceCaller): ServiceSession {
    return new OracleSession(this.root, (record) => this.#backend(record), caller);
  }

  #backend(record: OracleRecord): OpenBackend {
    const key = digestOf([record.model_sha256, record.computes]);
    const known = this.#open.get(key);
    if (known) return known;
    const made = { backend: openBackend(record, this.root), memo: new CallMemo(this.root, record) };
    this.#open.set(key, made);
    return made;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ backend }) => backend.close()));
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
    { model }: OracleRecord,
    { backend, memo }: OpenBackend,
    fresh: readonly (readonly [string, OracleCall])[],
    signal: AbortSignal,
  ): Promise<void> {
    for (let at = 0; at < fresh.length; at += batchSize) {
      signal.throwIfAborted();
      this.#counts.batch = { done: at, total: fresh.length };
      this.caller.onProgress();
      const batch = fresh.slice(at, at + batchSize);
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

function requireSound(record: OracleRecord, probe: OracleProbe): void {
  const { largest_difference, largest_mass_error } = probe;
  if (largest_difference <= tolerance && largest_mass_error <= tolerance) return;
  const message = `Cannot use oracle "${record.model}": tried on ${probe.tokens} tokens, its log ` +
    `probabilities lie ${largest_difference} nats from its own full distribution, whose sum is ` +
    `${largest_mass_error} from 1`;
  throw inputError("oracle/probe", message, undefined, 'use kind = "policy", and report this');
}
