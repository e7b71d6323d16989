/** Traffic with a server over HTTP: recorded by a proxy in between, and answered again without the server. */
import { canonicalJson } from "../../src/base/canonical_json.ts";

/** One question and its answer. */
export interface Exchange {
  readonly path: string;
  /** JSON; null of a question without a body. */
  readonly body: unknown;
  readonly status: number;
  readonly answer: string;
}

const quiet = { port: 0, hostname: "127.0.0.1", onListen: () => {} } as const;

/** Key that tells questions apart. */
const keyOf = ({ path, body }: Pick<Exchange, "path" | "body">) => canonicalJson([path, body]);

async function questionOf(request: Request) {
  const text = request.method === "POST" ? await request.text() : "";
  const { pathname: path } = new URL(request.url);
  return { path, body: text === "" ? null : JSON.parse(text) };
}

/** Hands questions on to a server, and keeps them with its answers. */
export class RecordingProxy {
  readonly exchanges = new Map<string, Exchange>();
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  /** @param folder Of this machine, which answers name and recordings do not. */
  constructor(readonly to: string, folder: string) {
    this.#server = Deno.serve(quiet, async (request) => {
      const question = await questionOf(request);
      const headers = { "content-type": "application/json" };
      const response = await fetch(`${to}${question.path}`, {
        method: request.method,
        headers,
        ...(question.body !== null && { body: JSON.stringify(question.body) }),
      });
      const answer = (await response.text()).replaceAll(`${folder}/`, "");
      const exchange = { ...question, status: response.status, answer };
      // While it loads it says 503, which is not what is recorded.
      if (response.status !== 503) this.exchanges.set(keyOf(question), exchange);
      return new Response(answer, { status: response.status });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** Answers what was recorded; to anything else 599, and it is counted. */
export class ReplayServer {
  readonly unknown: string[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(exchanges: readonly Exchange[]) {
    const known = new Map(exchanges.map((one) => [keyOf(one), one]));
    this.#server = Deno.serve(quiet, async (request) => {
      const question = await questionOf(request);
      const found = known.get(keyOf(question));
      if (!found) this.unknown.push(keyOf(question));
      return new Response(found?.answer ?? "not recorded", { status: found?.status ?? 499 });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}
