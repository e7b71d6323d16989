/** Run inside a worker: proves from within what is denied, then removes what no engine needs. */
import type { ProbeName, Probes } from "./messages.ts";

/**
 * Tries each thing that a worker must not be able to do. Real attempts, not questions: a file of
 * the system, a write, a socket, a process, the environment, the host's name, code from a string.
 *
 * @param launched the launcher has tried fork and execve already, with the kernel's own answer. Deno
 * is then only asked: for an attempt it loads all that it starts processes with, a tenth of the CPU
 * time of a worker's start.
 */
export async function probe(launched: boolean): Promise<Probes> {
  const attempts: Record<ProbeName, () => unknown> = {
    read: () => Deno.readDirSync("/").next(),
    write: () => Deno.writeFileSync("sluice-probe", new Uint8Array(0), { createNew: true }),
    net: () => Deno.listen({ hostname: "127.0.0.1", port: 0 }),
    run: launched ? askToRun : () => new Deno.Command("/sluice-probe").outputSync(),
    env: () => Deno.env.get("HOME"),
    sys: () => Deno.hostname(),
    codegen: () => (0, globalThis.eval)("1"),
  };
  const found: Partial<Record<ProbeName, "denied" | "open">> = {};
  for (const [name, attempt] of Object.entries(attempts) as [ProbeName, () => unknown][]) {
    found[name] = await isDenied(attempt) ? "denied" : "open";
  }
  return found as Probes;
}

function askToRun(): void {
  const { state } = Deno.permissions.querySync({ name: "run" });
  if (state === "denied") throw new Deno.errors.NotCapable("run");
}

/** Denied means refused as such; any other outcome, a missing file included, counts as open. */
async function isDenied(attempt: () => unknown): Promise<boolean> {
  try {
    await attempt();
    return false;
  } catch (error) {
    return error instanceof Deno.errors.NotCapable || error instanceof EvalError;
  }
}

/** Globals that stay: the language itself, WebAssembly, text codecs, timers and the clock. */
const kept = new Set([
  ..."Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean".split(" "),
  ..."String Symbol Date Promise RegExp Error AggregateError EvalError RangeError".split(" "),
  ..."ReferenceError SyntaxError TypeError URIError globalThis JSON Math Intl".split(" "),
  ..."ArrayBuffer Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array".split(" "),
  ..."BigUint64Array BigInt64Array Uint8ClampedArray Float16Array Float32Array".split(" "),
  ..."Float64Array DataView Map BigInt Set Iterator WeakMap WeakSet Proxy Reflect".split(" "),
  ..."WeakRef FinalizationRegistry SuppressedError DisposableStack".split(" "),
  ..."AsyncDisposableStack isFinite isNaN WebAssembly TextEncoder TextDecoder".split(" "),
  ..."performance setTimeout clearTimeout queueMicrotask structuredClone console atob btoa".split(
    " ",
  ),
]);

/**
 * Deletes every other global (Deno, fetch, Worker, storage, caches, navigator, eval …) and freezes
 * the intrinsics. Take parts of `Deno` that are still needed before the call.
 */
export function lockDown(): void {
  const global = globalThis as unknown as Record<string, unknown>;
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (kept.has(name)) continue;
    if (!Reflect.deleteProperty(global, name)) Reflect.set(global, name, undefined);
  }
  for (const value of [Object, Array, Function, Promise, Map, Set, RegExp, JSON, Math, Reflect]) {
    Object.freeze(value);
    if ("prototype" in value) Object.freeze(value.prototype);
  }
}
