/** A server of a small bigram model that answers as vLLM, an echo, or llama.cpp does, and can be told to fail. */

import { RandomStream } from "../../src/base/random.ts";

/** Tokens of the model. */
export const vocabulary = 6;

/** log p(next | before), normalised. @param size Of the vocabulary. */
export function logP(before: number, next: number, size = vocabulary): number {
  const weight = (id: number) => 1 + ((before * 5 + id * 3) % 7);
  const all = Array.from({ length: size }, (_, id) => weight(id));
  return Math.log(weight(next) / all.reduce((sum, one) => sum + one, 0));
}

/** Ways in which servers answer. */
export type Manner = "vllm" | "echo" | "llama" | "deaf";

/** Replaces the answer of one path; undefined: the usual answer. */
export type Instead = (
  request: Request,
  attempt: number,
) => Response | Promise<Response> | undefined;

interface Asked {
  readonly prompt: readonly number[];
  readonly logit_bias?: readonly (readonly [number, number])[];
  readonly n_probs?: number;
  readonly echo?: boolean;
  readonly max_tokens?: number;
  readonly n_predict?: number;
  readonly seed?: number;
  readonly temperature?: number;
  readonly prompt_logprobs?: number;
  readonly model?: string;
  readonly lora_name?: string;
  readonly lora_path?: string;
}

/** A server on a free port of this machine. */
export class StubServer {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #attempts = new Map<string, number>();
  /** By path. */
  instead: Readonly<Record<string, Instead>> = {};
  /** Changes every log probability: another model under the same name. */
  shift = 0;
  version = "1.0";
  /** Token that a request must have; every request is answered if left out. */
  token: string | undefined;
  /** Values of the requests' header `authorization`. */
  readonly keys = new Set<string | null>();
  underWay = 0;
  mostUnderWay = 0;
  /** Log probabilities beside what it writes: the model's, those of its sampling, or none. */
  tells: "raw" | "sampled" | "none" = "none";
  /** Adapters that were loaded and not released, by name, with their folders; none if left out. */
  adapters: Map<string, string> | undefined;
  /** Names by which texts were asked for. */
  readonly writers = new Set<string>();
  /** Tokens without a probability of their own, as halves of characters are for llama.cpp. */
  halves: readonly number[] = [];

  constructor(readonly manner: Manner, readonly size = vocabulary, port = 0) {
    this.#server = Deno.serve({ port, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
      return this.#answer(request);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** How often a path was asked. */
  asked(path: string): number {
    return this.#attempts.get(path) ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  async #answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    const attempt = this.asked(path) + 1;
    this.#attempts.set(path, attempt);
    const key = request.headers.get("authorization");
    this.keys.add(key);
    if (this.token !== undefined && key !== `Bearer ${this.token}`) {
      return Response.json({ error: "who are you?" }, { status: 401 });
    }
    this.mostUnderWay = Math.max(this.mostUnderWay, ++this.underWay);
    const body = request.method === "POST" ? await request.clone().json() as Asked : undefined;
    await new Promise((resolve) => setTimeout(resolve, 2));
    try {
      return await this.instead[path]?.(request, attempt) ?? this.#plain(path, body);
    } finally {
      this.underWay--;
    }
  }

  #plain(path: string, body: Asked | undefined): Response {
    const { manner } = this;
    if (path === "/v1/models") {
      const names = ["small", ...this.adapters?.keys() ?? []];
      return Response.json({ data: names.map((id) => ({ id })) });
    }
    if (this.adapters && /load_lora_adapter$/.test(path)) return this.#load(path, body!);
    if (path === "/version" && manner === "vllm") return Response.json({ version: this.version });
    if (path === "/props" && manner === "llama") return Response.json({ build_info: this.version });
    if (path === "/v1/completions" && manner !== "llama") {
      return Response.json(this.#complete(body!));
    }
    if (path === "/v1/completions") {
      return Response.json({ choices: [{ text: "?", logprobs: null }] });
    }
    if (path === "/completion" && manner === "llama") return Response.json(this.#draw(body!));
    return Response.json({ error: { message: "no such path" } }, { status: 404 });
  }

  /** As vLLM: a sentence, and no JSON. */
  #load(path: string, { lora_name: name = "", lora_path: folder = "" }: Asked): Response {
    if (path.includes("unload")) this.adapters!.delete(name);
    else {this.adapters!.set(
        name,
        [...Deno.readDirSync(folder)].map(({ name }) => name).sort().join(),
      );}
    return new Response(`Success: LoRA adapter '${name}'`);
  }

  /** Tokens by the model at a temperature; the last of the vocabulary ends them. */
  #write({ prompt, seed = 0, temperature = 1 }: Asked, most: number): number[] {
    const random = new RandomStream("stub", seed);
    const ids: number[] = [];
    while (ids.length < most && ids.at(-1) !== this.size - 1) {
      const before = ids.at(-1) ?? prompt[prompt.length - 1];
      const weights = Array.from(
        { length: this.size },
        (_, id) => Math.exp(this.logProbs(before, id) / temperature),
      );
      let left = random.uniform() * weights.reduce((sum, one) => sum + one, 0);
      ids.push(Math.max(0, weights.findIndex((one) => (left -= one) < 0)));
    }
    return ids;
  }

  /** The classic shape; of a server that tells those of its sampling at the temperature that was asked for. */
  #told({ prompt, temperature = 1 }: Asked, ids: readonly number[]): unknown {
    if (this.tells === "none") return null;
    const own = (before: number, id: number) => {
      const raw = this.logProbs(before, id);
      if (this.tells === "raw") return raw;
      const all = Array.from({ length: this.size }, (_, one) => this.logProbs(before, one));
      const sum = all.reduce((total, one) => total + Math.exp(one / temperature), 0);
      return raw / temperature - Math.log(sum);
    };
    const tokens = ids.map((id) => `token_id:${id}`);
    const token_logprobs = ids.map((id, i) => own(ids[i - 1] ?? prompt[prompt.length - 1], id));
    return { tokens, token_logprobs };
  }

  #complete(asked: Asked): unknown {
    const { prompt, echo, max_tokens: most = 1, prompt_logprobs: candidates = 0 } = asked;
    if (most > 1 && this.manner !== "deaf") {
      this.writers.add(`${asked.model}`);
      const token_ids = this.#write(asked, most);
      const isEnded = token_ids.at(-1) === this.size - 1;
      const logprobs = this.#told(asked, token_ids);
      return { choices: [{ token_ids, logprobs, finish_reason: isEnded ? "stop" : "length" }] };
    }
    const of = (i: number) => this.logProbs(prompt[i - 1], prompt[i]);
    const own = prompt.map((_, i) => i === 0 ? null : of(i));
    const tokens = [...prompt, 0].map((id) => `token_id:${id}`);
    const token_logprobs = [...own, this.logProbs(prompt[prompt.length - 1], 0)];
    if (this.manner === "deaf" || this.manner === "echo" && !echo) {
      return { choices: [{ text: "?", logprobs: null }] };
    }
    if (this.manner === "echo") return { choices: [{ logprobs: { tokens, token_logprobs } }] };
    const cells = (i: number) =>
      Object.fromEntries(
        Array.from({ length: Math.min(this.size, candidates) }, (_, id) => [
          id,
          { logprob: this.logProbs(prompt[i - 1], id) },
        ]),
      );
    const prompt_logprobs = prompt.map((id, i) =>
      i === 0 ? null : { ...cells(i), [id]: { logprob: of(i), rank: 1 } }
    );
    return { choices: [{ prompt_token_ids: prompt, prompt_logprobs, logprobs: null }] };
  }

  #draw(asked: Asked): unknown {
    const { prompt, logit_bias = [], n_probs = 1, n_predict = 1 } = asked;
    if (n_predict > 1) {
      const tokens = this.#write(asked, n_predict);
      return { tokens, stop_type: tokens.at(-1) === this.size - 1 ? "eos" : "limit" };
    }
    const before = prompt[prompt.length - 1];
    const id = logit_bias[0]?.[0] ?? 0;
    const row = (one: number) => ({ id: one, token: "a", logprob: this.logProbs(before, one) });
    const all = Array.from({ length: Math.min(n_probs, this.size) }, (_, one) => row(one));
    if (this.halves.includes(id)) return { content: "", tokens: [id] };
    return {
      content: "a",
      tokens: [id],
      completion_probabilities: [{ ...row(id), top_logprobs: all }],
    };
  }

  logProbs(before: number, next: number): number {
    return logP(before, next, this.size) + this.shift;
  }
}
