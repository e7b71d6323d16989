/** Starts a service of a run when it is first asked, waits until it is ready, ends it with the run. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { denoCommand, missingDeno, moduleArgument, moduleBeside } from "../../base/deno_command.ts";
import { MissingPartError } from "../../base/diagnostic.ts";
import { hostOf } from "../../pipeline/contract/mod.ts";
import { homeFlags } from "../../pipeline/project/mod.ts";
import type { ServiceProcess } from "../../base/service_process.ts";

const main = moduleBeside("./keeper_main.ts", import.meta.url);

/** Messages of the keeper, a line each. */
type Said =
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "ended"; readonly how: string };

/** One service. Where the runner is killed its keeper reads the end of its own stdin, and ends it. */
export class ServiceKeeper {
  /** Token that lets in processes started with it; new for each run. */
  readonly token: string = crypto.randomUUID().replaceAll("-", "");
  #ready: Promise<void> | undefined;
  #child: Deno.ChildProcess | undefined;

  /** @param log File for all its output. */
  constructor(readonly service: ServiceProcess, readonly log: string) {}

  /** @throws MissingPartError if its port is taken, it ends, or is not ready in time. */
  ready(): Promise<void> {
    return this.#ready ??= this.#start();
  }

  /** Ends it, and waits until it has ended. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child) return;
    await child.stdin.close().catch(() => {});
    await child.status;
  }

  async #start(): Promise<void> {
    mkdirSync(dirname(this.log), { recursive: true });
    const child = this.#child = spawn(this.service.url, this.log);
    const writer = child.stdin.getWriter();
    const kept = { ...this.service, token: this.token, log: this.log };
    await writer.write(new TextEncoder().encode(`${JSON.stringify(kept)}\n`));
    writer.releaseLock();
    const words = new Response(child.stderr).text();
    const said = await firstLine(child.stdout);
    if (said?.kind === "ready") return;
    const why = said?.kind === "failed" ? said.why : `its keeper ended: ${(await words).trim()}`;
    const message = `Cannot use the service at ${this.service.url}: ${why}`;
    throw new MissingPartError(message, `mend its command, or give it more time: ${this.log}`);
  }
}

/** May start the command, look at its port, and write its log; it hands on the variables of the runner. */
function spawn(url: string, log: string): Deno.ChildProcess {
  const file = log.replaceAll(",", ",,");
  const flags = [
    ...homeFlags(),
    "--allow-run",
    `--allow-net=${hostOf(url)}`,
    `--allow-read=${file}`,
    `--allow-write=${file}`,
  ];
  const common = ["run", "--quiet", "--no-prompt", "--no-remote", "--cached-only"];
  try {
    return denoCommand([...common, ...flags, moduleArgument(main)], { inherits: true }).spawn();
  } catch (error) {
    throw missingDeno(error);
  }
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<Said | undefined> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) return undefined;
    text += value;
  }
  void drain(reader);
  return JSON.parse(text.slice(0, text.indexOf("\n")));
}

/** Discards later messages, which are in the log. */
async function drain(reader: ReadableStreamDefaultReader<string>): Promise<void> {
  while (!(await reader.read()).done);
}
