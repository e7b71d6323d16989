/** Runs the bundled worker under Node: the little of Deno that its loop asks for, and no more. */
import process from "node:process";
import { Readable, Writable } from "node:stream";
import { setImmediate } from "node:timers";

globalThis.Deno = {
  exit: (code) => process.exit(code),
  stdin: { readable: Readable.toWeb(process.stdin) },
  stdout: { writable: Writable.toWeb(process.stdout) },
  stderr: { write: () => new Promise((resolve) => setImmediate(resolve)) },
  version: { deno: process.version },
  memoryUsage: () => process.memoryUsage(),
  cpuUsage: () => process.cpuUsage(),
  addSignalListener: () => {},
  errors: { NotCapable: class extends Error {} },
};
await import(process.argv[2]);
