/** The process with the network: OpenEnv over HTTP and WebSocket on 127.0.0.1, every request passed on as a frame. */
import { FrameReader, FrameWriter } from "../../../base/frames.ts";
import { type ServeAnswer, serveError, type ServeRequest, type ServeSetup } from "./messages.ts";

/** Bytes of a message of a client. */
const mostBytes = 1 << 20;
const caps = { json: 16 << 20, payload: 0 };
const types = ["reset", "step", "state", "close"] as const;

const reader = new FrameReader(Deno.stdin.readable, caps);
const writer = new FrameWriter(Deno.stdout.writable);
const first = await reader.read();
if (first.kind !== "frame") Deno.exit(1);
const { token, port, sessions, idle } = first.frame.json as ServeSetup;

const waiting = new Map<number, (answer: ServeAnswer) => void>();
let asked = 0;
let open = 0;

/** Asks the process that has the worlds. */
function ask(session: string, type: ServeRequest["type"], data?: unknown): Promise<ServeAnswer> {
  const id = asked++;
  const answer = new Promise<ServeAnswer>((resolve) => waiting.set(id, resolve));
  writer.write({ id, session, type, data } satisfies ServeRequest);
  return answer;
}

async function answers(): Promise<never> {
  for (;;) {
    const read = await reader.read();
    if (read.kind !== "frame") Deno.exit(0); // the runner has gone
    const { id, answer } = read.frame.json as { id: number; answer: ServeAnswer };
    waiting.get(id)?.(answer);
    waiting.delete(id);
  }
}

/** A session for as long as its socket is open. */
function socketOf(request: Request): Response {
  const { socket, response } = Deno.upgradeWebSocket(request, { idleTimeout: 60 * idle });
  const session = crypto.randomUUID();
  const isFull = open >= sessions;
  if (!isFull) open++;
  const send = (answer: ServeAnswer) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(answer));
  };
  socket.onopen = () => {
    if (!isFull) return;
    send(serveError("CAPACITY_REACHED", `there are ${sessions} sessions already`));
    socket.close();
  };
  socket.onmessage = async ({ data }) => {
    if (isFull) return;
    if (typeof data !== "string" || data.length > mostBytes) {
      return send(serveError("VALIDATION_ERROR", `wanted text of at most ${mostBytes} letters`));
    }
    send(await ofMessage(session, data, () => socket.close()));
  };
  socket.onerror = () => {};
  socket.onclose = () => {
    if (isFull) return;
    open--;
    ask(session, "close");
  };
  return response;
}

async function ofMessage(session: string, text: string, close: () => void): Promise<ServeAnswer> {
  let message: { type?: unknown; data?: unknown };
  try {
    message = JSON.parse(text);
  } catch {
    return serveError("INVALID_JSON", "the message is no JSON");
  }
  const type = types.find((one) => one === message?.type);
  if (!type) {
    return serveError(
      "UNKNOWN_TYPE",
      `found type ${JSON.stringify(message?.type)}, wanted ${types.join(", ")}`,
    );
  }
  if (type === "close") close();
  return await ask(session, type, message.data);
}

/** Over HTTP there is one session. */
async function overHttp(request: Request, path: string): Promise<Response> {
  const { method } = request;
  if (method === "GET" && path === "health") return json({ status: "healthy" });
  if (method === "GET" && ["state", "schema", "metadata"].includes(path)) {
    return reply(await ask("http", path as ServeRequest["type"]));
  }
  if (method !== "POST" || !["reset", "step"].includes(path)) {
    return json({ detail: "Not Found" }, 404);
  }
  const text = await request.text();
  if (text.length > mostBytes) return json({ detail: "the body is too long" }, 413);
  try {
    const body = text.trim() === "" ? {} : JSON.parse(text);
    return reply(
      await ask(
        "http",
        path as ServeRequest["type"],
        path === "step" ? body?.action ?? body : body,
      ),
    );
  } catch {
    return reply(serveError("INVALID_JSON", "the body is no JSON"));
  }
}

function reply({ type, data }: ServeAnswer): Response {
  return type === "error" ? json({ detail: data }, 422) : json(data);
}

function json(value: unknown, status = 200): Response {
  return Response.json(value, { status });
}

const server = Deno.serve({ hostname: "127.0.0.1", port, onListen: () => {} }, (request) => {
  const [, given, ...rest] = new URL(request.url).pathname.split("/");
  // A page of another site cannot know the token; its origin is refused all the same.
  if (given !== token || request.headers.has("origin")) return json({ detail: "Not Found" }, 404);
  const path = rest.join("/");
  const isSocket = request.headers.get("upgrade")?.toLowerCase() === "websocket";
  return path === "ws" && isSocket ? socketOf(request) : overHttp(request, path);
});
await writer.write({ port: server.addr.port });
await answers();
