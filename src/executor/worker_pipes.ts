/** A worker's standard input and output without web streams, which Deno would have to load first. */
import type { ByteSink, ByteSource } from "../base/frames.ts";

type Input = Pick<typeof Deno.stdin, "read">;
type Output = Pick<typeof Deno.stdout, "write">;

const chunkBytes = 64 << 10;

/** Input in chunks of up to 64 KiB; ends where the pipe does, or where it breaks. */
export function inputOf(pipe: Input): ByteSource {
  return {
    read: async () => {
      const buffer = new Uint8Array(chunkBytes);
      const length = await pipe.read(buffer);
      return length === null
        ? { value: undefined, done: true }
        : { value: buffer.subarray(0, length), done: false };
    },
    cancel: async () => {}, // a worker reads until it ends
  };
}

/** Where answers go, whole: a pipe may take less at a time than it is given. */
export function outputOf(pipe: Output): ByteSink {
  return {
    write: async (bytes = new Uint8Array(0)) => {
      for (let at = 0; at < bytes.length;) at += await pipe.write(bytes.subarray(at));
    },
    close: async () => {}, // closed by the end of the worker
  };
}
