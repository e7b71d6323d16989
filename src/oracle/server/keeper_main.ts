/** The process that keeps a service: starts its command, reports when it is ready, ends it with its own stdin. */

/** The service to keep, from the first line of standard input. */
interface Kept {
  readonly command: readonly string[];
  readonly url: string;
  readonly health: string;
  readonly wait: number;
  readonly token: string;
  readonly log: string;
}

/** Milliseconds between two looks at a service, and those that it has to end by itself. */
const [period, grace] = [200, 10_000];
/** Bytes of a log that a message quotes. */
const mostQuoted = 1500;

/** Resolves once all output of the service is in the log. */
let written: Promise<unknown> = Promise.resolve();

const input = Deno.stdin.readable.pipeThrough(new TextDecoderStream()).getReader();
const kept: Kept = JSON.parse(await firstLine());
Deno.addSignalListener("SIGINT", () => {}); // Ctrl-C is the runner's to answer
const { hostname, port } = new URL(kept.url);

if (await isTaken()) say({ kind: "failed", why: `port ${port} is in use by something else` });
else await keep();
Deno.exit(0);

async function keep(): Promise<void> {
  const child = start();
  if (!child) return;
  const ended = child.status.then(({ code, signal }) => signal ?? `status ${code}`);
  await Promise.race([untilStdinEnds(), watch(ended)]); // the runner may be killed at any time
  await stop(child.pid, ended);
}

/** Reports when the service is ready, and when it has ended; ends where it cannot be started. */
async function watch(ended: Promise<string>): Promise<void> {
  const why = await readiness(ended);
  say(why === undefined ? { kind: "ready" } : { kind: "failed", why });
  if (why === undefined) say({ kind: "ended", how: await ended });
}

/** Starts the service: output goes to the log, and its processes belong to its group. */
function start(): Deno.ChildProcess | undefined {
  const fill = (word: string) =>
    word.replaceAll("{host}", hostname).replaceAll("{port}", port).replaceAll(
      "{token}",
      kept.token,
    );
  const [program, ...args] = kept.command.map(fill);
  try {
    const child = new Deno.Command(program, {
      args,
      env: { SLUICE_SERVICE_TOKEN: kept.token },
      detached: true,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    written = Promise.all([child.stdout, child.stderr].map(writeTo));
    return child;
  } catch (error) {
    say({ kind: "failed", why: `it cannot be started: ${(error as Error).message}` });
    return undefined;
  }
}

async function writeTo(stream: ReadableStream<Uint8Array>): Promise<void> {
  const file = Deno.openSync(kept.log, { append: true, create: true });
  for await (const chunk of stream) file.writeSync(chunk);
  file.close();
}

/** Undefined once it is ready; else why it is not. */
async function readiness(ended: Promise<string>): Promise<string | undefined> {
  const until = performance.now() + 1000 * kept.wait;
  let last = "";
  const dead = ended.then((how) => ({ how }));
  while (performance.now() < until) {
    const found = await Promise.race([look(), dead]);
    if (typeof found === "object") return `it ended (${found.how}): ${await tail()}`;
    if (found === "ready") return undefined;
    last = found;
    await new Promise((resolve) => setTimeout(resolve, period));
  }
  return `it is not ready after ${kept.wait} s (${last}): ${await tail()}`;
}

async function look(): Promise<string> {
  try {
    const signal = AbortSignal.timeout(5000);
    const headers = { authorization: `Bearer ${kept.token}` };
    const response = await fetch(new URL(kept.health, kept.url), {
      headers,
      signal,
      redirect: "manual",
    });
    await response.body?.cancel();
    return response.status === 200 ? "ready" : `status ${response.status}`;
  } catch (error) {
    return (error as Error).message;
  }
}

async function tail(): Promise<string> {
  await Promise.race([written, new Promise((resolve) => setTimeout(resolve, 5 * period))]);
  const text = (await Deno.readTextFile(kept.log).catch(() => "")).trim();
  return text === "" ? "it said nothing" : text.slice(-mostQuoted);
}

async function isTaken(): Promise<boolean> {
  try {
    (await Deno.connect({ hostname, port: Number(port) })).close();
    return true;
  } catch {
    return false;
  }
}

/** Asks the whole group to end, and kills it where it does not. */
async function stop(pid: number, ended: Promise<unknown>): Promise<void> {
  signal(pid, "SIGTERM");
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, grace))]);
  signal(pid, "SIGKILL");
}

function signal(pid: number, name: Deno.Signal): void {
  try {
    Deno.kill(-pid, name);
  } catch {
    // The group has ended.
  }
}

async function untilStdinEnds(): Promise<void> {
  while (!(await input.read()).done);
}

async function firstLine(): Promise<string> {
  let text = "";
  while (!text.includes("\n")) {
    const { value, done } = await input.read();
    if (done) Deno.exit(0);
    text += value;
  }
  return text.slice(0, text.indexOf("\n"));
}

function say(what: Readonly<Record<string, unknown>>): void {
  try {
    Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(what)}\n`));
  } catch {
    // The runner is gone.
  }
}
