/** Servers in Python for contract tests: environments with their wheels, scripts, and processes that end with the test. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { ModelEntry, ModelStore } from "../../src/models/store/mod.ts";

/** Wheels of llama.cpp's own server, and of what reads and writes its files. */
export const llamaWheels = ["xllamacpp==2026.10.11549", "gguf==0.19.0"];

/** The server in the wheel, on one thread: more than there are free cores make it many times slower. */
export const serveLlama = `
import sys, time, xllamacpp as x
p = x.CommonParams()
p.model.path, p.hostnames, p.port = sys.argv[1], ["127.0.0.1"], int(sys.argv[2])
p.model_alias = {"smollm2"}
p.cache_type_k = p.cache_type_v = x.ggml_type.GGML_TYPE_F32
p.flash_attn_type = x.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
p.n_ctx, p.n_parallel, p.cpuparams.n_threads = 2048, 2, 1
server = x.Server(p)
while True: time.sleep(3600)
`;

/**
 * An interpreter of Python with these wheels: that of the folder which a variable names, or a fresh one.
 *
 * @param variable Of the environment: `LLAMA_ENV=FOLDER`.
 * @param packages.without Those that come with the wheels and do not fit them.
 */
export async function pythonWith(
  variable: string,
  folder: string,
  { wheels, without = [] }: {
    readonly wheels: readonly string[];
    readonly without?: readonly string[];
  },
): Promise<string> {
  const named = Deno.env.get(variable);
  const environment = named ?? join(folder, "env");
  if (named === undefined) {
    await run("python3", "-m", "venv", environment);
    const pip = join(environment, "bin/pip");
    await run(pip, "install", "--quiet", ...wheels);
    if (without.length > 0) await run(pip, "uninstall", "--quiet", "--yes", ...without);
  }
  return join(environment, "bin/python");
}

/** Path of the GGUF file of a model. */
export function ggufOf(store: ModelStore, entry: ModelEntry): string {
  return join(
    store.folderOf(entry),
    entry.files.find(({ name }) => name.endsWith(".gguf"))!.name,
  );
}

/** @throws AssertionError with what it said, if it fails. */
export async function run(command: string, ...args: readonly string[]): Promise<void> {
  const { code, stderr } = await new Deno.Command(command, { args: [...args] }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
}

/** A server that says to a file what it has to say, in a group of processes of its own. */
export class PythonServer {
  readonly #child: Deno.ChildProcess;

  constructor(
    readonly log: string,
    command: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ) {
    this.#child = new Deno.Command("setsid", {
      args: ["/bin/sh", "-c", `exec "$@" > "$0" 2>&1`, log, ...command],
      env: { ...env },
      stdin: "null",
    }).spawn();
  }

  /** The end of what it said. */
  get said(): string {
    return Deno.readTextFileSync(this.log).slice(-4000);
  }

  /** Waits until a path answers 200. */
  async ready(url: string, seconds: number): Promise<void> {
    const until = performance.now() + 1000 * seconds;
    const isReady = () =>
      fetch(url).then(async ({ ok, body }) => (await body?.cancel(), ok), () => false);
    while (!await isReady()) {
      if (performance.now() > until) assert.fail(`not ready after ${seconds} s: ${this.said}`);
      await new Promise((done) => setTimeout(done, 500));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    Deno.kill(-this.#child.pid, "SIGKILL");
    await this.#child.status;
  }
}
