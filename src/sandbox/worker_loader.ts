/** How Deno is given a worker's script: as text that V8 compiles, not as a module of Deno's. */
import { pathToFileURL } from "node:url";

/** Compiles and runs a text as V8 does; Deno's own, found by trying in Deno 2.9.6. */
const compileOfDeno = "Deno[Deno.internal]?.core?.evalContext";

/**
 * A `data:` module that reads the script as text and has it run.
 *
 * Deno parses every module by itself before V8 does, to find its imports: for the engine, which has
 * none, that took half of a start's CPU time. Without `compile`, a name of Deno's own that a later
 * version may not have, the same is asked of Node's `vm`, which takes 28 ms longer.
 *
 * @param path the script's, absolute, where the worker finds it.
 */
export function workerLoader(path: string, compile: string = compileOfDeno): string {
  const url = JSON.stringify(pathToFileURL(path).href);
  const code = `import text from ${url} with { type: "text" };
const compile = ${compile};
if (compile) {
  const [, failure] = compile(text, ${url});
  if (failure) throw failure.thrown;
} else (await import("node:vm")).runInThisContext(text, { filename: ${url} });`;
  return `data:text/javascript,${encodeURI(code).replaceAll("#", "%23").replaceAll("?", "%3F")}`;
}
