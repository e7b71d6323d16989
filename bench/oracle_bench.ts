/**
 * Log probabilities of given tokens by the processes of oracles, tokens per second of CPU time:
 * `deno run -A bench/oracle_bench.ts [llama_cpp] [policy] [blas]`. Wants `model add smollm2-135m`.
 */
import { callOf, openBackend } from "../src/oracle/backends.ts";
import { describeOracle } from "../src/oracle/describe.ts";
import type { ScoredText } from "../src/models/text/text_ids.ts";
import type { OracleBackend } from "../src/oracle/oracle.ts";

const model = "smollm2-135m";
const configs: Readonly<Record<string, Parameters<typeof describeOracle>[0]>> = {
  llama_cpp: { kind: "llama_cpp", model, threads: 1, context: 1024 },
  policy: { kind: "policy", model, backend: "fused" },
  blas: { kind: "policy", model, backend: "blas" },
};

/** Sentences of some 128 tokens, all scored. */
const text = "The river ran past the old mill, and nobody had counted the stones on its bed. " +
  "In spring the water rose, and children threw sticks from the bridge to see which came first. ";

const root = Deno.cwd();
const names = Deno.args.length > 0 ? Deno.args : Object.keys(configs);
for (const name of names) {
  const backend = openBackend(describeOracle(configs[name], root), root);
  try {
    const sentences = Array.from({ length: 8 }, (_, i) => ({ scored: `${i}. ${text.repeat(3)}` }));
    await report(name, "8 texts, all tokens scored", backend, sentences, 129);
    const given = (i: number) =>
      `<|im_start|>system\n${text}<|im_end|>\n<|im_start|>user\n${i}?<|im_end|>\n`;
    const turns = Array.from({ length: 32 }, (_, i) => {
      return { given: `${given(i)}<|im_start|>assistant\n`, scored: "Yes, it is.", chat: true };
    });
    await report(name, "32 conversations that begin alike", backend, turns, 512);
  } finally {
    await backend.close();
  }
}

/** Tokens per CPU second, of what is scored and of all. */
async function report(
  name: string,
  what: string,
  backend: OracleBackend,
  texts: readonly ScoredText[],
  most: number,
): Promise<void> {
  const encoded = await backend.encode(texts);
  const calls = encoded.map(({ ids, from }) => callOf(ids.slice(0, most), from));
  await backend.score(calls.slice(0, 1));
  const answers = await backend.score(calls);
  const seconds = answers.reduce((sum, one) => sum + one.seconds, 0);
  const scored = answers.reduce((sum, one) => sum + one.ids.length, 0);
  const all = calls.reduce((sum, one) => sum + one.prompt_ids.length + one.ids.length, 0);
  const rates = [scored, all].map((tokens) => (tokens / seconds).toFixed(0));
  console.log(`${name}, ${what}: ${rates[0]} scored tokens, ${rates[1]} tokens per CPU second`);
}
