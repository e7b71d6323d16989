/** Scores ids by a server: its prompts at once where it gives their log probabilities, else token by token. */
import { inputError } from "../../base/diagnostic.ts";
import { isRecord } from "../../base/record.ts";
import type { ServedAdapter, ServerTrial } from "../messages.ts";
import type {
  OracleAnswer,
  OracleCall,
  OracleDraw,
  OracleProbe,
  ServerIdentity,
} from "../oracle.ts";
import { RandomStream } from "../../base/random.ts";
import { exp, logSumExp } from "../../numerics/math/mod.ts";
import {
  candidateScores,
  drawnIds,
  drawnLogProbs,
  drawnScore,
  promptCandidates,
  promptScores,
  requireLogProb,
} from "./answer_shapes.ts";
import { askServer, type ServerAddress, type ServerReply } from "./ask_server.ts";
import { inTurns } from "./in_turns.ts";

/** Settings of a server. */
export interface ServerOptions extends ServerAddress {
  /** Name under which it serves the model. */
  readonly model: string;
  /** Calls that are under way at a time. */
  readonly concurrency: number;
  /** Ids are below it. */
  readonly vocabulary: number;
  /** Price of a million tokens in any currency; 0 where nothing is paid. */
  readonly price: number;
  /** T of p_T; 1 if left out. Beyond 1 and below it all candidates are asked for. */
  readonly temperature?: number;
}

type Way = ServerIdentity["way"];

/** Versions of adapters that a server keeps. */
const mostAdapters = 2;

/** Asks one server. */
export class ServerScorer {
  #way: Way | undefined;
  /** Whether log probabilities beside its written tokens are the model's own. */
  #tells = false;
  /** Remembered log probabilities of a server that is asked token by token. */
  readonly #edges = new Map<string, number>();
  /** Other names under which it serves models. */
  #others: readonly string[] = [];
  /** Versions of adapters that were loaded, the newest last. */
  readonly #adapters = new Map<string, ServerScorer>();

  constructor(readonly options: ServerOptions) {}

  /**
   * Finds how it scores, and its answer to the trial.
   *
   * @throws InputError if it serves no such model, reads texts in other tokens, or gives no log
   * probabilities of given tokens.
   */
  async identify(trial: ServerTrial): Promise<ServerIdentity> {
    await this.#requireModel();
    await this.#requireTokens(trial);
    const way = this.#way ??= await this.#findWay(trial.ids);
    const [{ log_probs: own }] = await this.score([callAfterFirst(trial.ids)]);
    this.#tells = await this.#doesTell(trial.ids);
    return { version: await this.#version(), way, trial: own };
  }

  /**
   * Log probabilities in the order of the calls; so many are under way at a time, and the next begins when
   * one has ended.
   *
   * @throws MissingPartError, InputError as the server answers.
   */
  async score(calls: readonly OracleCall[]): Promise<OracleAnswer[]> {
    if (this.#edges.size > mostEdges) this.#edges.clear();
    return await this.#scored(calls, this.#edges);
  }

  /** @param known Log probabilities of tokens behind others: each is asked once, whichever calls share it. */
  async #scored(
    calls: readonly OracleCall[],
    known: Map<string, number>,
  ): Promise<OracleAnswer[]> {
    const way = this.#way;
    if (!way) throw new Error("internal: a server is asked before it was identified");
    if (way !== "token") {
      return await this.#each(calls, (call) => this.#byPrompt(call, way));
    }
    const steps = calls.map(({ prompt_ids, ids }) =>
      ids.map((id, k): Step => {
        const before = [...prompt_ids, ...ids.slice(0, k)];
        return { key: `${before.join(" ")} ${id}`, before, id };
      })
    );
    const fresh = new Map(
      steps.flat().flatMap((one) => known.has(one.key) ? [] : [[one.key, one] as const]),
    );
    const asked = [...fresh.values()];
    const found = await this.#each(asked, ({ before, id }) => this.#byToken(before, id));
    found.forEach(({ logProb }, i) => known.set(asked[i].key, logProb));
    const paid = new Map(found.map((one, i) => [asked[i].key, one]));
    return calls.map(({ ids }, at) => {
      const own = steps[at].flatMap(({ key }) => {
        const one = paid.get(key);
        paid.delete(key); // by the first that asks
        return one ? [one] : [];
      });
      const sum = (of: (one: TokenScore) => number) =>
        own.reduce((total, one) => total + of(one), 0);
      const log_probs = steps[at].map(({ key }) => known.get(key)!);
      return { ids, log_probs, seconds: sum((one) => one.seconds), cost: sum((one) => one.cost) };
    });
  }

  /**
   * Answers that the server writes, each by a seed of its own: one seed for all requests would be one
   * quantile of them all. Sampling is the model's, not by the server's defaults. Log probabilities
   * are those of the ids, at the oracle's temperature, asked for where the answer does not have them.
   */
  async draw(draws: readonly OracleDraw[]): Promise<OracleAnswer[]> {
    if (!this.#way) throw new Error("internal: a server is asked before it was identified");
    const [first] = draws;
    if (first?.adapter !== undefined) {
      return await this.#adapters.get(first.adapter)!.draw(
        draws.map(({ adapter: _, ...one }) => one),
      );
    }
    const drawn = await this.#each(draws, (one) => this.#drawOne(one));
    const untold = drawn.map(({ ids, told }, i): OracleCall => {
      const known = this.#tells && this.#temperature === 1 ? told.length : 0;
      const before = [...draws[i].prompt_ids, ...ids.slice(0, known)];
      return { prompt_ids: before, ids: ids.slice(known) };
    });
    const asked = untold.flatMap((call, i) => call.ids.length > 0 ? [{ call, i }] : []);
    const scored = await this.score(asked.map(({ call }) => call));
    const rest = new Map(asked.map(({ i }, k) => [i, scored[k]]));
    return drawn.map(({ ids, told, seconds, cost }, i) => {
      const more = rest.get(i) ?? { log_probs: [], seconds: 0, cost: 0 };
      const known = told.slice(0, ids.length - more.log_probs.length);
      const log_probs = [...known, ...more.log_probs];
      return { ids, log_probs, seconds: seconds + more.seconds, cost: cost + more.cost };
    });
  }

  /**
   * Compares log probabilities beside a written text with those of the same ids as given ones, at a temperature
   * at which those of its sampling would differ.
   */
  async #doesTell(prompt_ids: readonly number[]): Promise<boolean> {
    const draw = { prompt_ids, end: null, most_tokens: 8, temperature: 2, seed: "told" };
    const { ids, told } = await this.#drawOne(draw).catch(() => ({ ids: [], told: [] }));
    if (told.length === 0 || told.length < ids.length) return false;
    const [{ log_probs: given }] = await this.score([{ prompt_ids, ids }]);
    const apart = told.reduce((sum, one, i) => sum + Math.abs(one - given[i]), 0);
    return apart / told.length < mostApart;
  }

  async #drawOne({ prompt_ids: prompt, most_tokens, temperature, seed: name, end }: OracleDraw) {
    const seed = new RandomStream("answer", name).uint32() >>> 1;
    const own = { prompt, temperature, top_p: 1, min_p: 0, seed };
    const [path, body] = this.#way === "token"
      ? ["/completion", { ...drawing, ...own, n_predict: most_tokens, n_probs: 1 }]
      : [completions, { ...own, ...writing, model: this.options.model, max_tokens: most_tokens }];
    const reply = await this.#ask(path as string, body, name);
    if (!reply.ok) throw this.#refusal(reply);
    const found = drawnIds(reply.json);
    if (!found) throw this.#untold();
    const isEnded = found.isEnded && end !== null && found.ids.at(-1) !== end;
    const ids = isEnded ? [...found.ids, end] : found.ids;
    if (ids.length === 0) throw this.#untold();
    const told = drawnLogProbs(reply.json, found.ids) ?? [];
    const cost = this.#cost(prompt.length + ids.length);
    return { ids, told, seconds: reply.seconds, cost };
  }

  #untold() {
    const message = `Cannot use answers of ${this.options.url}: they come without token ids`;
    const hint = "vLLM gives them (return_token_ids), and llama.cpp's server (return_tokens)";
    return inputError("oracle/no-ids", message, undefined, hint);
  }

  /**
   * Has a version of an adapter loaded, under its name; the first one is asked together with the served model.
   * The oldest is unloaded.
   *
   * @throws InputError if the server loads none, or has one answer for the other.
   */
  async adapt({ name, path, ids }: ServedAdapter): Promise<void> {
    if (this.#adapters.has(name)) return;
    if (this.#way === "token") throw this.#loadsNone("it is asked token by token");
    const body = { lora_name: name, lora_path: path };
    const reply = await askServer(this.options, "/v1/load_lora_adapter", body, name, true);
    const made = new ServerScorer({ ...this.options, model: name });
    [made.#way, made.#tells] = [this.#way, this.#tells];
    await made.#requireModel().catch((error) => {
      throw reply.ok ? error : this.#loadsNone(reply.said);
    });
    if (this.#adapters.size === 0) {
      made.#others = [this.options.model];
      await made.#requireApart(ids);
    }
    this.#adapters.set(name, made);
    const [oldest] = this.#adapters.keys();
    if (this.#adapters.size <= mostAdapters) return;
    this.#adapters.delete(oldest);
    await askServer(this.options, "/v1/unload_lora_adapter", { lora_name: oldest }, oldest, true);
  }

  #loadsNone(why: string) {
    const message = `Cannot send an adapter to ${this.options.url}: ${why}`;
    const hint =
      "vLLM loads one that lies on its machine, started with --enable-lora, --max-lora-rank " +
      "and VLLM_ALLOW_RUNTIME_LORA_UPDATING=1";
    return inputError("oracle/adapter", message, undefined, hint);
  }

  /**
   * Asks twice, and in two parts: log p of a text is the sum of those of its parts; candidates may not
   * have more than the whole probability.
   *
   * @throws InputError if its other models have their answers taken for those of this one.
   */
  async probe(calls: readonly OracleCall[]): Promise<OracleProbe> {
    const parts = calls.flatMap(({ prompt_ids, ids }) => {
      const half = Math.ceil(ids.length / 2);
      const [before, after] = [ids.slice(0, half), ids.slice(half)];
      const rest = { prompt_ids: [...prompt_ids, ...before], ids: after };
      return after.length === 0 ? [] : [{ prompt_ids, ids: before }, rest];
    });
    const [whole, again, split] = [
      await this.#scored(calls, new Map()),
      await this.#scored(calls, new Map()),
      await this.#scored(parts, new Map()),
    ].map((answers) => answers.flatMap(({ log_probs }) => log_probs));
    const difference = (other: readonly number[]) =>
      other.reduce((most, one, i) => Math.max(most, Math.abs(one - whole[i])), 0);
    const [{ prompt_ids, ids }] = calls;
    await this.#requireApart([...prompt_ids, ...ids]);
    return {
      tokens: whole.length,
      largest_difference: Math.max(difference(again), difference(split)),
      largest_mass_error: Math.max(0, await this.#candidateMass([...prompt_ids, ...ids]) - 1),
    };
  }

  /** Other models are asked by themselves and together with this one; each has to answer as by itself. */
  async #requireApart(ids: readonly number[]): Promise<void> {
    const way = this.#way;
    if (way === "token") return; // llama.cpp serves one model under any name
    for (const other of this.#others.slice(0, mostOthers)) {
      const ask = (model: string) => this.#totalOf(ids, model, way!);
      const { model } = this.options;
      const [own, strange] = [await ask(model), await ask(other)];
      const together = await Promise.all(
        Array.from({ length: 2 * mostTogether }, (_, i) => ask(i % 2 === 0 ? model : other)),
      );
      const isTaken = together.some((one, i) => {
        const [mine, others] = i % 2 === 0 ? [own, strange] : [strange, own];
        return Math.abs(one - mine) > Math.abs(one - others);
      });
      if (isTaken) throw this.#mixed(other);
    }
  }

  async #totalOf(ids: readonly number[], model: string, way: Way): Promise<number> {
    const asked = { ...this.#prompting(ids, way), model };
    const reply = await this.#ask(completions, asked, `${model} ${ids.join(" ")}`);
    if (!reply.ok) throw this.#refusal(reply);
    const found = promptScores(reply.json, ids);
    if (!found) throw this.#gone();
    return found.logProbs.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  }

  #mixed(other: string) {
    const { url, model } = this.options;
    const message = `Cannot use ${url} as an oracle: asked together, "${model}" and "${other}" ` +
      "answer for one another";
    const hint = "have the model served alone, or with more places for adapters than there are " +
      "(vLLM: --max-loras)";
    return inputError("oracle/mixed", message, undefined, hint);
  }

  async #candidateMass(prompt: readonly number[]): Promise<number> {
    const reply = this.#way === "token"
      ? await this.#ask("/completion", { ...drawing, prompt, n_probs: 20 }, "mass")
      : await this.#ask(completions, {
        ...this.#completing(prompt),
        logprobs: 20,
        return_tokens_as_token_ids: true,
      }, "mass");
    if (!reply.ok) return 0; // fewer candidates are served: nothing to add up
    return [...candidateScores(reply.json).values()].reduce((sum, one) => sum + exp(one), 0);
  }

  async #requireModel(): Promise<void> {
    const reply = await this.#ask("/v1/models", undefined, "models");
    const list = reply.ok && isRecord(reply.json) ? reply.json.data : undefined;
    if (!Array.isArray(list)) return;
    const names = list.flatMap((one) =>
      isRecord(one) && typeof one.id === "string" ? [one.id] : []
    );
    const { model, url, vocabulary } = this.options;
    this.#others = names.filter((one) => one !== model);
    const own = list.find((one) => isRecord(one) && one.id === model);
    if (!own) {
      const message = `Cannot use ${url} as an oracle: it serves no model "${model}"`;
      throw inputError(
        "oracle/model",
        message,
        undefined,
        `it serves ${names.join(", ") || "none"}`,
      );
    }
    const size = isRecord(own.meta) ? own.meta.n_vocab : undefined;
    if (typeof size !== "number" || size === vocabulary) return;
    throw otherTokens(
      this.options,
      `it has ${size} tokens, the tokenizer of the project ${vocabulary}`,
    );
  }

  /** Where a server reports its ids of a text: checks that they are those of the project's tokenizer. */
  async #requireTokens({ text, ids }: ServerTrial): Promise<void> {
    const { model } = this.options;
    const asked = { model, prompt: text, content: text, add_special_tokens: false };
    const reply = await this.#ask("/tokenize", { ...asked, add_special: false }, "tokens");
    const own = reply.ok && isRecord(reply.json) ? reply.json.tokens : undefined;
    if (!Array.isArray(own)) return;
    const wanted = ids.slice(-own.length);
    if (own.length <= ids.length && own.every((id, i) => id === wanted[i])) return;
    throw otherTokens(this.options, `it reads ${JSON.stringify(text)} as ${own.join(" ")}`);
  }

  async #findWay(ids: readonly number[]): Promise<Way> {
    const seen: string[] = [];
    for (const way of ["prompt", "echo"] as const) {
      const reply = await this.#ask(completions, this.#prompting(ids, way), way);
      if (reply.ok && promptScores(reply.json, ids)) return way;
      seen.push(
        reply.ok
          ? "/v1/completions gives none of prompts"
          : `status ${reply.status}: ${reply.said}`,
      );
    }
    const [before, target] = [ids.slice(0, -1), ids[ids.length - 1]];
    const reply = await this.#ask("/completion", forcing(before, target), "way");
    if (reply.ok && drawnScore(reply.json, target) !== undefined) return "token";
    const message =
      `Cannot use ${this.options.url} as an oracle: it gives no log probabilities of ` +
      `given tokens (${[...new Set(seen)].join("; ")})`;
    const hint =
      "vLLM does, and llama.cpp's server token by token; a server of chats alone does not";
    throw inputError("oracle/no-log-probs", message, undefined, hint);
  }

  async #version(): Promise<string | null> {
    for (const [path, key] of [["/version", "version"], ["/props", "build_info"]]) {
      const reply = await this.#ask(path, undefined, path);
      const said = reply.ok && isRecord(reply.json) ? reply.json[key] : undefined;
      if (typeof said === "string") return said;
    }
    return null;
  }

  async #byPrompt({ prompt_ids, ids }: OracleCall, way: Way): Promise<OracleAnswer> {
    const all = [...prompt_ids, ...ids];
    if (this.#temperature !== 1) return await this.#heated(all, prompt_ids.length);
    const reply = await this.#ask(completions, this.#prompting(all, way), all.join(" "));
    if (!reply.ok) throw this.#refusal(reply);
    const found = promptScores(reply.json, all);
    if (!found) throw this.#gone();
    const log_probs = found.logProbs.slice(prompt_ids.length).map((one) => one ?? NaN);
    return { ids, log_probs, seconds: reply.seconds, cost: this.#cost(all.length) };
  }

  /** log p_T by all candidates of every token of a prompt. */
  async #heated(all: readonly number[], from: number): Promise<OracleAnswer> {
    const asked = { ...this.#completing(all), prompt_logprobs: this.options.vocabulary };
    const reply = await this.#ask(completions, asked, `all ${all.join(" ")}`);
    if (!reply.ok) throw this.#refusal(reply);
    const rows = promptCandidates(reply.json);
    const log_probs = all.slice(from).map((id, k) => this.#atTemperature(rows[from + k], id));
    return {
      ids: all.slice(from),
      log_probs,
      seconds: reply.seconds,
      cost: this.#cost(all.length),
    };
  }

  get #temperature(): number {
    return this.options.temperature ?? 1;
  }

  /** @throws InputError unless every token is a candidate. */
  #atTemperature(candidates: ReadonlyMap<number, number> | undefined, id: number): number {
    const own = candidates?.get(id);
    const { vocabulary, url } = this.options;
    if (!candidates || own === undefined || candidates.size < vocabulary) {
      const message = `Cannot use ${url} at temperature ${this.#temperature}: it gives ` +
        `${candidates?.size ?? 0} candidates of ${vocabulary} tokens`;
      const hint = "let it give all (vLLM: --max-logprobs -1), or leave temperature out";
      throw inputError("oracle/temperature", message, undefined, hint);
    }
    const all = [...candidates.values()].map((one) => one / this.#temperature);
    return own / this.#temperature - logSumExp(all);
  }

  async #byToken(before: readonly number[], id: number): Promise<TokenScore> {
    if (this.#temperature !== 1) return await this.#byCandidates(before, id, 0);
    const reply = await this.#ask("/completion", forcing(before, id), `${before.join(" ")} ${id}`);
    if (!reply.ok) throw this.#refusal(reply);
    const cost = this.#cost(before.length + 1);
    const logProb = drawnScore(reply.json, id);
    if (logProb !== undefined) return { logProb, seconds: reply.seconds, cost };
    // A token that is half a character has no probability of its own: it is read off the candidates.
    const other = await this.#byCandidates(before, id, reply.seconds);
    return { ...other, cost: other.cost + cost };
  }

  async #byCandidates(before: readonly number[], id: number, seconds: number): Promise<TokenScore> {
    const cost = this.#cost(before.length + 1);
    const every = { ...drawing, prompt: before, n_probs: this.options.vocabulary };
    const full = await this.#ask("/completion", every, `all ${before.join(" ")}`);
    if (!full.ok) throw this.#refusal(full);
    const candidates = candidateScores(full.json);
    const found = this.#temperature === 1
      ? candidates.get(id)
      : this.#atTemperature(candidates, id);
    if (found === undefined) throw this.#gone();
    requireLogProb(found, id);
    return { logProb: found, seconds: seconds + full.seconds, cost };
  }

  #prompting(ids: readonly number[], way: Way) {
    const own = way === "prompt"
      ? { prompt_logprobs: 0, return_token_ids: true }
      : { echo: true, logprobs: 1, return_tokens_as_token_ids: true };
    return { ...this.#completing(ids), ...own };
  }

  #completing(prompt: readonly number[]) {
    return { model: this.options.model, prompt, max_tokens: 1, temperature: 0 };
  }

  #cost(tokens: number): number {
    return tokens * this.options.price / 1e6;
  }

  async #ask(path: string, body: unknown, seed: string): Promise<ServerReply> {
    return await askServer(this.options, path, body, seed);
  }

  #each<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
    return inTurns(this.options.concurrency, items, work);
  }

  #refusal({ status, said }: ServerReply & { readonly ok: false }) {
    const message = `Cannot ask ${this.options.url}: status ${status}: ${said}`;
    const hint = "texts may be longer than the server reads, or hold ids that it does not have";
    return inputError("oracle/refused", message, undefined, hint);
  }

  #gone() {
    const message =
      `Cannot use ${this.options.url}: an answer lacks the log probabilities that it ` +
      "gave when it was tried";
    return inputError("oracle/missing", message, undefined, "see the server's own log");
  }
}

/** One token behind others. */
interface Step {
  readonly key: string;
  readonly before: readonly number[];
  readonly id: number;
}

interface TokenScore {
  readonly logProb: number;
  readonly seconds: number;
  readonly cost: number;
}

const completions = "/v1/completions";

/** Tokens that are remembered: some megabytes. */
const mostEdges = 1 << 16;

/** Most nats a token between reported and requested log probabilities: packed weights round by batches. */
const mostApart = 0.1;

/** Other models that are tried, and calls of each that are under way at once: two were not enough. */
const [mostOthers, mostTogether] = [3, 6];

/** Options that ask for ids of written tokens, and leave no candidate out. */
const writing = {
  top_k: -1,
  logprobs: 1,
  return_token_ids: true,
  return_tokens_as_token_ids: true,
};

/** Sampling that is the model's own: a server's defaults leave candidates out. */
const drawing = {
  n_predict: 1,
  temperature: 1,
  top_k: 0,
  top_p: 1,
  min_p: 0,
  repeat_penalty: 1,
  seed: 1,
  cache_prompt: true,
  return_tokens: true,
};

/** The target is drawn by a bias; the log probability that comes back is raw. */
function forcing(prompt: readonly number[], target: number) {
  return { ...drawing, prompt, n_probs: 1, logit_bias: [[target, 1000]] };
}

/** All ids but the first are scored. */
function callAfterFirst(ids: readonly number[]): OracleCall {
  return { prompt_ids: ids.slice(0, 1), ids: ids.slice(1) };
}

function otherTokens({ url }: ServerOptions, what: string) {
  const message = `Cannot use ${url} as an oracle: ${what}`;
  const hint = "name the model of the project whose tokens the server's model reads, as tokenizer";
  return inputError("oracle/tokenizer", message, undefined, hint);
}
