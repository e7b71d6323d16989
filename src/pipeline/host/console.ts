/** Keeps the console off stdout, which belongs to the frames. Imported before any stage's code. */

for (const name of ["log", "info", "debug", "table", "dir", "dirxml"] as const) {
  console[name] = (...values: unknown[]) => console.error(...values);
}

// A terminal's Ctrl-C reaches every process of its group; only the runner acts on it.
if (Deno.build.os !== "windows") Deno.addSignalListener("SIGINT", () => {});
else Deno.addSignalListener("SIGBREAK", () => {});

export {};
