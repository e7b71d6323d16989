/** Runs the bundled worker under Node: the little of Deno that its loop asks for, and no more. */
import process from "node:process";
import { setImmediate } from "node:timers";

const input = process.stdin[Symbol.asyncIterator]();
let rest = new Uint8Array(0);

/** As Deno's: some bytes at a time, null at the end. */
async function readInto(buffer) {
  if (rest.length === 0) {
    const { value, done } = await input.next();
    if (done) return null;
    rest = value;
  }
  const part = rest.subarray(0, buffer.length);
  buffer.set(part);
  rest = rest.subarray(part.length);
  return part.length;
}

globalThis.Deno = {
  exit: (code) => process.exit(code),
  args: [],
  stdin: { read: readInto },
  stdout: {
    write: (bytes) => new Promise((done) => process.stdout.write(bytes, () => done(bytes.length))),
  },
  stderr: { write: () => new Promise((resolve) => setImmediate(resolve)) },
  version: { deno: process.version },
  memoryUsage: () => process.memoryUsage(),
  cpuUsage: () => process.cpuUsage(),
  addSignalListener: () => {},
  errors: { NotCapable: class extends Error {} },
};
await import(process.argv[2]);
