/** The process with the network: the page of `sluice watch` and its events on 127.0.0.1, each look passed on as a frame. */
import { FrameReader, FrameWriter } from "../../base/frames.ts";
import type { WatchRequest, WatchSetup, WatchView } from "./messages.ts";

const reader = new FrameReader(Deno.stdin.readable, { json: 64 << 20, payload: 0 });
const writer = new FrameWriter(Deno.stdout.writable);
const first = await reader.read();
if (first.kind !== "frame") Deno.exit(1);
const { token, port, page, policy, every } = first.frame.json as WatchSetup;

/** Pages that look at once; each costs a query a second. */
const mostPages = 8;

const waiting = new Map<number, (view: WatchView) => void>();
let [asked, open] = [0, 0];

function look(run: string): Promise<WatchView> {
  const id = asked++;
  const view = new Promise<WatchView>((resolve) => waiting.set(id, resolve));
  writer.write({ id, run } satisfies WatchRequest);
  return view;
}

async function views(): Promise<never> {
  for (;;) {
    const read = await reader.read();
    if (read.kind !== "frame") Deno.exit(0); // the reader of runs has gone
    const { id, view } = read.frame.json as { id: number; view: WatchView };
    waiting.get(id)?.(view);
    waiting.delete(id);
  }
}

/** Server-sent events: a view whenever it is another one; a comment, where it is not, finds the dead. */
function eventsOf(run: string): Response {
  let isOpen = true;
  open++;
  const close = () => {
    if (isOpen) open--;
    isOpen = false;
  };
  const body = new ReadableStream<Uint8Array>({
    async start(stream) {
      const send = (text: string) => stream.enqueue(new TextEncoder().encode(text));
      let last = "";
      while (isOpen) {
        const began = performance.now();
        const view = JSON.stringify(await look(run));
        if (!isOpen) return;
        send(view === last ? ": as it was\n\n" : `data: ${view}\n\n`);
        last = view;
        // Looking takes a fifth of one core at most, however large the run is.
        await pause(Math.max(every, 4 * (performance.now() - began)));
      }
    },
    cancel: close,
  });
  return new Response(body, { headers: { ...headers, "content-type": "text/event-stream" } });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

const headers = {
  "cache-control": "no-store",
  "content-security-policy": policy,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

function refuse(): Response {
  return new Response("Not Found\n", { status: 404, headers });
}

const server = Deno.serve({ hostname: "127.0.0.1", port, onListen: () => {} }, (request) => {
  const { pathname, searchParams, port: at } = new URL(request.url);
  const own = [`127.0.0.1:${at}`, `localhost:${at}`];
  // A page of another site may send a browser here, under its own name or by its own address.
  const origin = request.headers.get("origin")?.replace(/^http:\/\//, "");
  const isOwn = [request.headers.get("host"), origin ?? own[0]].every((one) => own.includes(one!));
  const [, given, name] = pathname.split("/");
  if (!isOwn || given !== token || request.method !== "GET") return refuse();
  if (name === "events") {
    const isFull = open >= mostPages;
    return isFull ? new Response("", { status: 503 }) : eventsOf(searchParams.get("run") ?? "");
  }
  if (name !== "") return refuse();
  return new Response(page, {
    headers: { ...headers, "content-type": "text/html; charset=utf-8" },
  });
});
await writer.write({ port: server.addr.port });
await views();
