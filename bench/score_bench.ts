/** Fresh programs per second and core through the sandboxed workers, refits included. */
import { type Column, type Dataset, makeDataset } from "../src/base/dataset.ts";
import { RandomStream } from "../src/base/random.ts";
import { Executor } from "../src/executor/executor.ts";
import type { Environment } from "../src/gfn/environments/environment.ts";
import { grammarEnvironment } from "../src/gfn/grammar/environment.ts";
import { readGrammar } from "../src/gfn/grammar/read.ts";
import { defaultSchedule } from "../src/engine/score/execution/execution.ts";
import { scoreNow } from "../src/engine/score/score.ts";
import { parseTomlFile } from "../src/pipeline/toml/parse.ts";

const grammarFile = new URL("../grammars/growth_curves.toml", import.meta.url).pathname;
const dataFile = new URL("../data/dugongs.csv", import.meta.url).pathname;

/**
 * `score [programs] [workers]`: that many programs drawn from the prior; 200 and 2 by default. Without workers, 0,
 * this process scores them, so that `deno run --cpu-prof` sees where the time goes.
 */
export async function benchScore([programs = "200", workers = "2"]: readonly string[]) {
  const texts = drawPrograms(Number(programs));
  if (workers === "0") return scoreHere(texts);
  const root = await Deno.makeTempDir();
  const executor = new Executor({ root, workers: Number(workers) });
  const request = { dataset: dugongs(), schedule: defaultSchedule };
  await executor.executeAll(texts.slice(0, 2), request); // start the workers
  const started = performance.now();
  const results = await executor.executeAll(texts.slice(2), request);
  const seconds = (performance.now() - started) / 1000;
  await executor.close();
  await Deno.remove(root, { recursive: true });
  const scores = results.flatMap(({ outcome }) => outcome.score ?? []);
  const count = new Set(texts.slice(2)).size;
  const perCore = count / seconds / Number(workers);
  const over = scores.filter(({ mcse }) => mcse > defaultSchedule.targetMcse).length;
  console.log(`${count} programs, ${workers} workers: ${seconds.toFixed(1)} s`);
  console.log(`${perCore.toFixed(1)} programs per second and core`);
  console.log(`${results.length - scores.length} failed; ${over} with mcse above the target`);
  const gradients = scores.map((score) => score.gradients).sort((a, b) => a - b);
  const at = (share: number) => gradients[Math.floor(share * (gradients.length - 1))];
  console.log(`gradients: median ${at(0.5)}, 90 % ${at(0.9)}, most ${at(1)}`);
}

function scoreHere(texts: readonly string[]): void {
  const data = dugongs();
  for (const text of texts) scoreNow(text, data, defaultSchedule);
}

function drawPrograms(count: number): string[] {
  const text = Deno.readTextFileSync(grammarFile);
  const environment = grammarEnvironment(
    readGrammar(parseTomlFile(text, grammarFile), grammarFile),
  );
  const random = new RandomStream("bench", "prior");
  const texts = new Set<string>();
  while (texts.size < count) texts.add(drawProgram(environment as Environment, random));
  return [...texts];
}

function drawProgram(environment: Environment, random: RandomStream): string {
  for (let state = environment.initialState();;) {
    let u = random.uniform();
    const action = environment.logPrior(state).findIndex((log) => (u -= Math.exp(log)) < 0);
    if (action === environment.exitAction) return environment.terminal(state).text;
    state = environment.step(state, action);
  }
}

/** The dugongs as the pipeline declares them. */
export function dugongs(): Dataset {
  const rows = Deno.readTextFileSync(dataFile).trim().split("\n").slice(1);
  const cells = rows.map((row) => row.split(",").map(Number));
  const values = (i: number) => Float64Array.from(cells, (row) => row[i]);
  const age: Column = { name: "age", role: "predictor", type: "real", values: values(0) };
  const length: Column = {
    name: "length",
    role: "response",
    type: "real",
    values: values(1),
    resolution: 0.01,
  };
  return makeDataset("dugongs", [age, length]);
}
