/**
 * The process of llama.cpp. Its entry, `.sluice/llama/entry.ts`, lies beside the packages, imports them
 * and hands them over: they are no dependency of Sluice, and `deno task llama:install` puts them there.
 */
import { type LlamaLibrary, LlamaScorer } from "./llama_scorer.ts";
import { serve } from "./serve.ts";

/** Serves requests; arguments are the GGUF file, threads and the longest sequence. */
export async function serveLlama(library: unknown, args: readonly string[]): Promise<never> {
  const [path, threads, context] = args;
  const options = { path, threads: Number(threads), context: Number(context) };
  let scorer: Promise<LlamaScorer> | undefined;
  const open = () => scorer ??= LlamaScorer.open(library as LlamaLibrary, options);
  return await serve(async (request) => {
    if (request.op === "score") return await (await open()).score(request.asked);
    if (request.op === "probe") return await (await open()).probe(request.asked);
    throw new Error(`internal: the process of llama.cpp cannot ${request.op}`);
  });
}
