/** The published grammars, with the rewards of all of their programs as they were executed once. */
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { grammarEnvironment } from "../../src/gfn/grammar/environment.ts";
import { readGrammar } from "../../src/gfn/grammar/read.ts";
import { parseTomlFile } from "../../src/pipeline/toml/parse.ts";
import { withOwnReward } from "./own_reward.ts";

const root = new URL("../../", import.meta.url);
const fileOf = (grammar: string) => new URL(`bench/exact_programs/rewards/${grammar}.json`, root);

/** The pipeline that executes all programs of a grammar, however little it trains. */
const pipelines: Readonly<Record<string, string>> = {
  growth_curves: "dugongs",
  count_trends: "peregrines",
  institutions: "surgical",
  pooling: "eight_schools",
};

/** Record of an execution of all programs. */
interface KeptRewards {
  /** How they came about. */
  readonly command: string;
  readonly engine: string;
  /** Of the grammar's environment. */
  readonly digest: string;
  /** `[programs]`, as the environment enumerates them; null is a reward of 0. */
  readonly log_reward: readonly (number | null)[];
}

/** A row of `enumeration`, as `sluice query --format json` writes it. */
interface Enumerated {
  readonly program: string;
  readonly log_reward: number | string | null;
}

/** The environment of a grammar with its kept rewards. @throws RangeError if they are of another one. */
export function publishedEnvironment(grammar: string): Environment {
  const environment = environmentOf(grammar);
  const kept: KeptRewards = JSON.parse(Deno.readTextFileSync(fileOf(grammar)));
  if (kept.digest !== environment.digest) throw outdated(grammar);
  const texts = [...environment.enumerate()].map(({ text }) => text);
  const rewards = new Map(texts.map((text, i) => [text, kept.log_reward[i] ?? -Infinity]));
  return withOwnReward(environment, ({ text }) => rewards.get(text)!);
}

/** Keeps the rewards that a run found. @throws RangeError if a program has none. */
export function keepRewards(
  grammar: string,
  rows: readonly Enumerated[],
  engine: string,
): void {
  const environment = environmentOf(grammar);
  const found = new Map(rows.map(({ program, log_reward }) => [program, Number(log_reward)]));
  const log_reward = [...environment.enumerate()].map(({ text }) => {
    const one = found.get(text);
    if (one === undefined) {
      throw new RangeError(`Cannot keep rewards of ${grammar}: none of\n${text}`);
    }
    return Number.isFinite(one) ? Number(one.toFixed(6)) : null;
  });
  const path = asMeasured.has(grammar)
    ? ` --set stages.programs.path=../bench/exact_programs/grammars/${grammar}.toml`
    : "";
  const command = `deno task run pipelines/${
    pipelines[grammar]
  }.toml --set stages.train.steps=10${path}`;
  const kept: KeptRewards = { command, engine, digest: environment.digest, log_reward };
  Deno.writeTextFileSync(fileOf(grammar), `${JSON.stringify(kept)}\n`);
}

/** Grammars as they were when the figures of the page were measured. */
const asMeasured: ReadonlySet<string> = new Set(["count_trends", "institutions"]);

function environmentOf(grammar: string): Environment {
  const folder = asMeasured.has(grammar) ? "bench/exact_programs/grammars" : "grammars";
  const path = `${folder}/${grammar}.toml`;
  const text = Deno.readTextFileSync(new URL(path, root));
  return grammarEnvironment(readGrammar(parseTomlFile(text, path), path)) as Environment;
}

function outdated(grammar: string): RangeError {
  return new RangeError(
    `The kept rewards of ${grammar} are of an earlier grammar: execute it again, see the README`,
  );
}
