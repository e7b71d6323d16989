/**
 * How far a server's samples are from the own decoder: `deno run -A bench/server_samples_bench.ts URL MODEL
 * [TEXTS]` wants `sluice model add smollm2-135m`; 128 texts of at most 32 tokens behind four prompts if left out.
 */
import { openBackend, openServer } from "../src/oracle/backends.ts";
import { describeOracle } from "../src/oracle/describe.ts";
import type { ServerConfig } from "../src/oracle/oracle.ts";

const [url, name, texts = "128"] = Deno.args;
const model = "smollm2-135m";
const prompts = [
  "The capital of France is Paris.",
  "import pymc as pm\n\nwith pm.Model() as model:",
  "Once upon a time",
  "Question: Is water wet?\nAnswer:",
];

const config: ServerConfig = {
  ...{ kind: "server", url, model: name, tokenizer: model, max_concurrency: 8 },
  ...{ retries: 8, timeout: 300, pause: 1, price: 0, tolerance: 1 },
};
const root = Deno.cwd();
const server = openServer(config, root);
const own = openBackend(describeOracle({ kind: "policy", model, backend: "blas" }, root), root);
try {
  await server.identify();
  const begun = await own.encode(prompts.map((scored) => ({ scored, ends: false })));
  const draws = Array.from({ length: Number(texts) }, (_, i) => ({
    ...{ prompt_ids: begun[i % begun.length].ids, end: 2, most_tokens: 32 },
    ...{ temperature: 1, seed: `kl ${i}` },
  }));
  const drawn = await server.draw!(draws);
  const scored = await own.score(
    drawn.map(({ ids }, i) => ({ prompt_ids: draws[i].prompt_ids, ids })),
  );
  const apart = drawn.map(({ log_probs }, i) =>
    log_probs.map((one, k) => one - scored[i].log_probs[k])
  );
  const gaps = apart.map((tokens) => tokens.reduce((sum, one) => sum + one, 0));
  const mean = gaps.reduce((sum, one) => sum + one, 0) / gaps.length;
  const sd = Math.sqrt(gaps.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (gaps.length - 1));
  const farthest = Math.max(...apart.flat().map(Math.abs));
  const shown = [mean, sd / Math.sqrt(gaps.length), sd, farthest].map((one) => one.toPrecision(2));
  console.log(`${gaps.length} texts, ${apart.flat().length} tokens`);
  console.log(
    `KL(server‖own) ${shown[0]} ± ${shown[1]} nats a text, deviation ${shown[2]}; farthest token ${
      shown[3]
    }`,
  );
} finally {
  await Promise.all([server.close(), own.close()]);
}
