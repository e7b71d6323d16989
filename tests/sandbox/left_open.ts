/** A descriptor that children inherit, as a careless supervisor would leave it open. */

/** Leaves one open until it is disposed of; Deno's own descriptors all close on exec. */
export function leaveOpen(): Disposable {
  const libc = Deno.dlopen("libc.so.6", {
    dup: { parameters: ["i32"], result: "i32" },
    close: { parameters: ["i32"], result: "i32" },
  });
  const descriptor = libc.symbols.dup(0);
  if (descriptor < 0) throw new Error("internal: no descriptor could be duplicated");
  return {
    [Symbol.dispose]() {
      libc.symbols.close(descriptor);
      libc.close();
    },
  };
}
