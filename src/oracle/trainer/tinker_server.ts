/** A server that trains, by Tinker's protocol in plain JSON: sessions, questions, and answers that come later. */
import { inputError, MissingPartError } from "../../base/diagnostic.ts";
import { isRecord } from "../../base/record.ts";
import { askServer, type ServerAddress } from "../server/ask_server.ts";

/** Seconds between two signs of life; sessions are forgotten after some hundreds. */
const heartbeat = 30;

/** Version of the last SDK that spoke plain JSON. */
const spoken = "0.15.0";

/** The server has lost the model, or the fate of a request is unknown: the model has to be restored. */
export class LostModel extends Error {}

/** One session with one server. */
export class TinkerServer {
  #session: Promise<string> | undefined;
  #beating: ReturnType<typeof setInterval> | undefined;
  #calls = 0;

  /** @param address Its root, without `/api/v1`. */
  constructor(readonly address: ServerAddress) {}

  /** The session's name; a new one where there is none. */
  session(): Promise<string> {
    this.#beating ??= setInterval(() => void this.#beat(), 1000 * heartbeat);
    return this.#session ??= this.#begin();
  }

  /** Ends the signs of life. */
  close(): void {
    clearInterval(this.#beating);
  }

  /** Begins another session with the next question: the present one is not known there. */
  forget(): void {
    this.#session = undefined;
  }

  /**
   * Asks, and waits for the answer. A question that changes nothing is asked again where its answer was
   * lost; of one that does, it is unknown then whether the server received it.
   *
   * @param options.changes Whether asking twice is not the same as asking once.
   * @throws LostModel if the model is not there, or the answer to a question that changes it was lost;
   * InputError if the question is refused; MissingPartError if no server answers.
   */
  async ask(
    path: string,
    body: Readonly<Record<string, unknown>>,
    { changes = false } = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    const first = await this.#post(path, body, changes);
    const { request_id: id } = first;
    if (typeof id !== "string" && typeof id !== "number") return first;
    const later = await this.#post("retrieve_future", { request_id: `${id}` }, false, changes);
    return { ...first, ...later };
  }

  /** The bytes at a path, through one redirect within the same host; undefined where there are none. */
  async bytes(path: string): Promise<Uint8Array | undefined> {
    const { url, key, timeout } = this.address;
    const own = new URL(url);
    let at = new URL(`${url}/api/v1/${path}`);
    for (let hops = 0; hops < 3; hops++) {
      const response = await fetch(at, {
        redirect: "manual",
        signal: AbortSignal.timeout(1000 * timeout),
        headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      }).catch((error) => {
        throw new LostModel(`${at.href}: ${(error as Error).message}`);
      });
      const to = response.headers.get("location");
      if (response.ok) return new Uint8Array(await response.arrayBuffer());
      await response.body?.cancel();
      if (to === null) return undefined;
      at = new URL(to, at);
      if (at.host !== own.host) return undefined;
    }
    return undefined;
  }

  async #begin(): Promise<string> {
    const about = { tags: [], user_metadata: null, sdk_version: spoken, type: "create_session" };
    const { session_id: id } = await this.#post("create_session", about, false);
    if (typeof id === "string") return id;
    throw this.#strange("create_session", "it names no session");
  }

  async #beat(): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    if (session === undefined) return;
    const body = { session_id: session, type: "session_heartbeat" };
    await this.#post("session_heartbeat", body, true).catch(() => {});
  }

  /** @param isFuture Of a question that changes the model: its outcome is lost with the answer. */
  async #post(
    path: string,
    body: unknown,
    changes: boolean,
    isFuture = false,
  ): Promise<Readonly<Record<string, unknown>>> {
    const address = changes ? { ...this.address, retries: 0 } : this.address;
    let reply;
    try {
      reply = await askServer(address, `/api/v1/${path}`, body, `${this.#calls++}`);
    } catch (error) {
      if (error instanceof MissingPartError && (changes || isFuture)) {
        throw new LostModel(error.message);
      }
      throw error;
    }
    if (reply.ok && isRecord(reply.json)) return reply.json;
    if (reply.ok) throw this.#strange(path, "it answers with no object");
    if (/session/i.test(reply.said) && reply.status === 404) this.forget();
    const isGone = reply.status === 404 || /not (found|loaded)/i.test(reply.said);
    if (isGone && !/checkpoint/i.test(reply.said)) throw new LostModel(reply.said);
    throw this.#refused(path, reply.status, reply.said);
  }

  #refused(path: string, status: number, said: string) {
    const message = `Cannot train on ${this.address.url}: ${path}: status ${status}: ${said}`;
    const hint = /adapters|slots/i.test(said)
      ? "set adapters to less than the server has room for, or have it started with more"
      : "see the server's own log; base_model and rank have to be those that it serves";
    return inputError("trainer/refused", message, undefined, hint);
  }

  #strange(path: string, what: string) {
    const message = `Cannot train on ${this.address.url}: ${path}: ${what}`;
    const hint = "name a server that speaks Tinker's protocol in plain JSON, as SkyRL-tx 0.3 does";
    return inputError("trainer/protocol", message, undefined, hint);
  }
}
