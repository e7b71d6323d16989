/** A host to attack: files, daemons, a victim, a variable; and what of it was touched. */
import { syscallNames, syscallNumber } from "../../src/sandbox/syscall_numbers.ts";
import { execNameOffset, planAddress } from "../../src/sandbox/launcher_layout.ts";
import { requireHost } from "../../src/sandbox/run_python.ts";
import { attackFile } from "./catalogue.ts";
import { leaveOpen } from "./left_open.ts";

/** Facts of the host that an attack is given. */
export type FixtureFacts = Readonly<Record<string, unknown>>;

/** The host, until it is closed. */
export class HostFixture {
  readonly facts: FixtureFacts & Readonly<Record<"folder" | "token" | "removable", string>>;
  readonly #child: Deno.ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #leftOpen = leaveOpen();

  private constructor(
    facts: HostFixture["facts"],
    child: Deno.ChildProcess,
    lines: AsyncIterator<string>,
  ) {
    this.facts = facts;
    this.#child = child;
    this.#lines = lines;
    this.#writer = child.stdin.getWriter();
  }

  static async open(): Promise<HostFixture> {
    const folder = Deno.makeTempDirSync({ prefix: "host-" });
    Deno.chmodSync(folder, 0o777);
    const token = `sluice-${crypto.randomUUID().slice(0, 8)}`;
    const canary = Deno.env.get("SLUICE_CANARY") ?? token;
    Deno.env.set("SLUICE_CANARY", canary);
    const files = makeFiles(folder, token);
    const child = new Deno.Command("/usr/bin/python3", {
      args: [attackFile("fixture.py"), folder, token],
      ...{ stdin: "piped", stdout: "piped", stderr: "inherit" },
    }).spawn();
    const lines = linesOf(child.stdout);
    const { port, pid, segment } = JSON.parse((await lines.next()).value);
    const host = await requireHost();
    const calls = syscallNames.map((name) => [name, syscallNumber(name, host.arch)] as const);
    const facts = {
      ...{ folder, token, canary, port, segment, victim: pid, ...files, scratch: folder },
      ...{ unixSocket: `${folder}/daemon.sock`, datagramSocket: `${folder}/datagrams.sock` },
      ...{ abstractSocket: token, hostname: Deno.hostname(), launcher: host.launcher },
      ...{
        cwd: [folder, Deno.cwd()],
        execAddress: planAddress + execNameOffset,
        library: "libc.so.6",
      },
      calls: Object.fromEntries(calls.filter(([, number]) => number !== undefined)),
    };
    return new HostFixture(facts, child, lines);
  }

  /** Connections and messages that the daemons got since the last question. */
  async hits(): Promise<number> {
    await this.#writer.write(new TextEncoder().encode("?\n"));
    const { hits, alive } = JSON.parse((await this.#lines.next()).value);
    if (!alive) throw new Error("the victim is dead");
    return hits;
  }

  /** Puts back what an earlier attack took away or left. */
  restore(): void {
    const { folder, token, removable } = this.facts;
    Deno.writeTextFileSync(removable, "");
    this.takes(`${folder}/made-${token}`);
  }

  /** Whether a file exists on the host; files that attacks leave are removed. */
  takes(path: string): boolean {
    try {
      Deno.removeSync(path);
      return true;
    } catch {
      return false;
    }
  }

  async close(): Promise<void> {
    await this.#writer.close();
    for await (const _ of { [Symbol.asyncIterator]: () => this.#lines });
    await this.#child.status;
    this.#leftOpen[Symbol.dispose]();
    Deno.removeSync(this.facts.folder, { recursive: true });
  }
}

function makeFiles(folder: string, token: string) {
  const file = (name: string, text: string, mode: number) => {
    const path = `${folder}/${name}`;
    Deno.writeTextFileSync(path, text);
    Deno.chmodSync(path, mode);
    return path;
  };
  return {
    public: file("public.txt", token, 0o644),
    secret: file("secret.key", token, 0o600),
    holdout: file("holdout.csv", token, 0o644),
    profile: file("profile", "", 0o644),
    victimFile: file("victim.txt", token, 0o666),
    module: file("module.mjs", `export default "${token}";`, 0o644),
    removable: file("removable", "", 0o666),
    program: file("program", "#!/bin/true", 0o755),
    database: file("database", "", 0o644),
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of stream) {
    const parts = (rest + new TextDecoder().decode(chunk)).split("\n");
    rest = parts.pop()!;
    yield* parts;
  }
}
