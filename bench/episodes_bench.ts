/** Measures the CPU seconds of episodes in one process: `deno task bench episodes EPISODES [EXPERIMENT …]`, the ceiling and the solver; `GRAMMAR=… deno task bench episodes` for other theories. */
import process from "node:process";
import { Episode } from "../src/executor/play/episode.ts";
import type { AnswerBy } from "../src/executor/play/episode.ts";
import { constantOf } from "../src/executor/play/constant.ts";
import { queriesAtMost } from "../src/executor/play/draw_rows.ts";
import type { Experiment } from "../src/executor/play/experiment.ts";
import { grammarEnvironment, readGrammar } from "../src/gfn/grammar/mod.ts";
import { parseTomlFile } from "../src/pipeline/toml/mod.ts";
import { theoriesOf } from "../stages/play/theories_of.ts";
import { localTheories, shippedExperiments } from "../tests/executor/play/local_theories.ts";

/** As stages of the kind `play` have them if they say nothing. */
const settings = { budget: 10, particles: 1000, draws: 256, candidates: 60, fresh: 200 };
const checkpoints = [0, 1, 3, 5];

/** Plays, and prints a row for each experiment. */
export async function benchEpisodes([episodes = "2", ...names]: readonly string[]): Promise<void> {
  const all = shippedExperiments();
  console.log("experiment        agent               CPU s an episode");
  for (const name of names.length > 0 ? names : all.keys()) {
    const theories = theoriesFor(name);
    for (const by of [{ kind: "theory" } as const, ...(theories ? [theories] : [])]) {
      const seconds = await played(all.get(name)!, by, Number(episodes));
      const agent = by.kind === "theories" ? `solver over ${by.theories.length}` : "ceiling";
      const shown = seconds.map((one) => one.toFixed(1)).join(" ");
      console.log(`${name.padEnd(17)} ${agent.padEnd(19)} ${shown}`);
    }
  }
}

function theoriesFor(name: string): Extract<AnswerBy, { kind: "theories" }> | undefined {
  const own = name === "discounting" ? "discounting" : `theories/${name}`;
  const path = Deno.env.get("GRAMMAR") ?? `grammars/${own}.toml`;
  try {
    const spec = readGrammar(parseTomlFile(Deno.readTextFileSync(path), path), path);
    return { kind: "theories", theories: theoriesOf(grammarEnvironment(spec)) };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

async function played(experiment: Experiment, by: AnswerBy, episodes: number): Promise<number[]> {
  const constant = await constantOf(experiment, localTheories);
  const budget = Math.min(settings.budget, queriesAtMost(experiment) ?? settings.budget);
  const seconds: number[] = [];
  for (let number = 0; number < episodes; number++) {
    const before = cpu();
    const key = ["bench", number];
    const episode = await Episode.begin(
      experiment,
      localTheories,
      { ...settings, budget },
      key,
      constant,
    );
    for (let asked = 0; episode.left > 0; asked++) {
      if (checkpoints.includes(asked)) await episode.answer(by, asked, false);
      const query = await episode.advise(by.kind === "theories" ? by.theories : undefined);
      await episode.ask(query);
    }
    await episode.answer(by, budget, true);
    seconds.push(cpu() - before);
  }
  return seconds;
}

function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
