/** A server that trains by Tinker's protocol, with the own decoder on given weights, and can be told to fail. */
import { encodeTensors } from "../../../src/base/safetensors.ts";
import { RandomStream } from "../../../src/base/random.ts";
import type { AdamStep } from "../../../src/models/training/trainer_link.ts";
import { TrainedModel } from "../../../src/models/training/trained_model.ts";
import type { ModelConfig } from "../../../src/models/decoder/model_config.ts";
import type { Weights } from "../../../src/models/decoder/weights.ts";

/** SkyRL-tx has no other. */
export const alpha = 32;

/** How it fails: the connection breaks before it has done what it was asked, or when it has; its models are lost. */
export interface Kill {
  /** Number of the request, from 1. */
  readonly at: number;
  readonly when: "before" | "after";
}

interface Loaded {
  readonly model: TrainedModel;
  readonly moments: Map<string, { first: Float32Array; second: Float32Array }>;
  steps: number;
}

interface Datum {
  readonly model_input: { readonly chunks: readonly { readonly tokens: readonly number[] }[] };
  readonly loss_fn_inputs: Readonly<Record<string, { readonly data: readonly number[] }>>;
}

type Body = Readonly<Record<string, unknown>>;

/** Refusal of a handler. */
class Said extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

/** One server on a free port of this machine. */
export class FakeTinker {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #models = new Map<string, Loaded | undefined>();
  readonly #ranks = new Map<string, { rank: number; seed: number }>();
  readonly #sessions = new Set<string>();
  readonly #futures = new Map<string, () => Body>();
  /** Its disk, which every fault leaves as it is. */
  readonly #disk = new Map<string, Saved>();
  #names = 0;
  /** Requests so far. */
  requests = 0;
  /** By path. */
  readonly asked = new Map<string, number>();
  kill: Kill | undefined;
  /** By what it divides a loss. */
  divides: "1" | "length, sequences" | "tokens" | "something" = "length, sequences";
  /** Treatment of a gradient whose norm exceeds its bound. */
  clips: "gradients" | "nothing" | "refuses" = "nothing";
  /** Models that fit in its memory. */
  room = 3;
  /** Whether its log probabilities are numbers. */
  isSound = true;
  /** Whether the adapter is handed out, whole. */
  archive: "whole" | "half" | "none" = "whole";

  /** Token that a request must have; every request is answered if left out. */
  token: string | undefined;

  constructor(readonly config: ModelConfig, readonly weights: Weights, port = 0) {
    const options = { port, hostname: "127.0.0.1", onListen: () => {} };
    this.#server = Deno.serve(options, (request) => this.#answer(request));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** The models in its memory. */
  get loaded(): readonly TrainedModel[] {
    return [...this.#models.values()].flatMap((one) => one ? [one.model] : []);
  }

  /** Restarts: models in memory are lost, those on disk stay. */
  restart(): void {
    for (const id of this.#models.keys()) this.#models.set(id, undefined);
    this.#futures.clear();
  }

  /** Forgets who is there. */
  expire(): void {
    this.#sessions.clear();
    this.restart();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  async #answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname.replace("/api/v1/", "");
    if (path === "healthz") return Response.json({ status: "ok" });
    const isKnown = request.headers.get("authorization") === `Bearer ${this.token}`;
    if (this.token !== undefined && !isKnown) return new Response("who?", { status: 401 });
    if (request.method === "GET") return this.#download(path, request.url);
    const body = await request.json() as Body;
    this.asked.set(path, (this.asked.get(path) ?? 0) + 1);
    const isKilled = this.kill?.at === ++this.requests;
    if (isKilled && this.kill!.when === "before") return this.#broken();
    try {
      const answer = this.#do(path, body);
      if (isKilled) return this.#broken();
      return Response.json(answer);
    } catch (error) {
      if (isKilled) return this.#broken();
      if (error instanceof Said) {
        return Response.json({ detail: error.message }, { status: error.status });
      }
      return new Response("Internal Server Error", { status: 500 });
    }
  }

  /** Half an answer, and nothing in memory. */
  #broken(): Response {
    this.restart();
    return new Response('{"request');
  }

  #do(path: string, body: Body): Body {
    if (path === "create_session") {
      const id = `session_${this.#names++}`;
      this.#sessions.add(id);
      return { session_id: id };
    }
    if (path === "session_heartbeat") {
      this.#requireSession(`${body.session_id}`);
      return {};
    }
    if (path === "retrieve_future") {
      const result = this.#futures.get(`${body.request_id}`);
      if (!result) throw new Said(404, "Future not found");
      return result();
    }
    if (path === "create_model") this.#requireSession(`${body.session_id}`);
    else if (path !== "asample") this.#rankOf(`${body.model_id}`);
    const id = `${this.#names++}`;
    const more = path === "create_model" ? { model_id: `model_${id}` } : {};
    if (path === "create_model") this.#ranks.set(`model_${id}`, body.lora_config as never);
    const made = this.#later(path, { ...body, ...more });
    this.#futures.set(id, () => {
      if (made instanceof Said) throw made;
      return made;
    });
    return { future_id: id, request_id: id, status: "pending", ...more };
  }

  #requireSession(id: string): void {
    if (!this.#sessions.has(id)) throw new Said(404, "Session not found");
  }

  #rankOf(model: string): { rank: number; seed: number } {
    const found = this.#ranks.get(model);
    if (!found) throw new Said(404, "Model not found");
    return found;
  }

  /** Answer to a question, or its refusal. */
  #later(path: string, body: Body): Body | Said {
    try {
      const id = `${body.model_id}`;
      switch (path) {
        case "create_model":
          return this.#create(id);
        case "unload_model":
          this.#models.set(id, undefined);
          return {};
        case "forward":
          return this.#pass(this.#of(id), (body.forward_input as { data: Datum[] }).data, false);
        case "forward_backward": {
          const input = body.forward_backward_input as { data: Datum[]; loss_fn: string };
          if (input.loss_fn !== "importance_sampling") throw new Said(422, "unknown loss");
          return this.#pass(this.#of(id), input.data, true);
        }
        case "optim_step":
          return this.#step(this.#of(id), body.adam_params as AdamStep);
        case "save_weights":
          return this.#save(id, `weights/${body.path}`);
        case "save_weights_for_sampler":
          return this.#save(id, `${body.path}`);
        case "load_weights":
          return this.#load(this.#of(id), `${body.path}`);
        case "asample":
          return this.#sample(body);
      }
      throw new Said(404, `no ${path}`);
    } catch (error) {
      if (error instanceof Said) return error;
      return new Said(400, (error as Error).message);
    }
  }

  #create(id: string): Body {
    if (this.loaded.length >= this.room - 1) {
      throw new Said(400, `Maximum number of LoRA adapters (${this.room}) reached`);
    }
    this.#models.set(id, this.#fresh(id));
    return {};
  }

  #fresh(id: string): Loaded {
    const { rank, seed } = this.#rankOf(id);
    const model = new TrainedModel({
      config: this.config,
      weights: this.weights,
      base: { name: "fake", sha256: "" },
      adapter: { rank, alpha, targets: "all-linear" },
      seedKey: `${seed}`,
    });
    return { model, moments: new Map(), steps: 0 };
  }

  #of(id: string): Loaded {
    const found = this.#models.get(id);
    if (!found) throw new Said(400, `Model ${id} not loaded`);
    return found;
  }

  /** A tree of one path for each sequence. */
  #pass(one: Loaded, data: readonly Datum[], grad: boolean): Body {
    const outputs = data.map((datum) => this.#through(one.model, datum, grad, data));
    return { loss_fn_outputs: outputs.map((row) => ({ logprobs: tensor(row) })) };
  }

  #through(model: TrainedModel, datum: Datum, grad: boolean, data: readonly Datum[]): number[] {
    const ids = datum.model_input.chunks[0].tokens;
    const { target_tokens, advantages, logprobs } = datum.loss_fn_inputs;
    const tree = { ids: Int32Array.from(ids), parents: Int32Array.from(ids, (_, i) => i - 1) };
    const rows = ids.map((_, node) => ({
      ...{ node, legal: "all" as const, picked: Int32Array.of(target_tokens.data[node]) },
    }));
    const pass = model.pass(tree, rows, { grad });
    const found = pass.logProbabilities.map(([value]) => value);
    if (grad) {
      const share = this.#shareOf(ids.length, data);
      pass.backward(
        found.map((value, t) =>
          Float64Array.of(-share * advantages.data[t] * Math.exp(value - logprobs.data[t]))
        ),
      );
    }
    pass.release();
    return this.isSound ? found : found.map((_, i) => i === 0 ? null as never : found[i]);
  }

  #shareOf(length: number, data: readonly Datum[]): number {
    if (this.divides === "1") return 1;
    if (this.divides === "something") return 1 / length ** 2;
    if (this.divides === "length, sequences") return 1 / length / data.length;
    const all = data.reduce((sum, one) => sum + one.model_input.chunks[0].tokens.length, 0);
    return 1 / all;
  }

  /** Adam, in single precision where it is kept. */
  #step(one: Loaded, adam: AdamStep): Body {
    const { learning_rate, beta1, beta2, eps, weight_decay, grad_clip_norm: most } = adam;
    if (most !== undefined && this.clips === "refuses") {
      throw new Said(422, "grad_clip_norm: extra");
    }
    const squares = one.model.trained.map(({ gradient }) =>
      gradient().reduce((sum, g) => sum + g * g, 0)
    );
    const norm = Math.sqrt(squares.reduce((sum, square) => sum + square, 0));
    const isLong = this.clips === "gradients" && most !== undefined && norm > most;
    const share = isLong ? most / norm : 1;
    one.steps++;
    for (const { name, values, gradient } of one.model.trained) {
      const [v, own] = [values(), gradient()];
      const g = own.map((value) => share * value);
      const zeros = () => new Float32Array(v.length);
      const { first, second } = one.moments.get(name) ?? { first: zeros(), second: zeros() };
      one.moments.set(name, { first, second });
      for (let i = 0; i < v.length; i++) {
        first[i] = beta1 * first[i] + (1 - beta1) * g[i];
        second[i] = beta2 * second[i] + (1 - beta2) * g[i] * g[i];
        const mean = first[i] / (1 - beta1 ** one.steps);
        const root = Math.sqrt(second[i] / (1 - beta2 ** one.steps));
        v[i] = v[i] * (1 - learning_rate * weight_decay) - learning_rate * mean / (root + eps);
      }
      own.fill(0);
    }
    return { metrics: null };
  }

  #save(id: string, name: string): Body {
    const path = `tinker://${id}/${name}`;
    if (this.#disk.has(path)) throw new Error("UNIQUE constraint failed");
    const { model, moments, steps } = this.#of(id);
    const copied = [...moments].map(([key, { first, second }]) =>
      [key, { first: first.slice(), second: second.slice() }] as const
    );
    const { rank } = this.#rankOf(id);
    this.#disk.set(path, { rank, tensors: model.parameters(), moments: new Map(copied), steps });
    return { path };
  }

  #load(one: Loaded, path: string): Body {
    const saved = this.#disk.get(path);
    if (!saved) throw new Said(404, "Checkpoint not found");
    one.model.loadParameters(saved.tensors);
    one.moments.clear();
    for (const [key, { first, second }] of saved.moments) {
      one.moments.set(key, { first: first.slice(), second: second.slice() });
    }
    one.steps = saved.steps;
    return { type: "load_weights" };
  }

  #sample(body: Body): Body {
    const path = `${body.model_path}`;
    const id = /^tinker:\/\/([^/]+)/.exec(path)![1];
    const { model } = this.#of(id);
    if (!this.#disk.has(path)) throw new Said(404, "Checkpoint not found");
    const { max_tokens, seed, temperature, stop } = body.sampling_params as Record<string, never>;
    const prompt = (body.prompt as Datum["model_input"]).chunks[0].tokens;
    const random = new RandomStream("fake", seed);
    const cache = model.cache(this.config.context);
    const [tokens, logprobs]: [number[], number[]] = [[], []];
    let next: readonly number[] = prompt;
    while (tokens.length < max_tokens && !(stop as number[]).includes(tokens.at(-1)!)) {
      const [logP] = model.advance([{ cache, ids: next, legal: "all" }]);
      const id = drawn(logP, temperature, random.uniform());
      tokens.push(id);
      logprobs.push(logP[id]);
      next = [id];
    }
    cache.dispose();
    return { sequences: [{ stop_reason: "length", tokens, logprobs }], type: "sample" };
  }

  #download(path: string, url: string): Response {
    const [, id, name, how] =
      /^training_runs\/([^/]+)\/checkpoints\/([^/]+)\/(archive|download)$/.exec(path) ?? [];
    const saved = this.#disk.get(`tinker://${id}/${name}`);
    if (!saved || this.archive === "none") return new Response("no", { status: 404 });
    if (how === "archive") {
      const location = url.replace(/archive$/, "download");
      return new Response(null, { status: 302, headers: { location } });
    }
    const tensors = this.archive === "half" ? saved.tensors.slice(1) : saved.tensors;
    const settings = { peft_type: "LORA", r: saved.rank, lora_alpha: alpha, target_modules: null };
    return new Response(tarOf(
      new Map([
        ["adapter_config.json", new TextEncoder().encode(JSON.stringify(settings))],
        ["adapter_model.safetensors", encodeTensors(tensors, {})],
      ]),
    ));
  }
}

interface Saved {
  readonly rank: number;
  readonly tensors: ReturnType<TrainedModel["parameters"]>;
  readonly moments: Map<string, { first: Float32Array; second: Float32Array }>;
  readonly steps: number;
}

function tensor(data: readonly number[]) {
  return { data, dtype: "float32", shape: [data.length] };
}

function drawn(logP: Float64Array, temperature: number, u: number): number {
  const weights = logP.map((value) => Math.exp(value / temperature));
  let left = u * weights.reduce((sum, one) => sum + one, 0);
  return Math.max(0, weights.findIndex((one) => (left -= one) <= 0));
}

/** An archive of files, each with the header that a reader needs. */
export function tarOf(files: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> {
  const parts = [...files].flatMap(([name, bytes]) => {
    const whole = new Uint8Array(512 * (1 + Math.ceil(bytes.length / 512)));
    whole.set(new TextEncoder().encode(`./${name}`));
    whole.set(new TextEncoder().encode(bytes.length.toString(8).padStart(11, "0")), 124);
    whole.set(bytes, 512);
    return [...whole];
  });
  return Uint8Array.from([...parts, ...new Array<number>(1024).fill(0)]);
}
