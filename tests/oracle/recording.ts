/** Traffic with a server over HTTP: recorded by a proxy in between, and answered again without the server. */
import { canonicalJson } from "../../src/base/canonical_json.ts";

/** One question and its answer. */
export interface Exchange {
  readonly path: string;
  /** JSON; null of a question without a body. */
  readonly body: unknown;
  readonly status: number;
  readonly answer: string;
  /** Of bytes that are no text. */
  readonly encoding?: "base64";
}

type Question = Pick<Exchange, "path" | "body">;

const quiet = { port: 0, hostname: "127.0.0.1", onListen: () => {} } as const;

/** Key that tells questions apart; the names of checkpoints are random, and count as equal. */
const keyOf = ({ path, body }: Question) =>
  canonicalJson([path, body] as never).replaceAll(/"s(\d+)-[0-9a-f]{8}"/g, '"s$1"');

/** Statuses that pass while a server loads or computes. */
const passing = [408, 503];

/** Hands questions on to a server, and keeps them with its answers, in order. */
export class RecordingProxy {
  readonly exchanges: Exchange[] = [];
  readonly #last = new Map<string, string>();
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  /** @param folder Of this machine, which recordings do not name. */
  constructor(readonly to: string, readonly folder: string) {
    this.#server = Deno.serve(quiet, (request) => this.#handOn(request));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async #handOn(request: Request): Promise<Response> {
    const text = request.method === "POST" ? await request.text() : "";
    const { pathname: path } = new URL(request.url);
    const response = await fetch(`${this.to}${path}`, {
      method: request.method,
      headers: { "content-type": "application/json" },
      ...(text !== "" && { body: text }),
    });
    const { status } = response;
    const bytes = await response.bytes();
    this.#keep(
      { path, body: text === "" ? null : JSON.parse(this.#nameless(text)) },
      status,
      bytes,
    );
    return new Response(bytes, { status });
  }

  /** One answer that is as the last one to its question is not kept again. */
  #keep(question: Question, status: number, bytes: Uint8Array): void {
    if (passing.includes(status) || question.path.endsWith("session_heartbeat")) return;
    const exchange = { ...question, status, ...this.#written(bytes) };
    const [key, said] = [keyOf(question), canonicalJson({ ...exchange, body: null } as never)];
    if (this.#last.get(key) === said) return;
    this.#last.set(key, said);
    this.exchanges.push(exchange);
  }

  #written(bytes: Uint8Array): Pick<Exchange, "answer" | "encoding"> {
    try {
      return { answer: this.#nameless(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
    } catch {
      return { answer: bytes.toBase64(), encoding: "base64" };
    }
  }

  #nameless(text: string): string {
    return text.replaceAll(`${this.folder}/`, "");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** Answers what was recorded, in order; to anything else 499, and it is counted. */
export class ReplayServer {
  readonly unknown: string[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(exchanges: readonly Exchange[]) {
    const known = Map.groupBy(exchanges, keyOf);
    this.#server = Deno.serve(quiet, async (request) => {
      const text = request.method === "POST" ? await request.text() : "";
      const { pathname: path } = new URL(request.url);
      const key = keyOf({ path, body: text === "" ? null : JSON.parse(text) });
      const answers = known.get(key) ?? [];
      const found = answers.length > 1 ? answers.shift() : answers[0];
      if (!found) this.unknown.push(key);
      const { status = 499, answer = "not recorded", encoding } = found ?? {};
      return new Response(encoding ? Uint8Array.fromBase64(answer) : answer, { status });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}
