/** One question to a server over HTTP: asked again where another attempt may help, refused where none can. */
import { inputError, MissingPartError } from "../../base/diagnostic.ts";
import { RandomStream } from "../../base/random.ts";
import { isRecord } from "../../base/record.ts";

/** Where a server is, and how patiently it is asked. */
export interface ServerAddress {
  /** Root of its interface, `http://127.0.0.1:8080`; paths are put behind it. */
  readonly url: string;
  /** Sent as a bearer token; never written down. */
  readonly key?: string | undefined;
  /** Attempts after the first. */
  readonly retries: number;
  /** Seconds after which an attempt has failed. */
  readonly timeout: number;
  /** Seconds before the second attempt; they double from one to the next. */
  readonly pause: number;
}

/** An answer: its JSON, or a refusal that another attempt would not change. */
export type ServerReply =
  | { readonly ok: true; readonly json: unknown; readonly seconds: number }
  | { readonly ok: false; readonly status: number; readonly said: string };

/** Statuses that pass: too early, too many, not there at the moment. */
const passing = [408, 425, 429, 502, 503, 504];

/** Most attempts at a server that answers 500: the second one means that it has died. */
const most500 = 2;

/** Longest pause that a server may ask for, seconds. */
const longestPause = 120;

/** Letters of an answer that a message repeats. */
const mostSaid = 300;

/**
 * Asks once, and again after connections that are refused or cut, time-outs, half a body, and statuses
 * that pass; the pauses are those of `Retry-After`, or double, with a jitter that equal calls share.
 *
 * @param path Behind the root; with `body` it is posted.
 * @param seed Identity of this call, for the jitter.
 * @param isText Whether an answer is no JSON, but a sentence.
 * @throws MissingPartError if no attempt was answered; InputError at a redirect, and where the key is
 * refused. Other statuses from 400 on are replies.
 */
export async function askServer(
  address: ServerAddress,
  path: string,
  body: unknown,
  seed: string,
  isText = false,
): Promise<ServerReply> {
  const random = new RandomStream("server", address.url, path, seed);
  let [last, faults] = ["", 0];
  for (let attempt = 0; attempt <= address.retries; attempt++) {
    const found = await tryOnce(address, path, body, isText);
    if (found.kind === "reply") return found.reply;
    last = found.why;
    if (found.status === 500 && ++faults === most500) break;
    if (attempt === address.retries) break;
    const pause = address.pause * 2 ** attempt * (0.5 + random.uniform());
    await wait(Math.min(longestPause, found.after ?? pause));
  }
  throw unreached(address, last);
}

type Attempt =
  | { readonly kind: "reply"; readonly reply: ServerReply }
  | {
    readonly kind: "again";
    readonly why: string;
    readonly status?: number;
    /** Seconds that the server asks to wait. */
    readonly after?: number | undefined;
  };

async function tryOnce(
  address: ServerAddress,
  path: string,
  body: unknown,
  isText: boolean,
): Promise<Attempt> {
  const began = performance.now();
  let [status, text, retryAfter] = [0, "", null as string | null];
  try {
    const response = await fetch(`${address.url}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(address.key !== undefined && { authorization: `Bearer ${address.key}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: "manual",
      signal: AbortSignal.timeout(1000 * address.timeout),
    });
    status = response.status;
    retryAfter = response.headers.get("retry-after");
    if (status >= 300 && status < 400) throw redirected(address, response.headers.get("location"));
    text = await response.text();
  } catch (error) {
    return failed(address, error);
  }
  if (status === 401 || status === 403) throw refusedKey(address, status, saidBy(address, text));
  if (passing.includes(status) || status === 500) {
    const why = `status ${status}: ${saidBy(address, text)}`;
    return { kind: "again", why, status, after: secondsOf(retryAfter) };
  }
  if (status >= 400) {
    return { kind: "reply", reply: { ok: false, status, said: saidBy(address, text) } };
  }
  const seconds = (performance.now() - began) / 1000;
  if (isText) return { kind: "reply", reply: { ok: true, json: text, seconds } };
  try {
    return { kind: "reply", reply: { ok: true, json: JSON.parse(text), seconds } };
  } catch {
    const shown = JSON.stringify(hidden(address, text).slice(0, 40));
    return { kind: "again", why: `an answer of ${text.length} letters is no JSON: ${shown}` };
  }
}

/** Reads a failed `fetch`: refusals are thrown on, a wrong certificate is final, all else is tried again. */
function failed(address: ServerAddress, error: unknown): Attempt {
  if (error instanceof Error && "diagnostics" in error) throw error;
  const why = error instanceof DOMException && error.name === "TimeoutError"
    ? `no answer within ${address.timeout} s`
    : hidden(address, wordsOf(error));
  if (!/certificate/i.test(why)) return { kind: "again", why };
  const hint = "mend the server's certificate, or its name in url";
  throw inputError("oracle/certificate", `Cannot trust ${address.url}: ${why}`, undefined, hint);
}

/** The message of an error with those of its causes: that of `fetch` is no more than that it failed. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${wordsOf(error.cause)}`;
}

/** `Retry-After` in seconds: a number, or a date. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+(\.\d+)?$/.test(header)
    ? Number(header)
    : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/** The reason in an answer: `{ error: { message } }`, `{ error }`, `{ detail }`, or its text. */
function saidBy(address: ServerAddress, text: string): string {
  let said = text;
  try {
    const json: unknown = JSON.parse(text);
    const { error, detail, message } = isRecord(json) ? json : {};
    const found = isRecord(error) ? error.message : error ?? detail ?? message;
    if (found !== undefined) said = typeof found === "string" ? found : JSON.stringify(found);
  } catch {
    // Plain text.
  }
  const shown = hidden(address, said.trim()).slice(0, mostSaid);
  return shown === "" ? "it said nothing" : shown;
}

/** A text without the key, which some servers repeat. */
function hidden({ key }: ServerAddress, text: string): string {
  return key === undefined || key === "" ? text : text.replaceAll(key, "…");
}

function wait(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
}

function redirected({ url }: ServerAddress, to: string | null) {
  const message = `Cannot ask ${url}: it sends its callers to ${to ?? "elsewhere"}`;
  const hint =
    "write the address that answers itself: nothing is sent to a host that the pipeline " +
    "does not name";
  return inputError("oracle/redirect", message, undefined, hint);
}

function refusedKey({ url, key }: ServerAddress, status: number, said: string) {
  const message = `Cannot ask ${url}: status ${status}: ${said}`;
  const hint = key === undefined
    ? 'it wants a key: write key = "NAME" of the variable that holds it'
    : "the key in that variable is not accepted";
  return inputError("oracle/key", message, undefined, hint);
}

function unreached({ url, retries }: ServerAddress, last: string) {
  const message = `Cannot reach the server at ${url}: ${last} (the last of ${
    retries + 1
  } attempts)`;
  return new MissingPartError(message, "start it and run again: what was answered is kept");
}
