/**
 * The process of llama.cpp. Its entry, `.sluice/llama/entry.js`, lies beside the packages, imports them
 * and hands them over: they are no dependency of Sluice, and `sluice install llama` puts them there.
 */
import { inputError } from "../base/diagnostic.ts";
import { fileDigest } from "../models/store/mod.ts";
import { type LlamaLibrary, LlamaScorer } from "./llama_scorer.ts";
import { serve } from "./serve.ts";

/** Serves requests; arguments are the GGUF file, its SHA-256, threads and the longest sequence. */
export async function serveLlama(library: unknown, args: readonly string[]): Promise<never> {
  const [path, sha256, threads, context] = args;
  const options = { path, threads: Number(threads), context: Number(context) };
  let scorer: Promise<LlamaScorer> | undefined;
  const open = () => {
    if (!scorer) checkDigest(path, sha256);
    return scorer ??= LlamaScorer.open(library as LlamaLibrary, options);
  };
  return await serve(async (request) => {
    if (request.op === "score") return await (await open()).score(request.asked);
    if (request.op === "probe") return await (await open()).probe(request.asked);
    throw new Error(`internal: the process of llama.cpp cannot ${request.op}`);
  });
}

function checkDigest(path: string, wanted: string): void {
  const found = fileDigest(path);
  if (found === wanted) return;
  const message = `Cannot use model: the SHA-256 of ${path} is ${found}, model.json says ${wanted}`;
  throw inputError("model/changed", message, undefined, "remove the model, and add it again");
}
