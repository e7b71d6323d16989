/** Keeps the console off stdout, which belongs to the frames. Imported before any stage's code. */

for (const name of ["log", "info", "debug", "table", "dir", "dirxml"] as const) {
  console[name] = (...values: unknown[]) => console.error(...values);
}

// A terminal's Ctrl-C, and a batch system's SIGTERM, reach every process; only the runner acts on it.
const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGBREAK"] : ["SIGINT", "SIGTERM"];
for (const signal of signals) Deno.addSignalListener(signal, () => {});

export {};
