/** Shared by tests of ports and stages: a small environment, a data set, a stand-in for the runner. */
import { type Dataset, makeDataset } from "../../src/base/dataset.ts";
import { RandomStream } from "../../src/base/random.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { grammarEnvironment } from "../../src/gfn/grammar/environment.ts";
import { readGrammar } from "../../src/gfn/grammar/read.ts";
import type { Row, StageContext } from "../../src/pipeline/contract/stage.ts";
import type { Execution } from "../../src/engine/score/execution/execution.ts";
import { parseTomlFile } from "../../src/pipeline/toml/parse.ts";

/** The environment of grammars/growth_curves_small.toml: 88 programs. */
export function smallEnvironment(): Environment {
  const url = new URL("../../grammars/growth_curves_small.toml", import.meta.url);
  const file = "growth_curves_small.toml";
  return grammarEnvironment(readGrammar(parseTomlFile(Deno.readTextFileSync(url), file), file));
}

/** Three animals, and the herd of each. */
export function threeAnimals(): Dataset {
  return makeDataset("three", [
    { name: "age", role: "predictor", type: "real", values: Float64Array.of(1, 5, 12.25) },
    {
      name: "length",
      role: "response",
      type: "real",
      values: Float64Array.of(1.8, 2.2, 1 / 3),
      resolution: 0.01,
    },
    {
      name: "herd",
      role: "group",
      type: "category",
      values: Float64Array.of(1, 0, 1),
      categories: ["east", "west"],
    },
  ], 2);
}

/** An execution with this ELPD; everything else is of no matter. */
export function scored(elpdLoo: number): Execution {
  const score = {
    elpdLoo,
    elpdReward: elpdLoo,
    se: 1.5,
    mcse: 0.05,
    pLoo: 2,
    params: { made: { mean: [0], sd: [1], q05: [-2], q95: [2] } },
  } as unknown as Execution["score"];
  return { status: "ok", engine: "native", engineVersion: "1", score, diagnostics: [] };
}

/** Keeps the metrics, tables and lines that a stage reports to its runner. */
export interface FakeContext extends StageContext {
  readonly told: {
    readonly metrics: [string, number][];
    readonly tables: [string, Row[]][];
    readonly lines: string[];
  };
}

/** A context that keeps what it is told and answers executions by `answer`. */
export function fakeContext(
  { step = 1, steps = 10, staleness = 0, behind = 0, plugins = {}, answer = () => scored(0) }: {
    readonly step?: number;
    readonly steps?: number;
    readonly staleness?: number;
    readonly behind?: number;
    readonly plugins?: Readonly<Record<string, unknown>>;
    readonly answer?: (program: string) => Execution;
  } = {},
): FakeContext {
  const told: FakeContext["told"] = { metrics: [], tables: [], lines: [] };
  return {
    told,
    stage: "test",
    step,
    steps,
    staleness,
    behind,
    distinctEvaluations: 3,
    random: (purpose) => new RandomStream("stages", step, purpose),
    rows: (table, rows) => void told.tables.push([table, [...rows]]),
    metric: (name, value) => void told.metrics.push([name, value]),
    ask: () => Promise.reject(new Error("internal: only the executor is asked")),
    execute: <T>({ programs }: { readonly programs: readonly string[] }) =>
      Promise.resolve(programs.map(answer) as unknown as T[]),
    progress: () => {},
    log: (line) => void told.lines.push(line),
    plugin: (path) => plugins[path],
  };
}

/** Parameters of `evaluate_kl` under which little is done beside the counting. */
export const quickEvaluation = {
  worst_prefixes: 3,
  floor_repetitions: 0,
  baseline_repetitions: 0,
  active_surrogate: false,
  enumerate_at_most: 1000,
  sampling: { samples: 10, sub_supports: 5, sub_support_size: 4 },
  certificate: { share: 0.2, at_least: 200, list_at_most: 300_000 },
};
